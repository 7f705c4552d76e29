"""python -m aloudvoices zh-CN | en-US | ja --takes FOLDER --out NAME.voicepack"""
import argparse

from . import en_pack, ja_pack, zh_pack

RATE, LOUDNESS = 22050, -16.0


def main():
    parser = argparse.ArgumentParser(description="Render a voice pack")
    parser.add_argument("pack", choices=["zh-CN", "en-US", "ja"])
    parser.add_argument("--takes", required=True, help="folder in which takes are kept")
    parser.add_argument("--out", required=True)
    options = parser.parse_args()
    build = {"zh-CN": zh_pack.build, "en-US": en_pack.build, "ja": ja_pack.build}[options.pack]
    print(options.pack, build(options.out, options.takes, RATE, LOUDNESS))


if __name__ == "__main__":
    main()
