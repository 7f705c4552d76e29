#!/usr/bin/env python3
"""Joins clips of a voice pack into WAV files, without Swift: for looking at a pack while it is being made.

    join.py PACK LIST OUT

LIST: lines "file name<tab>words" where words are the clip-level words, one space between; "/" is a pause of 150 ms.
Writes OUT/*.wav and OUT/said.tsv. The product joins with `aloud say`; this does the same in the plainest way:
fewest clips, variants whose context fits, clips one after another."""
import json
import os
import struct
import sys
import wave

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "voices"))


class Pack:
    def __init__(self, folder):
        import numpy
        from aloudvoices import ima4
        with open(os.path.join(folder, "pack.json"), encoding="utf-8") as f:
            self.head = json.load(f)
        with open(os.path.join(folder, "clips.caf"), "rb") as f:
            data = f.read()
        at = 8
        while data[at:at + 4] != b"data":
            at += 12 + struct.unpack(">q", data[at + 4:at + 12])[0]
        self.body = data[at + 16:]
        self.rate = self.head["sampleRate"]
        self.by_words = {}
        for name, clip in self.head["clips"].items():
            self.by_words.setdefault(tuple(clip["words"]), []).append(clip)
        self.longest = max(map(len, self.by_words))
        self.cache, self.ima4, self.numpy = {}, ima4, numpy

    def samples(self, place):
        key = (place["start"], place["length"])
        if key not in self.cache:
            if self.head["codec"] == "ima4":
                a, n = key[0] // 64 * 34, key[1] // 64 * 34
                self.cache[key] = self.ima4.decode(self.body[a:a + n])
            else:
                self.cache[key] = self.numpy.frombuffer(self.body[2 * key[0]:2 * (key[0] + key[1])], "<i2")
        return self.cache[key]

    def pick(self, clip, before, after):
        """The variant whose context fits best, or the plain clip."""
        best, score = clip, 0
        for variant in clip.get("variants", []):
            context, points = variant["context"], 0
            for key, word in (("before", before), ("after", after)):
                if key in context:
                    points += 1 if word in context[key] else -9
            if "position" in context:
                points += 1 if context["position"] == ("head" if before is None else "tail" if after is None else "") else -9
            if points > score:
                best, score = variant, points
        return best

    def plan(self, words):
        """Fewest clips that say the words."""
        best = [(0, None, None)] + [(10 ** 6, None, None)] * len(words)
        for end in range(1, len(words) + 1):
            for size in range(1, min(self.longest, end) + 1):
                found = self.by_words.get(tuple(words[end - size:end]))
                if found and best[end - size][0] + 1 < best[end][0]:
                    best[end] = (best[end - size][0] + 1, end - size, found[0])
        out, end = [], len(words)
        if best[end][0] >= 10 ** 6:
            raise KeyError("cannot say %s" % " ".join(words))
        while end:
            _, start, clip = best[end]
            out.insert(0, (start, end, clip))
            end = start
        return out

    def say(self, words, gap=0.0, pause=0.15):
        numpy, parts, breath = self.numpy, [], []
        breaths = []
        for word in words:
            if word == "/":
                breaths.append(breath)
                breath = []
            else:
                breath.append(word)
        breaths.append(breath)
        for k, breath in enumerate(breaths):
            for start, end, clip in self.plan(breath):
                place = self.pick(clip, breath[start - 1] if start else None, breath[end] if end < len(breath) else None)
                if parts:
                    seconds = pause if start == 0 else gap
                    parts.append(numpy.zeros(int(seconds * self.rate), numpy.int16))
                samples = self.samples(place)
                sounding = numpy.nonzero(samples)[0]
                parts.append(samples[sounding[0]:sounding[-1] + 1])
        return numpy.concatenate(parts)


def write_wav(path, samples, rate):
    with wave.open(path, "wb") as f:
        f.setnchannels(1)
        f.setsampwidth(2)
        f.setframerate(rate)
        f.writeframes(samples.astype("<i2").tobytes())


def main():
    folder, listing, out = sys.argv[1:4]
    gap = float(sys.argv[4]) if len(sys.argv) > 4 else 0.0
    pack = Pack(folder)
    os.makedirs(out, exist_ok=True)
    with open(listing, encoding="utf-8") as f, open(os.path.join(out, "said.tsv"), "w", encoding="utf-8") as said:
        for line in f:
            name, words, *rest = line.rstrip("\n").split("\t")
            words = words.split()
            write_wav(os.path.join(out, name), pack.say(words, gap), pack.rate)
            said.write("\t".join([name, " ".join(w for w in words if w != "/")] + rest) + "\n")


if __name__ == "__main__":
    main()
