// Room: libmicrohttpd's declarations. The library is loaded on demand (docs/decisions/0003-libraries-on-demand.md), never linked.
#pragma once
#include <microhttpd.h>
