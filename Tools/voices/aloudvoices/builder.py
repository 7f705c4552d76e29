"""From a script and an engine to a pack: the part that is the same for all languages."""
from . import dsp, pack, units
from .takes import NotSpokenYet

MOST = 24  # takes that are compared for one clip
# Kokoro and hibari sound a phoneme this much before the moment that its durations say (seen at the closures of stops and
# affricates in all three languages: their middle lies 45 to 75 ms early).
LEAD_SECONDS = 0.060


def harvest(say, lines, rate):
    """All takes of all groups, by the group's text. say(line) gives samples and (text, before, after, start, end)."""
    found, lead = {}, round(LEAD_SECONDS * rate)
    for line in lines:
        try:
            samples, spans = say(line)
        except NotSpokenYet:
            continue
        for text, before, after, start, end in spans:
            part = units.cut(samples, (max(0, start - lead), end - lead), rate)
            found.setdefault(text, []).append(units.Take(text, before, after, part, rate))
    return found


def clips(found, words, context, wanted):
    """One clip for each text and context.

    words(text): what the clip says; context(take): its variant's context or None; wanted(text): whether it is a clip.
    A text that was only ever spoken in a context gives its best take without one, so that it can be said anywhere."""
    out = []
    for text in sorted(found):
        if not wanted(text):
            continue
        groups = {}
        for take in found[text]:
            where = context(take)
            groups.setdefault(repr(where), (where, []))[1].append(take)
        if "None" not in groups:
            groups = {"None": (None, found[text])}
        for _, (where, takes) in sorted(groups.items(), key=lambda item: item[0] != "None"):
            best = units.medoid(takes[:MOST])
            clip = {"name": text, "words": words(text), "take": best, "rate": best.rate}
            if where:
                clip["context"] = where
            out.append(clip)
    return out


def write(folder, head, clips_, rate, loudness, sentence_loss=1.1):
    """Levels, ramps, resamples and stores; returns sizes and seconds for the log.

    sentence_loss: by how many LU a sentence of clips measures less than they do alone, because BS.1770 counts the falls
    between them; measured for each voice over 200 sentences."""
    for clip in clips_:
        samples = dsp.resampled(clip["take"].samples, clip["rate"], rate)
        clip["samples"] = units.finished(samples, rate, loudness + sentence_loss)
    manifest = dict(head, sampleRate=rate, loudness=loudness)
    json_bytes, caf_bytes = pack.write(folder, manifest, clips_)
    return {"clips": len(clips_), "seconds": round(sum(len(c["samples"]) for c in clips_) / rate, 1),
            "bytes": json_bytes + caf_bytes}
