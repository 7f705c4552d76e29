"""The script of the Mandarin pack: which lines are spoken, and which units are cut from them.

A line is a list of breaths (a comma between them); a breath is a list of groups; a group is what becomes one clip.
Amount lines are whole amounts as a shop hears them, so that every unit is spoken in the place where it is used."""
import random

DIGITS = "一二三四五六七八九"
HEAD = "收款"


def two_digit(n, inside=False):
    """10…99 as words; inside a larger number ten is 一十."""
    tens, ones = divmod(n, 10)
    head = "十" if tens == 1 and not inside else DIGITS[tens - 1] + "十"
    return head + (DIGITS[ones - 1] if ones else "")


def decimals():
    """点 with one or two decimals, no trailing zero: 9 + 90."""
    all_ = ["点" + d for d in DIGITS]
    for first in "零" + DIGITS:
        all_ += ["点" + first + d for d in DIGITS]
    return all_


def cycle(items, seed):
    """An endless, shuffled supply in which every item comes before any comes again."""
    chance, pool = random.Random(seed), []
    while True:
        if not pool:
            pool = list(items)
            chance.shuffle(pool)
        yield pool.pop()


def amount_lines(seed=1):
    """Lines [[head], [groups…]] that hold every unit of amounts in its place."""
    thousands = cycle(["两千"] + [d + "千" for d in DIGITS], seed)
    hundreds = cycle([d + "百" for d in DIGITS], seed + 1)
    lead_hundreds = cycle(["两百"] + [d + "百" for d in DIGITS], seed + 2)
    dec = cycle(decimals(), seed + 3)
    digits = cycle(DIGITS, seed + 4)
    inner = [two_digit(n, True) for n in range(10, 100)]
    plain = [two_digit(n) for n in range(10, 100)]
    lines = []
    say = lambda *groups: lines.append([[HEAD], [g for g in groups if g]])
    for n in inner:  # 六千八百六十五点八三元
        say(next(thousands), next(hundreds), n, next(dec) + "元")
    for n in plain:  # 六十五点八三元
        say(n, next(dec) + "元")
    for n in inner:  # 八百六十五元
        say(next(lead_hundreds), n + "元")
    for n in plain:  # 六十五元
        say(n + "元")
    for d in list("零") + ["两"] + list(DIGITS):  # 五点八三元, 五元
        say(d, next(dec) + "元")
        say(d + "元")
    for d in DIGITS:
        say(next(thousands), "零" + d, next(dec) + "元")
        say(next(lead_hundreds), "零" + d + "元")
        say(next(thousands), "零", two_digit(int(DIGITS.index(d) + 1) * 10 + 3, True) + "元")
        say(next(lead_hundreds), next(dec) + "元")
        say(next(thousands), next(hundreds), next(dec) + "元")
    return lines
