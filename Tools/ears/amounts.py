#!/usr/bin/env python3
"""amounts.py COUNT FOLDER: seeded amounts for the ears, FOLDER/zh-CN.tsv and FOLDER/en-US.tsv: file, brand, currency and amount."""
import os
import random
import sys


def amounts(count, chance):
    """From one to five digits before the point, as tills see them, half of them with cents."""
    for _ in range(count):
        digits = chance.choice([1, 2, 2, 2, 3, 3, 3, 4, 5])
        whole = chance.randrange(10 ** (digits - 1), 10 ** digits)
        cents = chance.choice([0, 0, chance.randrange(1, 10) * 10, chance.randrange(1, 100)])
        yield "%d.%02d" % (whole, cents) if cents else str(whole)


def main():
    count, folder = int(sys.argv[1]), sys.argv[2]
    for locale, currency, brands in (("zh-CN", "CNY", ("微信", "支付宝")), ("en-US", "USD", ("WeChat Pay", "Alipay"))):
        with open(os.path.join(folder, locale + ".tsv"), "w", encoding="utf-8") as f:
            for i, amount in enumerate(amounts(count, random.Random(20261130))):
                f.write("%04d.wav\t%s\t%s %s\n" % (i, brands[i % 2], currency, amount))


if __name__ == "__main__":
    main()
