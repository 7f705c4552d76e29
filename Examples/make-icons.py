#!/usr/bin/env python3
"""Draws the icons of the examples: two PNG files of 1,024 pixels, without an alpha channel, as the App Store wants them.

Usage: Examples/make-icons.py        (Python 3 alone; the same bytes each time)
"""
import math
import pathlib
import struct
import zlib

SIZE = 1024
HERE = pathlib.Path(__file__).parent


def cover(distance):
    """How much of a pixel lies inside an edge that is so far away."""
    return min(1.0, max(0.0, 0.5 - distance))


def mix(under, over, share):
    return tuple(a + (b - a) * share for a, b in zip(under, over))


def stroke(x, y, ax, ay, bx, by, width):
    """The distance to a line with round ends."""
    dx, dy = bx - ax, by - ay
    along = max(0.0, min(1.0, ((x - ax) * dx + (y - ay) * dy) / (dx * dx + dy * dy)))
    return math.hypot(x - ax - along * dx, y - ay - along * dy) - width / 2


def till(x, y):
    """A coin that sounds."""
    colour = mix((12, 110, 84), (8, 74, 66), y / SIZE)
    cx, cy = 400, 512
    far = math.hypot(x - cx, y - cy)
    colour = mix(colour, (250, 204, 92), cover(far - 210))
    colour = mix(colour, (12, 110, 84), cover(abs(far - 160) - 12))
    if x > cx:
        angle = abs(math.atan2(y - cy, x - cx))
        for radius in (300, 390, 480):
            edge = max(abs(far - radius) - 22, (angle - 0.62) * far)
            colour = mix(colour, (255, 255, 255), cover(edge))
    return colour


def clock(x, y):
    """A clock face at ten past ten."""
    colour = mix((36, 60, 128), (22, 34, 84), y / SIZE)
    far = math.hypot(x - 512, y - 512)
    colour = mix(colour, (255, 255, 255), cover(far - 360))
    for hour in range(12):
        angle = hour * math.pi / 6
        sx, sy = math.sin(angle), -math.cos(angle)
        mark = stroke(x, y, 512 + 290 * sx, 512 + 290 * sy, 512 + 322 * sx, 512 + 322 * sy, 26)
        colour = mix(colour, (36, 60, 128), cover(mark))
    for turns, length, width in ((10 / 12 + 1 / 72, 180, 46), (1 / 6, 258, 32)):
        angle = turns * 2 * math.pi
        hand = stroke(x, y, 512, 512, 512 + length * math.sin(angle), 512 - length * math.cos(angle), width)
        colour = mix(colour, (22, 34, 84), cover(hand))
    return mix(colour, (240, 120, 60), cover(far - 34))


def write(path, draw):
    rows = bytearray()
    for y in range(SIZE):
        rows.append(0)
        for x in range(SIZE):
            rows += bytes(round(channel) for channel in draw(x + 0.5, y + 0.5))

    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    header = struct.pack(">IIBBBBB", SIZE, SIZE, 8, 2, 0, 0, 0)
    path.write_bytes(
        b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(bytes(rows), 9)) + chunk(b"IEND", b"")
    )


write(HERE / "Till/Till/Assets.xcassets/AppIcon.appiconset/icon.png", till)
write(HERE / "TalkingClock/TalkingClock/Assets.xcassets/AppIcon.appiconset/icon.png", clock)
