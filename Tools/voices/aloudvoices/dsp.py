"""Small signal tools: silence trimming, K-weighted level, peak limiting, measures of pitch and spectrum."""
import math

import numpy as np
from scipy import signal
from scipy.ndimage import minimum_filter1d, uniform_filter1d

TRIM_DB = 38.0  # under the loudest 5 ms
KEEP_SECONDS = 0.012
RAMP_SECONDS = 0.005


def frames(samples, size, step=None):
    step = step or size
    count = max(0, (len(samples) - size) // step + 1)
    index = np.arange(size)[None, :] + step * np.arange(count)[:, None]
    return samples[index]


def rms(block, axis=-1):
    return np.sqrt(np.mean(np.square(block), axis=axis) + 1e-20)


def sounding(samples, rate, db=TRIM_DB, keep=KEEP_SECONDS):
    """First and last sample of what is louder than `db` under the loudest 5 ms, with a little kept around it."""
    size = rate // 200
    level = rms(frames(samples, size))
    loud = np.where(level > level.max() * 10 ** (-db / 20))[0]
    margin = int(keep * rate)
    return max(0, loud[0] * size - margin), min(len(samples), (loud[-1] + 1) * size + margin)


def ramps(samples, rate, head=RAMP_SECONDS, tail=RAMP_SECONDS):
    """Raised-cosine ramps at both ends, so that a joint never clicks."""
    out = np.array(samples, np.float64)
    for seconds, part, reverse in ((head, slice(None), False), (tail, slice(None), True)):
        size = min(int(seconds * rate), len(out) // 2)
        if size < 2:
            continue
        ramp = 0.5 - 0.5 * np.cos(np.pi * (np.arange(size) + 0.5) / size)
        if reverse:
            out[-size:] *= ramp[::-1]
        else:
            out[:size] *= ramp
    return out


def k_weighted(samples, rate):
    """ITU-R BS.1770-4 K weighting: the shelf and the high-pass, designed for this rate from the analogue forms."""
    out = np.asarray(samples, np.float64)
    for kind, f0, q, gain in (("shelf", 1681.974450955533, 0.7071752369554196, 3.999843853973347),
                              ("high", 38.13547087602444, 0.5003270373238773, 0.0)):
        k = np.tan(np.pi * f0 / rate)
        if kind == "shelf":
            vh = 10 ** (gain / 20)
            vb = vh ** 0.4996667741545416
            a0 = 1 + k / q + k * k
            b = [(vh + vb * k / q + k * k) / a0, 2 * (k * k - vh) / a0, (vh - vb * k / q + k * k) / a0]
        else:
            a0 = 1 + k / q + k * k
            b = [1.0, -2.0, 1.0]
        a = [1, 2 * (k * k - 1) / a0, (1 - k / q + k * k) / a0]
        out = signal.lfilter(b, a, out)
    return out


def integrated_lufs(samples, rate):
    """Gated integrated loudness (BS.1770-4) of a mono signal; -inf for silence."""
    block, step = int(0.4 * rate), int(0.1 * rate)
    weighted = k_weighted(samples, rate)
    if len(weighted) < block:
        weighted = np.pad(weighted, (0, block - len(weighted)))
    power = np.mean(np.square(frames(weighted, block, step)), axis=1)
    loud = power[-0.691 + 10 * np.log10(power + 1e-20) > -70]
    if not len(loud):
        return -np.inf
    gate = -0.691 + 10 * np.log10(loud.mean()) - 10
    loud = loud[-0.691 + 10 * np.log10(loud) > gate]
    return -0.691 + 10 * np.log10(loud.mean())


def active_lufs(samples, rate):
    """Loudness of the sounding parts of a clip too short for the 400 ms blocks of BS.1770."""
    weighted = k_weighted(np.pad(samples, rate // 10), rate)
    size = rate // 100
    power = np.mean(np.square(frames(weighted, size)), axis=1)
    loud = power[power > power.max() * 10 ** (-20 / 10)]
    return -0.691 + 10 * np.log10(loud.mean())


def limited(samples, rate, ceiling_db=-2.7):
    """Look-ahead limiter: the gain falls before a peak and comes back over 60 ms; no sample above the ceiling."""
    ceiling = 10 ** (ceiling_db / 20)
    need = np.minimum(1.0, ceiling / np.maximum(np.abs(samples), 1e-9))
    look = int(0.004 * rate) | 1
    held = minimum_filter1d(need, 2 * look + 1, mode="nearest")
    # Rising by one step a sample at most is the running minimum of what is held, seen along that slope.
    slope = np.arange(len(held)) / (0.06 * rate)
    released = np.minimum.accumulate(held - slope) + slope
    smooth = uniform_filter1d(released, look, mode="nearest")
    return np.clip(samples * smooth, -ceiling, ceiling)


def levelled(samples, rate, target, rounds=3):
    """Bring a clip to one loudness, keeping its peaks under the ceiling."""
    out = np.asarray(samples, np.float64)
    for _ in range(rounds):
        out = limited(out * 10 ** ((target - active_lufs(out, rate)) / 20), rate)
    return out


def resampled(samples, rate, wanted):
    """Polyphase resampling between whole rates."""
    if rate == wanted:
        return samples
    common = math.gcd(rate, wanted)
    return signal.resample_poly(samples, wanted // common, rate // common)
