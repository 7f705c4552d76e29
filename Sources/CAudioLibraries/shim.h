// Room: declarations of libsndfile, soxr and ebur128, for the tools only. Loaded on demand
// (docs/decisions/0003-libraries-on-demand.md), never linked, and never in what the phone links.
#pragma once
#include <ebur128.h>
#include <sndfile.h>
#include <soxr.h>

// The types of the functions that are looked up by name, taken from the libraries' own declarations.
typedef __typeof__(sf_open) *audio_sf_open;
typedef __typeof__(sf_readf_float) *audio_sf_readf_float;
typedef __typeof__(sf_strerror) *audio_sf_strerror;
typedef __typeof__(sf_close) *audio_sf_close;
typedef __typeof__(soxr_oneshot) *audio_soxr_oneshot;
typedef __typeof__(soxr_quality_spec) *audio_soxr_quality_spec;
typedef __typeof__(ebur128_init) *audio_ebur128_init;
typedef __typeof__(ebur128_add_frames_float) *audio_ebur128_add_frames_float;
typedef __typeof__(ebur128_loudness_global) *audio_ebur128_loudness_global;
typedef __typeof__(ebur128_destroy) *audio_ebur128_destroy;
