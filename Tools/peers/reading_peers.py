#!/usr/bin/env python3
"""Compares readings with cn2an and num2words (PyPI), for those who have them. Not part of the tests.

    python3 -m pip install cn2an num2words
    python3 Tools/peers/reading_peers.py [--aloud .build/release/aloud] [--count 2000] [--seed 1]

Whole numbers are compared (money styles differ too much to be worth a line each). Every difference is printed with the
reason if it is a known one; the exit code is 1 if an unknown difference is left, 2 if no peer is installed. The time of
each peer is printed beside ours; ours includes the start of a process and its pipes.
"""

import argparse
import random
import subprocess
import sys
import time
import unicodedata

NUM2WORDS = {
    "en-US": "en", "en-GB": "en_GB", "en-IN": "en_IN", "ja": "ja", "ko": "ko", "vi": "vi", "th": "th", "id": "id",
    "es-ES": "es", "fr-FR": "fr", "de-DE": "de", "pt-BR": "pt_BR", "pt-PT": "pt",
}

# Differences that docs/reading.md decides, by locale: what to call them, and which numbers they touch.
KNOWN = {
    "zh-CN": [("an empty section between others is one 零", lambda n: any(g == 0 for g in groups(n, 4)[1:-1]))],
    "en-US": [("and is British", lambda n: True)],
    "ja": [("一千 before 万", lambda n: any(g // 1000 == 1 for g in groups(n, 4)[1:]))],
    "ko": [("일만 after 억", lambda n: len(groups(n, 4)) > 2 and groups(n, 4)[1] == 1)],
    "vi": [("linh, tư and không trăm", lambda n: True)],
    "id": [("seribu after juta", lambda n: n > 10**6 and n // 1000 % 1000 == 1)],
    "es-ES": [("uno shortens before mil and millones", lambda n: any(g % 10 == 1 for g in groups(n, 3)[1:]))],
    "de-DE": [("eins only at the end", lambda n: any(g % 100 == 1 for g in groups(n, 3)[1:]))],
    "pt-BR": [("e before the last class only, no comma", lambda n: n >= 1000)],
    "pt-PT": [("e before the last class only, no comma", lambda n: n >= 1000)],
}


def groups(number, digits):
    """Groups of digits, the lowest first."""
    result = []
    while number:
        number, low = divmod(number, 10**digits)
        result.append(low)
    return result


def normalised(text):
    text = unicodedata.normalize("NFC", text).lower()
    return "".join(c for c in text if not c.isspace() and c not in "-\u2010\u2011,.'\u2019\u00ad\u200b")


def numbers(count, seed):
    chance = random.Random(seed)
    spread = [chance.randrange(10 ** chance.randrange(1, 13)) for _ in range(count)]
    sparse = [chance.randrange(10) * 10 ** chance.randrange(12) + chance.randrange(120) for _ in range(count // 2)]
    return list(range(0, 1200)) + spread + sparse


def ours(program, locale, values):
    lines = "".join(f"{locale}\tcardinal\t{value}\n" for value in values)
    start = time.perf_counter()
    run = subprocess.run([program, "read", "--batch"], input=lines, capture_output=True, text=True, check=True)
    return run.stdout.splitlines(), time.perf_counter() - start


def peers():
    """(name, locale, function) of every peer that is installed."""
    found = []
    try:
        import cn2an

        found.append(("cn2an", "zh-CN", lambda value: cn2an.an2cn(value, "low")))
    except ImportError:
        print("cn2an is not installed: python3 -m pip install cn2an")
    try:
        import num2words

        for locale, language in NUM2WORDS.items():
            found.append(
                ("num2words", locale, lambda value, language=language: num2words.num2words(value, lang=language)))
    except ImportError:
        print("num2words is not installed: python3 -m pip install num2words")
    return found


def compare(name, locale, say, program, values):
    """Prints the differences of one peer; returns how many are not known."""
    readings, own_time = ours(program, locale, values)
    unknown, known, failures, peer_time = [], {}, 0, 0.0
    for value, reading in zip(values, readings):
        start = time.perf_counter()
        try:
            theirs = say(value)
        except Exception:  # a peer may refuse or break on any number; that is a result here
            failures += 1
            continue
        finally:
            peer_time += time.perf_counter() - start
        if normalised(theirs) == normalised(reading):
            continue
        reason = next((why for why, touches in KNOWN.get(locale, []) if touches(value)), None)
        if reason:
            known[reason] = known.get(reason, 0) + 1
        else:
            unknown.append((value, reading, theirs))
    micro = 1_000_000 / len(values)
    print(f"{locale} / {name}: {len(values)} numbers, ours {own_time * micro:.2f} µs each, theirs {peer_time * micro:.2f} µs")
    for reason, count in known.items():
        print(f"  {count} known: {reason}")
    if failures:
        print(f"  {failures} refused by {name}")
    for value, reading, theirs in unknown[:10]:
        print(f"  {value}: {reading} / {theirs}")
    if len(unknown) > 10:
        print(f"  … and {len(unknown) - 10} more")
    return len(unknown)


def main():
    parser = argparse.ArgumentParser(description="Compares readings with cn2an and num2words.")
    parser.add_argument("--aloud", default=".build/release/aloud", help="the program to compare")
    parser.add_argument("--count", type=int, default=2000, help="random numbers for each locale")
    parser.add_argument("--seed", type=int, default=1, help="the seed of the random numbers")
    options = parser.parse_args()
    found = peers()
    if not found:
        return 2
    values = numbers(options.count, options.seed)
    left = sum(compare(name, locale, say, options.aloud, values) for name, locale, say in found)
    return 1 if left else 0


if __name__ == "__main__":
    sys.exit(main())
