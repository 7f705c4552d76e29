"""Builds Voices/en-US.voicepack with hibari."""
from . import builder, en_script
from .hibari_voice import SAMPLE_RATE, HibariVoice
from .takes import TakeStore

GAP_SECONDS = 0.06  # between words, so that a clip can be cut without its neighbour
SPEED = 1.0
LEAST = {1: 0.28, 2: 0.42}  # seconds of a group of one or two words
SMALL = {"and", "a", "the", "is", "in", "from", "you", "have"}  # words that are short by nature


class EnglishTakes:
    def __init__(self, folder):
        self.store, self.engine, self.sounds = TakeStore(folder), None, {}

    def phonemes(self, text):
        self.engine = self.engine or HibariVoice()
        if text not in self.sounds:
            self.sounds[text] = self.engine.phonemes(text)
        return self.sounds[text]

    def say(self, line, end=".", stretch=True, gap=GAP_SECONDS, speed=SPEED):
        """As MandarinTakes.say."""
        groups, texts, least = [], [], []

        def put(phonemes, text, seconds=0.0):
            groups.append(phonemes)
            texts.append(text)
            least.append(seconds)

        for b, breath in enumerate(line):
            if b:
                put(", ", None)
            for i, text in enumerate(breath):
                if i:
                    put(" ", None, gap)
                put(self.phonemes(text), text, LEAST.get(len(text.split()), 0) if stretch and text not in SMALL else 0)
        put(end, None)

        def make():
            return self.engine.speak(groups, speed, least)

        samples, spans = self.store.get(["hibari-heart", groups, speed, least], make)
        spoken = [s for t, s in zip(texts, spans) if t]
        out, k = [], 0
        for breath in line:
            for i, text in enumerate(breath):
                out.append((text, breath[i - 1] if i else None,
                            breath[i + 1] if i + 1 < len(breath) else None, *spoken[k]))
                k += 1
        return samples, out



HEAD = {
    "format": 1, "id": "aloud-en-US-hibari", "version": "1.0.0", "locale": "en-US",
    "voice": "hibari-tts 0.2.1, voice heart (American English)", "licence": "Apache-2.0",
    "attribution": "Made with hibari by Maureese Williams (Apache-2.0), distilled from Kokoro-82M by hexgrad (Apache-2.0).",
    "pauses": {"between": 0.25, "afterBrand": 0.15, "beforeAmount": 0.2}}

# What only served as surroundings of what is cut.
SURROUNDINGS = {"sixty five dollars", "eighty dollars", "you have"} | {
    brand + " received" for brand in en_script.BRANDS[2:]}


def context(take):
    """Where a take belongs: a last word falls in pitch, all others do not."""
    return {"position": "tail"} if take.after is None and len(take.unit.split()) == 1 else None


def build(folder, takes_folder, rate, loudness):
    takes = EnglishTakes(takes_folder)
    found = builder.harvest(takes.say, en_script.all_lines(), SAMPLE_RATE)
    clips = builder.clips(found, str.split, context, lambda text: text not in SURROUNDINGS)
    return builder.write(folder, HEAD, clips, rate, loudness, 1.4)
