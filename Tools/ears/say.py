#!/usr/bin/env python3
"""say.py LOCALE LIST FOLDER: lets `aloud say` speak a list (file, brand, "CUR amount") and notes in FOLDER/said.tsv what was said."""
import os
import subprocess
import sys

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")


def program():
    for kind in ("release", "debug"):
        path = os.path.join(ROOT, ".build", kind, "aloud")
        if os.path.exists(path):
            return path
    sys.exit("build the command first: make build")


def main():
    locale, listing, folder = sys.argv[1:4]
    os.makedirs(folder, exist_ok=True)
    aloud = program()
    with open(listing, encoding="utf-8") as f, open(os.path.join(folder, "said.tsv"), "w", encoding="utf-8") as said:
        for line in f:
            name, brand, amount = line.rstrip("\n").split("\t")
            done = subprocess.run(
                [aloud, "say", "--pack", os.path.join(ROOT, "Voices", locale + ".voicepack"), "--locale", locale,
                 "--brand", brand, "--amount", amount, "--output", os.path.join(folder, name)],
                check=True, capture_output=True, text=True)
            said.write("%s\t%s\t%s\n" % (name, done.stdout.strip().splitlines()[0].strip("。."), amount.split()[1]))


if __name__ == "__main__":
    main()
