// Room: libnghttp2, HTTP/2 framing for the APNs client and the sandbox.
#pragma once
#include <nghttp2/nghttp2.h>
