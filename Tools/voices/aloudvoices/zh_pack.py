"""Builds Voices/zh-CN.voicepack with Kokoro's style jm_kumo."""
from . import builder, zh_script
from .kokoro import SAMPLE_RATE
from .zh_render import READINGS, MandarinTakes

HEAD = {
    "format": 1, "id": "aloud-zh-CN-kokoro", "version": "1.0.0", "locale": "zh-CN",
    "voice": "Kokoro-82M v1.0 (int8), style jm_kumo, Mandarin phonemes by misaki", "licence": "Apache-2.0",
    "attribution": "Made with Kokoro-82M by hexgrad (Apache-2.0), ONNX export by thewh1teagle (MIT); see NOTICE for the style's source.",
    "pauses": {"between": 0.25, "afterBrand": 0.12, "beforeAmount": 0.2}}

NUMERALS = set("零一二两三四五六七八九十百千万亿点元角分负整幺半刻第")
WORDS = sorted((w for w in READINGS if not w.startswith("=")), key=len, reverse=True)
RISING = ("五", "九", "两")  # a third tone, which rises before another third tone
THIRD = ["点", "角", "百", "秒", "整", "笔", "美"]
ONLY_SURROUNDINGS = {"尾号", "一共", "日期", "刻", "一刻", "三刻", "傍晚", "夜里", "早晨", "清晨", "号"}

# Spoken so that other units have their surroundings, or left out so that all packs together stay within 6 MB: these
# join well enough of their parts.
DIGITS = "一二两三四五六七八九"
LEFT_OUT = (
    {n + "元" for n in zh_script.TWO_DIGIT + zh_script.INSIDE if n != "十"}
    | {d + unit + "元" for d in DIGITS for unit in "百千万"}
    | {d + "分" for d in DIGITS} | {d + "笔付款" for d in DIGITS + "十"}
    | {"您有新的提醒", "您有新的申请", "个新订单", "条新消息"}
    | {brand + "退款" for brand in zh_script.BRANDS} | {brand + "收款" for brand in zh_script.BRANDS[3:]})


def words(text):
    """The clip-level words of a group: numerals one by one, all else by the list of readings, longest first."""
    out, i = [], 0
    while i < len(text):
        if text[i] in NUMERALS and not any(text.startswith(w, i) and len(w) > 1 for w in WORDS):
            out.append(text[i])
            i += 1
            continue
        word = next(w for w in WORDS if text.startswith(w, i))
        out.append(word)
        i += len(word)
    return out


def context(take):
    """Where a take belongs. None: anywhere."""
    lone_digit = len(take.unit) == 1 and take.unit in "零一二三四五六七八九"
    if lone_digit and take.before == "点":
        return {"before": ["点"]}
    if take.unit[-1] in RISING and take.after and take.after[0] in THIRD and take.after[0] != "百":
        return {"after": THIRD}
    if take.after is None and (lone_digit or take.unit in ("元", "分", "角", "整", "笔")):
        return {"position": "tail"}
    return None


def build(folder, takes_folder, rate, loudness, cached_only=False):
    say = MandarinTakes(takes_folder, cached_only=cached_only).say
    found = builder.harvest(say, zh_script.all_lines(), SAMPLE_RATE)
    clips = builder.clips(found, words, context, lambda text: text not in ONLY_SURROUNDINGS | LEFT_OUT)
    return builder.write(folder, HEAD, clips, rate, loudness)
