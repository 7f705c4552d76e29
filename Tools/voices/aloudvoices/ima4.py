"""Apple's IMA4: packets of 34 bytes for 64 frames, encoded for many clips at once.

Every clip ends "state-neutral": after its last sound come enough packets of silence that the predictor and the
step index are back at 0. The packets of two such clips may then follow one another in one file without decoding,
whether a decoder reads the state from each packet's head or carries its own."""
import numpy as np

STEPS = np.array([
    7, 8, 9, 10, 11, 12, 13, 14, 16, 17, 19, 21, 23, 25, 28, 31, 34, 37, 41, 45, 50, 55, 60, 66, 73, 80, 88, 97, 107,
    118, 130, 143, 157, 173, 190, 209, 230, 253, 279, 307, 337, 371, 408, 449, 494, 544, 598, 658, 724, 796, 876, 963,
    1060, 1166, 1282, 1411, 1552, 1707, 1878, 2066, 2272, 2499, 2749, 3024, 3327, 3660, 4026, 4428, 4871, 5358, 5894,
    6484, 7132, 7845, 8630, 9493, 10442, 11487, 12635, 13899, 15289, 16818, 18500, 20350, 22385, 24623, 27086, 29794,
    32767], np.int64)
CHANGE = np.array([-1, -1, -1, -1, 2, 4, 6, 8] * 2, np.int64)
PACKET_FRAMES, PACKET_BYTES = 64, 34


def encode_all(clips):
    """clips: list of int16 arrays. Returns for each the packets (bytes), the last ones silent until state 0."""
    lengths = [-(-len(c) // PACKET_FRAMES) for c in clips]
    packets = max(lengths) + 4
    sound = np.zeros((len(clips), packets * PACKET_FRAMES), np.int64)
    for row, clip in zip(sound, clips):
        row[:len(clip)] = clip
    predictor = np.zeros(len(clips), np.int64)
    index = np.zeros(len(clips), np.int64)
    out = np.zeros((len(clips), packets, PACKET_BYTES), np.uint8)
    done = np.zeros(len(clips), np.int64)
    for p in range(packets):
        neutral = (predictor == 0) & (index == 0) & (p >= np.array(lengths)) & (done == 0)
        done[neutral] = p
        # Rounded, so that a decoder that takes every head as it stands is off by 64 at most.
        head = (np.minimum(32640, predictor + 64 & ~0x7F) & 0xFF80) | index
        out[:, p, 0], out[:, p, 1] = (head >> 8) & 0xFF, head & 0xFF
        for k in range(PACKET_FRAMES):
            step = STEPS[index]
            rest = sound[:, p * PACKET_FRAMES + k] - predictor
            sign = rest < 0
            rest = np.abs(rest)
            change = step >> 3
            code = np.zeros_like(rest)
            for bit in (4, 2, 1):
                hit = rest >= step
                code += bit * hit
                rest = rest - step * hit
                change = change + step * hit
                step = step >> 1
            predictor = np.clip(predictor + np.where(sign, -change, change), -32768, 32767)
            code = code | (8 * sign)
            index = np.clip(index + CHANGE[code], 0, 88)
            at = 2 + k // 2
            out[:, p, at] |= (code << (4 * (k % 2))).astype(np.uint8)
    neutral = (predictor == 0) & (index == 0) & (done == 0)
    done[neutral] = packets
    if (done == 0).any():
        raise RuntimeError("a clip does not come back to state 0")
    return [out[i, :done[i]].tobytes() for i in range(len(clips))]


def decode(data):
    """The decoder that carries its own state (as the first packet's head says), for checks."""
    blob = np.frombuffer(data, np.uint8).reshape(-1, PACKET_BYTES)
    predictor = index = 0
    out = np.empty(len(blob) * PACKET_FRAMES, np.int16)
    n = 0
    for packet in blob:
        for byte in packet[2:].tolist():
            for code in (byte & 15, byte >> 4):
                step = int(STEPS[index])
                change = step >> 3
                if code & 4:
                    change += step
                if code & 2:
                    change += step >> 1
                if code & 1:
                    change += step >> 2
                predictor = max(-32768, min(32767, predictor - change if code & 8 else predictor + change))
                index = max(0, min(88, index + int(CHANGE[code])))
                out[n] = predictor
                n += 1
    return out
