// Room: zlib, to read .ipa archives.
#pragma once
#include <zlib.h>
