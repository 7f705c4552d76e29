"""Rendering of Aloud's voice packs: engines, takes, clips and the pack writer."""
