// Room: the allocator of the program. Linked, it stands in for malloc and free everywhere, also in Swift's runtime and in the C libraries.
#pragma once
#include <mimalloc.h>
