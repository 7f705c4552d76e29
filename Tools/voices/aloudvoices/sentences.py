"""Whole Mandarin sentences for the ears: python -m aloudvoices.sentences SAID --takes FOLDER --out FOLDER

SAID: said.tsv of the joined sentences; the same sentences are spoken whole, in the pack's style and speed."""
import argparse
import os
import wave

import numpy as np

from .kokoro import SAMPLE_RATE
from .zh_render import MandarinTakes


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("said")
    parser.add_argument("--takes", required=True)
    parser.add_argument("--out", required=True)
    options = parser.parse_args()
    say = MandarinTakes(options.takes).say
    os.makedirs(options.out, exist_ok=True)
    with open(options.said, encoding="utf-8") as f, open(os.path.join(options.out, "said.tsv"), "w", encoding="utf-8") as said:
        for line in f:
            name, text, _ = line.rstrip("\n").split("\t")
            head, _, amount = text.partition("收款")
            samples, _ = say([[head + "收款"], [amount.strip("，, ")]], stretch=False)
            with wave.open(os.path.join(options.out, name), "wb") as w:
                w.setparams((1, 2, SAMPLE_RATE, 0, "NONE", ""))
                w.writeframes(np.round(samples / np.abs(samples).max() * 28000).astype("<i2").tobytes())
            said.write(line)


if __name__ == "__main__":
    main()
