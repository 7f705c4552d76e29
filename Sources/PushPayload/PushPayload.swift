// Room: payload and header model, the dialects in the field, size and rule checks.
