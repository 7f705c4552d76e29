"""Whole-sentence renderings as cepstra, against which joined sentences are measured (Tools/ears/whole/*.tsv).

python -m aloudvoices.whole zh-CN | en-US | ja --takes FOLDER > Tools/ears/whole/LOCALE.tsv

A line: the phrase's segments ("/" between them, one blank between words), tab, the amount, tab, hex of the cepstra. One byte a value, 12 values a
frame of 30 ms: mel cepstra 1 to 12, less their mean and over their deviation in the sentence, times 24, as signed bytes.
Tests/AudioToolsTests/Cepstra.swift computes the same."""
import argparse

import numpy as np

RATE, SIZE, HOP, BANDS, COUNT = 22050, 512, 660, 24, 12


def cepstra(samples):
    """Frames × 12, normalised; frames softer than 40 dB under the loudest at both ends are left out."""
    count = (len(samples) - SIZE) // HOP + 1
    index = np.arange(SIZE)[None] + HOP * np.arange(count)[:, None]
    block = samples[index]
    power = (block ** 2).mean(1)
    loud = np.nonzero(power > power.max() * 1e-4)[0]
    block = block[loud[0]:loud[-1] + 1] * (0.5 - 0.5 * np.cos(2 * np.pi * np.arange(SIZE) / SIZE))
    spectrum = np.abs(np.fft.rfft(block)) ** 2
    mel = np.linspace(2595 * np.log10(1 + 100 / 700), 2595 * np.log10(1 + 8000 / 700), BANDS + 2)
    edges = 700 * (10 ** (mel / 2595) - 1)
    bins = np.arange(SIZE // 2 + 1) * RATE / SIZE
    up = (bins[None] - edges[:-2, None]) / (edges[1:-1] - edges[:-2])[:, None]
    down = (edges[2:, None] - bins[None]) / (edges[2:] - edges[1:-1])[:, None]
    bank = np.maximum(0, np.minimum(up, down))
    bands = np.log(spectrum @ bank.T + 1e-9 * SIZE)
    turn = np.cos(np.pi / BANDS * np.arange(1, COUNT + 1)[:, None] * (np.arange(BANDS)[None] + 0.5))
    out = bands @ turn.T
    return (out - out.mean(0)) / (out.std(0) + 1e-6)


def hexed(samples, rate):
    from .dsp import resampled
    values = cepstra(resampled(samples / np.abs(samples).max(), rate, RATE))
    return np.clip(np.round(values * 24), -127, 127).astype(np.int8).tobytes().hex()


def sentences(locale, takes):
    """(segments as words, amount, samples, rate)"""
    if locale == "zh-CN":
        from .zh_pack import words
        from .zh_render import MandarinTakes
        say = MandarinTakes(takes).say
        for i, (amount, text) in enumerate(MANDARIN):
            head = ("微信", "支付宝")[i % 2] + "收款"
            yield " ".join(words(head)) + " / " + " ".join(words(text)), amount, say([[head], [text]], stretch=False)[0], 24000
    elif locale == "en-US":
        from .en_pack import EnglishTakes
        say = EnglishTakes(takes).say
        for i, (amount, text) in enumerate(ENGLISH):
            head = ("WeChat Pay", "Alipay")[i % 2] + " received"
            yield head + " / " + text, amount, say([[head], [text]], stretch=False)[0], 24000
    else:
        from .ja_pack import JapaneseTakes
        say = JapaneseTakes(takes).say
        for i, (amount, units) in enumerate(JAPANESE):
            head = ("PayPay", "メルペイ")[i % 2] + "+で"
            plain = (head + " / " + units + " 入金しました").replace("+", " ")
            yield plain, amount, say([[head], units.split() + ["入金しました"]])[0], 24000


MANDARIN = [("0.50", "零点五元"), ("2.5", "两点五元"), ("9.99", "九点九九元"), ("12", "十二元"), ("28.50", "二十八点五元"), ("88", "八十八元"),
            ("110", "一百一十元"), ("365.8", "三百六十五点八元"), ("999.99", "九百九十九点九九元"), ("1234.56", "一千二百三十四点五六元"),
            ("12345.67", "一万二千三百四十五点六七元")]
ENGLISH = [("0.50", "fifty cents"), ("2.50", "two dollars and fifty cents"), ("9.99", "nine dollars and ninety nine cents"),
           ("12", "twelve dollars"), ("28.50", "twenty eight dollars and fifty cents"), ("88", "eighty eight dollars"),
           ("110", "one hundred ten dollars"), ("365.80", "three hundred sixty five dollars and eighty cents"),
           ("999.99", "nine hundred ninety nine dollars and ninety nine cents"),
           ("1234.56", "one thousand two hundred thirty four dollars and fifty six cents"),
           ("12345.67", "twelve thousand three hundred forty five dollars and sixty seven cents")]
JAPANESE = [("5", "五+円"), ("24", "二+十 四(よ)+円"), ("100", "百 円"), ("360", "三+百(びゃく) 六+十 円"), ("500", "五+百 円"),
            ("680", "六(ろっ)+百(ぴゃく) 八+十 円"), ("1200", "千 二+百 円"), ("3980", "三+千(ぜん) 九+百 八+十 円"),
            ("8800", "八(はっ)+千 八(はっ)+百(ぴゃく) 円"), ("12500", "一+万 二+千 五+百 円"), ("47600", "四+万 七+千 六(ろっ)+百(ぴゃく) 円")]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("locale", choices=["zh-CN", "en-US", "ja"])
    parser.add_argument("--takes", required=True)
    options = parser.parse_args()
    for words, amount, samples, rate in sentences(options.locale, options.takes):
        print("\t".join([words, amount, hexed(np.asarray(samples), rate)]))


if __name__ == "__main__":
    main()
