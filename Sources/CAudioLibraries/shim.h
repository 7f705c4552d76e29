// Room: declarations of libsndfile, soxr and ebur128, for the tools only. Loaded on demand
// (docs/decisions/0003-libraries-on-demand.md), never linked, and never in what the phone links.
#pragma once
#include <ebur128.h>
#include <sndfile.h>
#include <soxr.h>
