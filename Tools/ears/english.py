#!/usr/bin/env python3
"""Does a recogniser hear the English amounts that were joined? pocketsphinx with a closed grammar.

    english.py FOLDER [--least 26] [--show]

FOLDER holds WAV files and `said.tsv`: file name, tab, the words that it says (one space between words).
The grammar takes every amount up to 999 999 in five currencies, so a recogniser that hears nothing clearly will be
wrong. A file counts only when the whole word sequence is heard exactly.
Needs only Debian's packages: pocketsphinx, pocketsphinx-en-us, sox, python3. Ends with 1 under the least score."""
import argparse
import os
import shutil
import subprocess
import sys
import tempfile

MODEL = "/usr/share/pocketsphinx/model/en-us"
MONEY = [("dollars", "cents"), ("euros", "cents"), ("pounds", "pence"), ("yuan", "fen"), ("rupees", "paise")]
SINGULAR = {"dollars": "dollar", "euros": "euro", "pounds": "pound", "rupees": "rupee",
            "cents": "cent", "pence": "penny", "paise": "paisa"}
DIGITS = "one two three four five six seven eight nine".split()
TEENS = "ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen".split()
TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split()
EXTRA_WORDS = {"yuan": "Y UW AA N", "yuan(2)": "Y UW EH N", "fen": "F EH N", "paise": "P AY S AH", "paisa": "P AY S AH",
               "rupee": "R UW P IY", "rupees": "R UW P IY Z", "alipay": "AE L IY P EY", "wechat": "W IY CH AE T",
               "paypal": "P EY P AE L", "phonepe": "F OW N P EY", "paytm": "P EY T IY EH M"}


def grammar(heads):
    """JSGF: one of the heads (what the sentences say before the amount), then an amount in one of the currencies."""
    def bar(choices):
        return " | ".join(choices)

    def both(unit):
        return "(%s)" % bar(sorted({unit, SINGULAR.get(unit, unit)}))

    money = []
    for major, minor in MONEY:
        money.append("<number> [point <figure> [<figure>]] %s" % both(major))
        money.append("<number> %s and <under> %s" % (both(major), both(minor)))
        money.append("<under> %s" % both(minor))
    return "\n".join([
        "#JSGF V1.0;", "grammar amount;",
        "public <said> = [<head>] <money>;" if heads else "public <said> = <money>;",
        "<head> = %s;" % bar(sorted(heads)) if heads else "",
        "<money> = %s;" % bar(money),
        "<figure> = zero | <digit>;",
        "<digit> = %s;" % bar(DIGITS),
        "<under> = %s | (%s) [<digit>] | <digit>;" % (bar(TEENS), bar(TENS)),
        "<below> = <digit> hundred [and] [<under>] | <under>;",
        "<number> = zero | <below> thousand [and] [<below>] | <below>;", ""])


def read_list(folder):
    with open(os.path.join(folder, "said.tsv"), encoding="utf-8") as f:
        rows = [line.rstrip("\n").split("\t")[:2] for line in f if line.strip()]
    return [(name, words.lower().replace("-", " ").replace(",", "").split()) for name, words in rows]


def head_of(words):
    """The words before the first number word."""
    numbers = set(DIGITS + TEENS + TENS + ["zero", "minus"])
    at = next((i for i, w in enumerate(words) if w in numbers), 0)
    return " ".join(words[:at])


def hear(folder, rows, scratch):
    """The word sequences that pocketsphinx hears, in the order of the rows."""
    heads = {head_of(words) for _, words in rows} - {""}
    with open(os.path.join(scratch, "g.jsgf"), "w") as f:
        f.write(grammar(heads))
    with open(os.path.join(MODEL, "..", "..", "model", "en-us", "cmudict-en-us.dict"), encoding="utf-8") as f:
        dictionary = f.read().rstrip("\n")
    known = {line.split(" ", 1)[0] for line in dictionary.split("\n")}
    extra = ["%s %s" % (w, p) for w, p in EXTRA_WORDS.items() if w not in known]
    with open(os.path.join(scratch, "d.dict"), "w") as f:
        f.write("\n".join([dictionary] + extra) + "\n")
    for i, (name, _) in enumerate(rows):
        subprocess.run(["sox", os.path.join(folder, name), "-r", "16000", "-b", "16", "-c", "1",
                        os.path.join(scratch, "%04d.wav" % i), "gain", "-3", "pad", "0.25", "0.25"],
                       check=True, stderr=subprocess.DEVNULL)
    with open(os.path.join(scratch, "list"), "w") as f:
        f.write("".join("%04d\n" % i for i in range(len(rows))))
    subprocess.run(
        ["pocketsphinx_batch", "-adcin", "yes", "-adchdr", "44", "-cepdir", scratch, "-cepext", ".wav",
         "-ctl", os.path.join(scratch, "list"), "-hyp", os.path.join(scratch, "heard"),
         "-hmm", os.path.join(MODEL, "en-us"), "-dict", os.path.join(scratch, "d.dict"),
         "-jsgf", os.path.join(scratch, "g.jsgf"), "-beam", "1e-80", "-wbeam", "1e-60", "-pbeam", "1e-80"],
        check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    heard = {}
    with open(os.path.join(scratch, "heard")) as f:
        for line in f:
            text, _, tail = line.rpartition("(")
            heard[int(tail.split()[0])] = text.split()
    return [heard.get(i, []) for i in range(len(rows))]


def main():
    parser = argparse.ArgumentParser(description="English amounts read back by pocketsphinx with a closed grammar")
    parser.add_argument("folder")
    parser.add_argument("--least", type=int, default=26, help="how many files must be heard exactly (default 26)")
    parser.add_argument("--show", action="store_true", help="print what was misheard")
    options = parser.parse_args()
    for program in ("pocketsphinx_batch", "sox"):
        if not shutil.which(program):
            sys.exit("%s is missing: apt-get install pocketsphinx pocketsphinx-en-us sox" % program)
    rows = read_list(options.folder)
    with tempfile.TemporaryDirectory() as scratch:
        heard = hear(options.folder, rows, scratch)
    exact = 0
    for (name, words), got in zip(rows, heard):
        got = [w.split("(")[0] for w in got]
        exact += got == words
        if options.show and got != words:
            print("%s: said %s | heard %s" % (name, " ".join(words), " ".join(got)))
    print("English: %d of %d heard exactly (at least %d asked)" % (exact, len(rows), options.least))
    sys.exit(0 if exact >= options.least else 1)


if __name__ == "__main__":
    main()
