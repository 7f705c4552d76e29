"""Mandarin for the engines: numbered pinyin of the words that packs say, tone changes, Kokoro's phonemes."""

TONES = {
    "零": "ling2", "一": "yi1", "二": "er4", "两": "liang3", "三": "san1", "四": "si4", "五": "wu3", "六": "liu4",
    "七": "qi1", "八": "ba1", "九": "jiu3", "十": "shi2", "百": "bai3", "千": "qian1", "万": "wan4", "亿": "yi4",
    "点": "dian3", "元": "yuan2", "角": "jiao3", "分": "fen1", "负": "fu4", "整": "zheng3", "幺": "yao1",
    "半": "ban4", "刻": "ke4", "第": "di4", "百分之": "bai3 fen1 zhi1",
}


def pinyin(text, readings):
    """Numbered pinyin of a text, one entry a syllable; `readings` holds whole words first, then characters."""
    out, i = [], 0
    while i < len(text):
        for size in range(min(8, len(text) - i), 0, -1):
            word = text[i:i + size]
            found = readings.get(word) or (TONES.get(word) if size == 1 else None)
            if found:
                out += found.split()
                i += size
                break
        else:
            raise KeyError("no reading for %s in %s" % (text[i], text))
    return out


def changed(syllables):
    """Tone changes inside one breath: 一 before 百 千 亿 万, and a third tone before a third tone."""
    out = list(syllables)
    for i in range(len(out) - 1):
        if out[i] == "yi1" and out[i + 1] in ("bai3", "qian1"):
            out[i] = "yi4"
        elif out[i] == "yi1" and out[i + 1] in ("wan4", "yi4"):
            out[i] = "yi2"
        elif out[i][-1] == "3" and out[i + 1][-1] == "3":
            out[i] = out[i][:-1] + "2"
    return out


def breath(groups, readings):
    """Pinyin for each group of one breath, tone changes applied across the groups.

    A reading under "=GROUP" holds for a group that is exactly that (一元 is yi4 yuan2, 二十一元 is not)."""
    per_group = [readings["=" + g].split() if "=" + g in readings else pinyin(g, readings) for g in groups]
    flat = changed([s for g in per_group for s in g])
    out = []
    for group in per_group:
        out.append(flat[:len(group)])
        flat = flat[len(group):]
    return out


def kokoro_phonemes(syllables):
    """Kokoro's phoneme string of numbered pinyin (misaki's table; the mark under syllabic sounds is not in its set)."""
    from misaki.zh import ZHG2P
    return "".join(ZHG2P.py2ipa(s) for s in syllables).replace(chr(815), "")
