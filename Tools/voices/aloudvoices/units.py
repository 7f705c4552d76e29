"""From takes to clips: cut, measure, choose. A clip is chosen among its takes as the one most like all of them.

An engine's odd takes (a swallowed digit, a wrong tone, a trailing vowel) lie far from the others, so the medoid is
the safe one; closeness of the ends to what usually stands beside them is the join cost."""
import functools

import numpy as np
from scipy import fft

from . import dsp

SHAPE_FRAMES = 12


@functools.lru_cache(maxsize=None)
def mel_bank(rate, size, bands=26, low=100.0, high=8000.0):
    """Triangular filters, equally spaced in mel."""
    to_mel = lambda f: 2595 * np.log10(1 + f / 700)
    edges = 700 * (10 ** (np.linspace(to_mel(low), to_mel(high), bands + 2) / 2595) - 1)
    bins = np.fft.rfftfreq(size, 1 / rate)
    up = (bins[None] - edges[:-2, None]) / (edges[1:-1] - edges[:-2])[:, None]
    down = (edges[2:, None] - bins[None]) / (edges[2:] - edges[1:-1])[:, None]
    return np.maximum(0, np.minimum(up, down))


def mfcc(samples, rate, count=13):
    """Cepstra 1…count of 25 ms frames every 10 ms (the level itself is left out)."""
    size = rate // 40
    padded = np.pad(samples, size // 2)
    block = dsp.frames(padded, size, rate // 100) * np.hanning(size)
    width = 1 << (size - 1).bit_length()
    power = np.abs(np.fft.rfft(block, width)) ** 2
    bands = np.log(power @ mel_bank(rate, width).T + 1e-7)
    return fft.dct(bands, norm="ortho", axis=1)[:, 1:count + 1]


def pitch(samples, rate, low=70.0, high=420.0):
    """Hz for each 10 ms, 0 where there is no clear period (normalised autocorrelation under 0.5)."""
    size = rate // 25
    block = dsp.frames(np.pad(samples, size // 2), size, rate // 100)
    block = block - block.mean(1, keepdims=True)
    spectrum = np.abs(np.fft.rfft(block * np.hanning(size), 4 * size)) ** 2
    auto = np.fft.irfft(spectrum)[:, :size]
    window = np.fft.irfft(np.abs(np.fft.rfft(np.hanning(size), 4 * size)) ** 2)[:size]
    auto = auto / (auto[:, :1] + 1e-12) / (window / window[0] + 1e-3)
    short, long_ = int(rate / high), int(rate / low)
    part = auto[:, short:long_]
    best = part.argmax(1)
    voiced = (part.max(1) > 0.5) & (dsp.rms(block) > 0.05 * dsp.rms(block).max())
    return np.where(voiced, rate / (best + short), 0.0)


class Take:
    """One spoken unit with its surroundings and measures."""

    def __init__(self, unit, before, after, samples, rate):
        self.unit, self.before, self.after = unit, before, after
        self.samples, self.rate = samples, rate
        self.seconds = len(samples) / rate

    @functools.cached_property
    def shape(self):
        """Cepstra stretched to a fixed number of frames."""
        cepstra = mfcc(self.samples, self.rate)
        at = np.linspace(0, len(cepstra) - 1, SHAPE_FRAMES)
        return np.stack([np.interp(at, np.arange(len(cepstra)), column) for column in cepstra.T], 1)

    @functools.cached_property
    def tone(self):
        """The median pitch as log2 Hz, 0 if nothing is voiced."""
        hertz = pitch(self.samples, self.rate)
        voiced = hertz[hertz > 0]
        return float(np.log2(np.median(voiced))) if len(voiced) else 0.0

    def distance(self, other):
        spectral = np.sqrt(np.mean((self.shape - other.shape) ** 2))
        return spectral + 4 * abs(self.tone - other.tone) + 3 * abs(np.log(self.seconds / other.seconds))


def softest(samples, at, rate, reach=0.015):
    """The place near `at` around which 6 ms are softest, places further away counting up to half as much again."""
    half, far = int(0.003 * rate), int(reach * rate)
    places = range(max(half, at - far), min(len(samples) - half, at + far + 1), half)
    return min(places, default=at, key=lambda place: float(np.sum(np.square(samples[place - half:place + half])))
               * (1 + abs(place - at) / far / 2))


def cut(samples, span, rate, margin=0.004):
    """From the softest moment near its beginning to the one near its end, with a little around it, less its silence."""
    m = int(margin * rate)
    start = softest(samples, max(0, span[0]), rate)
    end = softest(samples, min(len(samples), span[1]), rate)
    part = np.asarray(samples[max(0, start - m):min(len(samples), end + m)], np.float64)
    start, end = dsp.sounding(part, rate)
    return part[start:end]


def medoid(takes, tone=None):
    """The take nearest to all others; `tone` (log2 Hz) pulls towards one pitch for the whole pack."""
    def cost(take):
        others = sum(take.distance(t) for t in takes) / len(takes)
        return others + (0 if tone is None else 2 * abs(take.tone - tone))
    return min(takes, key=cost)


def finished(samples, rate, loudness, head=dsp.RAMP_SECONDS, tail=dsp.RAMP_SECONDS):
    """Levelled, ramped to digital silence, 16-bit."""
    out = dsp.ramps(dsp.levelled(samples, rate, loudness), rate, head, tail)
    return np.round(np.clip(out, -1, 1) * 32767).astype(np.int16)
