"""Speaks the Mandarin script with Kokoro and keeps the takes."""
from . import mandarin
from .kokoro import Kokoro
from .takes import TakeStore

STYLE = "jm_kumo"
STYLE_LENGTH = 40
LEAST = {1: 0.28, 2: 0.42, 3: 0.56, 4: 0.72}

READINGS = {
    # brands and phrases of Sources/Announcing/Phrases
    "支付宝": "zhi1 fu4 bao3", "微信": "wei1 xin4", "云闪付": "yun2 shan3 fu4", "美团": "mei3 tuan2",
    "饿了么": "e4 le5 me5", "抖音": "dou3 yin1", "京东": "jing1 dong1", "到账": "dao4 zhang4", "收款": "shou1 kuan3",
    "付款": "fu4 kuan3", "退款": "tui4 kuan3", "提现": "ti2 xian4", "收到": "shou1 dao4", "现在是": "xian4 zai4 shi4",
    "尾号": "wei3 hao4", "一共": "yi2 gong4", "日期": "ri4 qi1", "订单": "ding4 dan1", "您有新的": "nin2 you3 xin1 de5", "新订单": "xin1 ding4 dan1",
    "新消息": "xin1 xiao1 xi5", "提交了": "ti2 jiao1 le5", "申请": "shen1 qing3", "请假": "qing3 jia4",
    "已通过": "yi3 tong1 guo4", "床": "chuang2", "呼叫": "hu1 jiao4", "有人": "you3 ren2", "提醒您": "ti2 xing3 nin2",
    "提醒": "ti2 xing3", "离线期间": "li2 xian4 qi1 jian1", "笔": "bi3", "个": "ge4", "条": "tiao2", "共": "gong4",
    "一笔": "yi4 bi3", "一条": "yi4 tiao2",
    # the clock, dates and spans
    "上午": "shang4 wu3", "下午": "xia4 wu3", "中午": "zhong1 wu3", "早上": "zao3 shang5", "晚上": "wan3 shang5",
    "凌晨": "ling2 chen2", "傍晚": "bang4 wan3", "夜里": "ye4 li5", "早晨": "zao3 chen2", "清晨": "qing1 chen2",
    "年": "nian2", "月": "yue4", "日": "ri4", "周": "zhou1", "天": "tian1", "小时": "xiao3 shi2", "分钟": "fen1 zhong1",
    "秒": "miao3", "号": "hao4", "百分之": "bai3 fen1 zhi1",
    # money
    "美元": "mei3 yuan2", "美分": "mei3 fen1", "欧元": "ou1 yuan2", "欧分": "ou1 fen1", "英镑": "ying1 bang4",
    "便士": "bian4 shi4", "日元": "ri4 yuan2", "港元": "gang3 yuan2", "澳元": "ao4 yuan2", "加元": "jia1 yuan2",
    "新加坡元": "xin1 jia1 po1 yuan2", "新台币": "xin1 tai2 bi4", "韩元": "han2 yuan2", "泰铢": "tai4 zhu1",
    "林吉特": "lin2 ji2 te4", "越南盾": "yue4 nan2 dun4", "印尼盾": "yin4 ni2 dun4", "澳门元": "ao4 men2 yuan2",
    "瑞士法郎": "rui4 shi4 fa3 lang2", "印度卢比": "yin4 du4 lu2 bi3", "卢布": "lu2 bu4",
    "新西兰元": "xin1 xi1 lan2 yuan2", "菲律宾比索": "fei1 lv4 bin1 bi3 suo3", "阿联酋迪拉姆": "a1 lian2 qiu2 di2 la1 mu3",
    # one and a measure word, where nothing stands before it
    "=一元": "yi4 yuan2", "=一角": "yi4 jiao3", "=一分": "yi4 fen1",
}


class MandarinTakes:
    """Lines in, sound out; a line that was said before is read from the disk."""

    def __init__(self, folder, readings=READINGS, speed=0.88, cached_only=False):
        self.store = TakeStore(folder, cached_only)
        self.readings = readings
        self.speed = speed
        self.engine = None

    def say(self, line, stretch=True, speed=None, style_length=STYLE_LENGTH):
        """Returns the samples and a list of (group, previous, next, first sample, last sample)."""
        groups, texts, least = [], [], []

        def put(phonemes, text, seconds=0):
            groups.append(phonemes)
            texts.append(text)
            least.append(seconds)

        for b, breath in enumerate(line):
            if b:
                put(", ", None)
            for i, (text, syllables) in enumerate(zip(breath, mandarin.breath(breath, self.readings))):
                if i:
                    put(" ", None)
                put(mandarin.kokoro_phonemes(syllables), text, LEAST.get(len(syllables), 0) if stretch else 0)
        put(".", None)
        least = least if any(least) else None
        speed = speed or self.speed

        def make():
            self.engine = self.engine or Kokoro(STYLE)
            return self.engine.speak(groups, speed, style_length, least)

        samples, spans = self.store.get([STYLE, groups, speed, style_length, least], make)
        order = [[t for t in breath] for breath in line]
        out, k = [], 0
        spoken = [s for t, s in zip(texts, spans) if t]
        for breath in order:
            for i, text in enumerate(breath):
                out.append((text, breath[i - 1] if i else None, breath[i + 1] if i + 1 < len(breath) else None,
                            *spoken[k]))
                k += 1
        return samples, out
