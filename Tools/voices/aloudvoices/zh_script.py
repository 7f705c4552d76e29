"""The script of the Mandarin pack: the lines that are spoken so that units can be cut from them.

A line is a list of breaths (a comma between them), a breath is a list of groups, a group becomes one clip. Number
lines are whole amounts as a shop hears them, so that every unit is spoken in the place where it will be used."""
import random

DIGITS = "一二三四五六七八九"
HEAD = "收款"


def two_digit(n, inside=False):
    """10…99 as words; inside a larger number ten is 一十."""
    tens, ones = divmod(n, 10)
    head = "十" if tens == 1 and not inside else DIGITS[tens - 1] + "十"
    return head + (DIGITS[ones - 1] if ones else "")


TWO_DIGIT = [two_digit(n) for n in range(10, 100)]
INSIDE = [two_digit(n, True) for n in range(10, 100)]
DECIMALS = ["点" + d for d in DIGITS] + ["点" + a + b for a in "零" + DIGITS for b in DIGITS]


def cycle(items, seed):
    """An endless, shuffled supply in which every item comes before any comes again."""
    chance, pool = random.Random(seed), []
    while True:
        if not pool:
            pool = list(items)
            chance.shuffle(pool)
        yield pool.pop()


def amount_lines(seed=1):
    """Amounts that hold every unit in its place: 千, 百, two digits, 点 with decimals, 零 inside, 万, 亿."""
    head_thousands = cycle(["两千"] + [d + "千" for d in DIGITS], seed)
    hundreds = cycle([d + "百" for d in DIGITS], seed + 1)
    head_hundreds = cycle(["两百"] + [d + "百" for d in DIGITS], seed + 2)
    decimal = cycle(DECIMALS, seed + 3)
    tens = cycle(INSIDE, seed + 4)
    lines = []

    def say(*groups):
        lines.append([[HEAD], list(groups)])

    for n in INSIDE:  # 六千八百六十五点八三元
        say(next(head_thousands), next(hundreds), n, next(decimal) + "元")
    for n in TWO_DIGIT:  # 六十五点八三元
        say(n, next(decimal) + "元")
    for n in INSIDE:  # 八百六十五元
        say(next(head_hundreds), n + "元")
    for d in "零两" + DIGITS:  # 五点八三元, 五元
        say(d, next(decimal) + "元")
        say(d + "元")
    for n in TWO_DIGIT:  # 六十五元
        say(n + "元")
    for d in DIGITS:
        say(next(head_thousands), "零" + d, next(decimal) + "元")
        say(next(head_hundreds), "零" + d + "元")
        say(next(head_thousands), "零", next(tens) + "元")
        say(next(head_hundreds), next(decimal) + "元")
        say(next(head_thousands), next(hundreds), next(decimal) + "元")
        say(d + "百元")
        say(d + "千元")
        say(d + "万元")
        say(d + "万", d + "千", next(hundreds), next(tens) + "元")
        say(next(tens) if d != "一" else "十", "万", d + "千", next(hundreds), "元")
        say(d, "亿", d + "千", next(hundreds), next(tens), "万", "元")
    for whole in ("两百元", "两千元", "两万元"):
        say(whole)
    say("两万", "三千", "五百", "六十四元")
    say("两", "亿", "零", "五百", "万", "元")
    say("十", "亿", "零", "八", "万", "元")
    say("三", "万", "亿", "五千", "亿", "元")
    return lines


