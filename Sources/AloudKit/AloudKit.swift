// Room: the iPhone layer, thin: extension base class, centre delegate, speech, App Group files, clock, receipts.
