"""Mandarin amounts in text: digits and hanzi to a decimal, and to toneless syllables."""
import re
from decimal import Decimal, InvalidOperation

FIGURES = "零一二三四五六七八九"
VALUE = {c: i for i, c in enumerate(FIGURES)} | {"〇": 0, "两": 2, "兩": 2}
PLACE = {"十": 10, "百": 100, "千": 1000}
SAME = str.maketrans("點萬億塊圓兩貳叁肆伍陸柒捌玖拾佰仟", "点万亿元元两二三四五六七八九十百千")
NUMBER = re.compile(r"(?:\d[\d,]*(?:\.\d+)?|[%s〇两十百千]+)(?:[万亿])?" % FIGURES)


def figures(text):
    """A run of hanzi numerals without 万, 亿: by places, or figure by figure when there are no places."""
    if not any(c in PLACE for c in text):
        return int("".join(str(VALUE[c]) for c in text))
    total, digit = 0, 0
    for c in text:
        if c in PLACE:
            total += (digit or 1) * PLACE[c]
            digit = 0
        else:
            digit = VALUE[c]
    return total + digit


def amount(text):
    """The amount that a transcript names, or None. 12万3456.78元, 二十八点五元, 28元5角 are all understood."""
    text = text.translate(SAME).replace(" ", "").replace("块", "元")
    text = re.sub(r"(?<=\d),(?=\d{3})", "", text)
    best = None
    for run in re.finditer(r"[\d.%s〇两十百千万亿点]+" % FIGURES, text):
        value = run_value(run.group())
        if value is None:
            continue
        after = text[run.end():run.end() + 1]
        if after in ("角", "分") and best is not None:
            best = (best[0], best[1] + value / (10 if after == "角" else 100))
        elif best is None or after == "元" or best[0] != "元":
            best = (after, value)
    return None if best is None else best[1]


def run_value(run):
    """The value of one unbroken run of figures, or None."""
    whole, _, part = run.replace("点", ".").partition(".")
    try:
        total = section = Decimal(0)
        for piece in NUMBER.finditer(whole):
            body = piece.group()
            unit = {"万": 10 ** 4, "亿": 10 ** 8}.get(body[-1], 1)
            body = body.rstrip("万亿")
            section = Decimal(body) if body.isdigit() else Decimal(figures(body))
            total += section * unit
        if not NUMBER.search(whole) and not part:
            return None
        part = "".join(str(VALUE.get(c, c)) for c in part if c in VALUE or c.isdigit())
        return total + (Decimal("0." + part) if part else 0)
    except (InvalidOperation, KeyError, ValueError):
        return None


def spoken(number):
    """1234.56 as hanzi, the way Aloud says it (one 零 for a gap, 两 only before 千 万 亿 at the head is left to tone-deaf ears)."""
    whole, _, part = format(Decimal(number), "f").partition(".")
    part = part.rstrip("0")
    text = whole_spoken(int(whole))
    return text + ("点" + "".join(FIGURES[int(c)] for c in part) if part else "")


def whole_spoken(n):
    if n == 0:
        return "零"
    out, gap = "", False
    for unit, name in ((10 ** 8, "亿"), (10 ** 4, "万"), (1, "")):
        section = n // unit % 10 ** 4
        if section == 0:
            gap = bool(out)
            continue
        if out and (gap or section < 1000):
            out += "零"
        gap = False
        out += section_spoken(section, not out) + name
    return out


def section_spoken(n, first):
    out, gap = "", False
    for place, name in ((1000, "千"), (100, "百"), (10, "十"), (1, "")):
        digit = n // place % 10
        if digit == 0:
            gap = bool(out)
            continue
        if gap:
            out += "零"
        gap = False
        out += ("" if digit == 1 and place == 10 and first and not out else FIGURES[digit]) + name
    return out


def syllables(text):
    """Toneless pinyin of a transcript with its figures read out; 两 counts as 二."""
    from pypinyin import lazy_pinyin
    text = re.sub(r"(?<=\d),(?=\d{3})", "", text.translate(SAME))
    text = re.sub(r"\d{1,12}(?:\.\d+)?", lambda m: spoken(m.group()), text).replace("两", "二").replace("块", "元")
    return [s for s in lazy_pinyin(re.sub(r"[^\u4e00-\u9fff]", "", text)) if s.isalpha()]


def distance(a, b):
    """Edit distance."""
    row = list(range(len(b) + 1))
    for i, x in enumerate(a, 1):
        before, row[0] = row[0], i
        for j, y in enumerate(b, 1):
            before, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, before + (x != y))
    return row[-1]
