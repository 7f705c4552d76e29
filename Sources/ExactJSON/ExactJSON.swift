// Room: JSON (RFC 8259) whose numbers keep their exact text and whose errors know line and column. Pure Swift.
