// Room: what makes voice packs and converts sound files on a workstation, over libsndfile, soxr and ebur128.
