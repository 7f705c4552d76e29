"""The English script: whole announcements that hold every number word in its place, and the phrases.

Groups separated by a short gap become clips; a group of several words is one clip that says them all."""
import random

from .zh_script import cycle

DIGITS = "one two three four five six seven eight nine".split()
TEENS = "ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen".split()
TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split()
PAIRS = [t + " " + d for t in TENS for d in DIGITS]
UNDER = DIGITS + TEENS + TENS + PAIRS
HEAD = "payment received"

MAJOR = "dollars yuan euros pounds yen rupees".split()
ONE = "dollar euro pound rupee".split()
MINOR = "cents pence paise fen".split()
ONE_MINOR = "cent penny paisa".split()
OTHER_MONEY = ["Hong Kong dollars", "Singapore dollars"]

BRANDS = ["WeChat Pay", "Alipay", "PayPal", "Apple Pay", "Google Pay", "Paytm", "PhonePe"]
# The patterns of Sources/Announcing/Phrases, "_" where a number, an amount, a name or a time stands.
PATTERNS = [
    "received _", "refund _", "payment received", "refund paid", "you have a new order", "_ submitted a request",
    "you have a new request", "bed _ is calling", "_ is calling", "you have a new call", "reminder _",
    "you have a new reminder", "the time is _", "_ payments received", "_ refunds paid", "_ in total", "_ new orders",
    "_ new messages", "one new message", "while offline", "from _"]


def number_lines(seed=1, rounds=1):
    """Whole announcements with every number word in its places."""
    under, hundreds = cycle(UNDER, seed), cycle([d + " hundred" for d in DIGITS], seed + 1)
    tens, figures = cycle(UNDER, seed + 2), cycle(["zero"] + DIGITS, seed + 3)
    major, minor = cycle(MAJOR, seed + 4), cycle(MINOR, seed + 5)
    out = []

    def say(*groups):
        out.append([[HEAD], list(groups)])

    for _ in range(rounds):
        for n in UNDER:
            say(n, next(major), "and", next(tens), next(minor))
            say(n, next(major))
            say(next(hundreds), n, next(major))
            say(n, "thousand", next(hundreds), next(under), next(major), "and", next(tens), next(minor))
            say(n, next(minor))
        for d in DIGITS:
            say(d, "hundred", next(major), "and", next(tens), next(minor))
            say(d, "thousand", next(major))
            say(next(hundreds), "thousand", next(under), next(major))
            say(next(under), "million", next(hundreds), "thousand", next(major))
            say(next(under), "billion", next(under), "million", next(major))
            say(next(under), "trillion", next(under), "billion", next(major))
            say(next(under), "quadrillion", next(under), "trillion", next(major))
            say(next(under), "lakh", next(under), "thousand", next(hundreds), next(under), "rupees")
            say(next(under), "crore", next(under), "lakh", "rupees")
            say(next(hundreds), "and", next(under), next(major))
            say("minus", next(under), next(major))
            say(next(under), "percent")
            for unit in ONE:
                say("one", unit, "and", next(tens), next(minor))
                say("one", unit)
            for unit in ONE_MINOR:
                say(next(under), next(major), "and", "one", unit)
        for figure in ["zero"] + DIGITS:
            for _ in range(2):
                say(next(under), "point", figure, "yuan")
                say(next(under), "point", figure, next(figures), "yuan")
                say(next(under), "point", next(figures), figure, "yuan")
                say(next(hundreds), next(under), "point", next(figures), figure)
                out.append([["order"], [next(figures), next(figures), figure, next(figures), figure]])
            say("zero", "point", figure, "yuan")
        say("zero", "dollars")
        for ten in TENS:  # whole: “forty” before “cents” is heard as forty eight
            say(next(under), "dollars", "and", ten + " cents")
        for hour in DIGITS + TEENS[:3]:
            for half in ("AM", "PM"):
                out.append([["the time is"], [hour, half]])
                out.append([["the time is"], [hour, "oh", next(cycle(DIGITS, len(out))), half]])
                out.append([["the time is"], [hour, next(cycle(TEENS + TENS[:4] + PAIRS[:36], len(out))), half]])
    return out


def phrase_lines():
    """The patterns whole, and their words apart, with something ordinary in the gaps."""
    out = []
    for brand in BRANDS:
        out += [[[brand + " received"], ["sixty five dollars"]], [[brand], ["you have a new order"]],
                [[brand, "refund"], ["sixty five dollars"]], [[brand, "received"], ["eighty dollars"]]]
    for pattern in PATTERNS:
        before, gap, after = (part.strip() for part in pattern.partition("_"))
        if not gap:
            out += [[[before]], [before.split()]]
        elif pattern in ("received _", "refund _", "reminder _"):
            out.append([[before], ["sixty five dollars"]])
        else:
            for middle in ("six", "twenty eight"):
                out.append([[g for g in (before, middle, after) if g]])
                out.append([before.split() + [middle] + after.split()])
    return out


def word_lines():
    """Other currencies, and the words of names that are known whole."""
    out = []
    for i, name in enumerate(OTHER_MONEY):
        out.append([[HEAD], [UNDER[(i * 7 + 11) % len(UNDER)], name]])
    for first in ("WeChat", "Apple", "Google"):
        out.append([[first, "Pay"], ["you have", "a", "new", "order"]])
    return out


def all_lines():
    return number_lines() + phrase_lines() + word_lines()
