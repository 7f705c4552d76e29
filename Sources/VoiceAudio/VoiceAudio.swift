// Room: samples, clips, voice packs, joining, levels; CAF, WAV and AIFF in LPCM, IMA4, µ-law and A-law. Bytes in, bytes out.
