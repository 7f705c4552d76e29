// Room: what the phone decides, as values: phrase, plan, ledger, queue, merge, quiet hours, expiry, reason codes, clock schedule.