def number_lines(seed=11):
    """Digit strings, decimals without a unit, 元角分, percent, and the lone words."""
    chance = random.Random(seed)
    lines = []
    digits = "零" + DIGITS
    for i, d in enumerate(digits):
        others = chance.sample([x for x in digits if x != d], 8)
        lines.append([["尾号"], list(d + others[0] + others[1] + d)])
        lines.append([["尾号"], list(others[2] + d + others[3] + others[4])])
        lines.append([["收款"], [others[5] if others[5] != "零" else "六", "点", d, others[6], d]])
        lines.append([["收款"], [TWO_DIGIT[(i * 17 + 5) % 90], "点", others[7], d, "美元"]])
    for d in DIGITS:
        lines.append([["收款"], [two_digit(20 + DIGITS.index(d)) if d != "一" else "十二", "元", d + "角", chance.choice(DIGITS) + "分"]])
        lines.append([["收款"], [chance.choice(DIGITS) + "百", "元", "零" + d + "分"]])
        lines.append([["收款"], [chance.choice(DIGITS), "元", d + "角"]])
        lines.append([["收款"], [d + "分"]])
        lines.append([["尾号"], ["幺", d, "幺"]])
    for words in (["负", "六十五", "元"], ["负", "三", "点", "二"], ["两", "元", "整"], ["八百", "元", "整"], ["六", "元", "整"],
                  ["百分之", "三十五"], ["百分之", "六", "点", "二"], ["第", "三"], ["第", "二十六"], ["十", "三", "百", "六", "千"]):
        lines.append([["收款"], words])
    return lines


def time_lines():
    """Hours with 整 and 半 whole, hours before minutes; hours above twelve are made of their parts."""
    lines = []
    hours = ["零", "一", "两"] + list(DIGITS[2:]) + TWO_DIGIT[:3]
    periods = ["凌晨", "早上", "上午", "中午", "下午", "晚上"]
    for i, hour in enumerate(hours):
        lines.append([["现在是"], [periods[i % 6], hour + "点整"]])
        lines.append([["现在是"], [periods[(i + 2) % 6], hour + "点半"]])
        lines.append([["现在是"], [periods[(i + 4) % 6], hour + "点", TWO_DIGIT[(i * 7) % 50], "分"]])
    lines.append([["现在是"], ["六点", "零五分"]])
    lines.append([["现在是"], ["二十", "点", "整"]])
    lines.append([["现在是"], ["十八", "点", "半"]])
    return lines


BRANDS = ["微信", "支付宝", "云闪付", "美团", "饿了么", "抖音", "京东"]
CURRENCIES = ["美元", "欧元", "英镑", "日元", "港元", "澳元", "加元", "新加坡元", "新台币", "韩元", "泰铢", "澳门元"]
MINOR = ["美分", "欧分", "便士"]


def phrase_lines():
    """The sentences of Sources/Announcing/Phrases, whole where they are fixed, and their words apart."""
    lines = []
    for brand in BRANDS:
        lines.append([[brand + "收款"], ["六十五元"]])
        lines.append([[brand + "退款"], ["六十五元"]])
        lines.append([[brand, "您有新的订单"]])
    for fixed in ("收款", "退款", "收到一笔付款", "离线期间", "提醒您", "收到"):
        lines.append([[fixed], ["六十五元"]])
    for fixed in ("退款一笔", "您有新的订单", "您有新的申请", "有人呼叫", "您有新的提醒", "一条新消息", "提交了申请", "请假申请",
                  "已通过", "您有新的", "提交了", "提醒", "新订单", "新消息", "申请"):
        lines.append([[fixed]])
    for n in "两三四五六七八九十":
        lines.append([["收到", n + "笔付款"], ["共", "六十五元"]])
    for n in ("三", "六"):
        lines += [[["收到", n, "笔", "付款"], ["共", "八十元"]], [["退款", n, "笔"], ["共", "八十元"]], [["退款", n + "笔"]],
                  [[n, "个新订单"]], [[n, "条新消息"]], [[n, "个", "新订单"]], [[n, "条", "新消息"]],
                  [[n, "床呼叫"]], [["二十" + n, "床呼叫"]], [[n, "床", "呼叫"]], [["有人", "呼叫"]]]
    return lines


def word_lines():
    """Other currencies, dates and spans of time."""
    lines = []
    for i, name in enumerate(CURRENCIES + MINOR):
        lines.append([[HEAD], [TWO_DIGIT[(i * 13 + 7) % 90], name]])
    for i, name in enumerate(("周", "天", "小时", "分钟", "秒", "号")):
        lines.append([["一共"], [DIGITS[i + 2], name]])
    lines.append([["日期"], ["二", "零", "二", "六", "年", "十一", "月", "三十", "日"]])
    lines.append([["日期"], ["三", "月", "二十五", "日"]])
    return lines


def all_lines():
    return amount_lines() + number_lines() + time_lines() + phrase_lines() + word_lines()
