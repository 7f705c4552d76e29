"""Takes: what an engine said for one line of the script, kept on disk so that a stopped render goes on."""
import hashlib
import json
import os

import numpy as np


class NotSpokenYet(Exception):
    """The take is not on the disk, and only what is there is wanted."""


class TakeStore:
    """A folder of takes; the name of a take is a hash of everything that shaped it."""

    def __init__(self, folder, cached_only=False):
        self.folder, self.cached_only = folder, cached_only
        os.makedirs(folder, exist_ok=True)

    def get(self, recipe, make):
        """recipe: plain data. make() -> (float samples, spans). Returns (float64 samples, spans)."""
        key = hashlib.sha256(json.dumps(recipe, ensure_ascii=False, sort_keys=True).encode()).hexdigest()[:24]
        path = os.path.join(self.folder, key + ".npz")
        if not os.path.exists(path):
            if self.cached_only:
                raise NotSpokenYet(key)
            samples, spans = make()
            peak = float(np.abs(samples).max()) or 1.0
            temporary = path + ".part.npz"
            np.savez_compressed(temporary, samples=np.round(samples / peak * 32000).astype(np.int16),
                                peak=peak, spans=np.array(spans, np.int64).reshape(-1, 2))
            os.replace(temporary, path)
        with np.load(path) as held:
            return held["samples"].astype(np.float64) / 32000 * float(held["peak"]), held["spans"].tolist()
