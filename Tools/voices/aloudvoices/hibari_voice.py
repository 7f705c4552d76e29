"""hibari (English, Apache-2.0, distilled from Kokoro-82M's af_heart), with its durations opened like Kokoro's."""
import numpy as np

from . import graphs

SAMPLE_RATE = 24000
FRAME = 600  # samples for one unit of duration
CLIPPED = "/Clip_output_0"


class HibariVoice:
    """One loaded model. The noise part is seeded, so that the same line gives the same samples."""

    def __init__(self, threads=1):
        from hibari import Hibari

        self.hibari = Hibari(threads=threads)
        self.session = graphs.opened(self.hibari.model_path, CLIPPED, threads)

    def phonemes(self, text):
        """Phonemes of one word or short phrase, without the engine's end mark."""
        return self.hibari.g2p(text).strip(" .,!?")

    def speak(self, groups, speed=1.0, least=None, seed=7):
        """As Kokoro.speak: samples and, for each group of phonemes, its first and last sample."""
        from hibari import dsp

        tokens, spans = [], []
        for group in groups:
            start = len(tokens)
            tokens += [self.hibari.vocab[c] for c in group if c in self.hibari.vocab]
            spans.append((start, len(tokens)))
        feed = {
            "ids": np.array([[0, *tokens, 0]], np.int64),
            "speed": np.array([speed], np.float32),
            graphs.LEAST: np.zeros(len(tokens) + 2, np.float32),
        }
        if least and any(least):
            natural = np.asarray(self.session.run([graphs.DURATIONS], feed)[0]).ravel()
            floor = graphs.stretched(natural, spans, [s * SAMPLE_RATE / FRAME for s in least])
            feed[graphs.LEAST] = feed[graphs.LEAST] if floor is None else floor
        *spectra, durations = self.session.run(["lh", "theta", "ln", "lr", "phi", "f0", graphs.DURATIONS], feed)
        audio = dsp.synth(*(s[0] for s in spectra), np.random.default_rng(seed))
        edges = np.concatenate([[0], np.cumsum(np.asarray(durations).ravel().astype(int))]) * FRAME
        if abs(edges[-1] - len(audio)) > 2 * FRAME:
            raise RuntimeError("durations (%d samples) do not add up to the audio (%d)" % (edges[-1], len(audio)))
        return audio, [(int(edges[a + 1]), int(edges[b + 1])) for a, b in spans]
