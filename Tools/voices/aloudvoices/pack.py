"""Writes NAME.voicepack: pack.json and clips.caf (IMA4 or 16-bit), as docs/sound.md describes them."""
import functools
import json
import os
import struct

import numpy as np

from . import ima4


def caf(rate, codec, payload, packets, valid_frames):
    """A CAF file with the chunks desc, pakt (IMA4 only) and data."""
    if codec == "ima4":
        desc = struct.pack(">d4sIIIII", float(rate), b"ima4", 0, 34, 64, 1, 0)
    else:
        desc = struct.pack(">d4sIIIII", float(rate), b"lpcm", 2, 2, 1, 1, 16)
    out = b"caff" + struct.pack(">HH", 1, 0) + b"desc" + struct.pack(">q", len(desc)) + desc
    if codec == "ima4":
        table = struct.pack(">qqii", packets, valid_frames, 0, packets * 64 - valid_frames)
        out += b"pakt" + struct.pack(">q", len(table)) + table
    return out + b"data" + struct.pack(">q", len(payload) + 4) + struct.pack(">I", 0) + payload


def write(folder, manifest, clips, codec="ima4"):
    """clips: list of dicts name, words, samples (int16), and optionally context; the first of a name is the plain one.

    manifest: the head of pack.json without the clips. Returns the sizes in bytes of both files."""
    rate = manifest["sampleRate"]
    if codec == "ima4":
        blobs = ima4.encode_all([c["samples"] for c in clips])
        counts = [len(b) // 34 * 64 for b in blobs]
    else:
        blobs, counts = [], []
        for clip in clips:
            pad = -len(clip["samples"]) % 64
            samples = np.concatenate([clip["samples"], np.zeros(pad, np.int16)])
            blobs.append(samples.astype("<i2").tobytes())
            counts.append(len(samples))
    table, start = {}, 0
    for clip, count in zip(clips, counts):
        if clip["name"] not in table:
            table[clip["name"]] = {"words": clip["words"], "start": start, "length": count}
        else:
            table[clip["name"]].setdefault("variants", []).append(
                {"context": clip["context"], "start": start, "length": count})
        start += count
    os.makedirs(folder, exist_ok=True)
    payload = b"".join(blobs)
    whole = caf(rate, codec, payload, start // 64, start)
    head = dict(manifest, codec=codec)
    plain = functools.partial(json.dumps, ensure_ascii=False, separators=(",", ":"))
    lines = ["  %s: %s" % (plain(key), plain(value)) for key, value in head.items()]
    rows = ["    %s: %s" % (plain(name), plain(clip)) for name, clip in sorted(table.items())]
    text = "{\n%s,\n  \"clips\": {\n%s\n  }\n}\n" % (",\n".join(lines), ",\n".join(rows))
    with open(os.path.join(folder, "clips.caf"), "wb") as f:
        f.write(whole)
    with open(os.path.join(folder, "pack.json"), "w", encoding="utf-8") as f:
        f.write(text)
    return len(text.encode()), len(whole)
