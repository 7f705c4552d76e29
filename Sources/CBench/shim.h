// Room: C types that the benches need to call libraries found at run time.
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// ICU4C, found at run time: unum.h with the version suffix of the library.
typedef void *(*bench_unum_open)(int style, const uint16_t *pattern, int32_t length, const char *locale, void *where,
                                 int *status);
typedef int32_t (*bench_unum_format)(const void *format, int64_t number, uint16_t *result, int32_t length, void *field,
                                     int *status);
typedef void (*bench_unum_close)(void *format);

typedef void (*bench_void_function)(void);

/// A symbol of an old version in a library that is loaded already; dlvsym is hidden without _GNU_SOURCE.
static inline bench_void_function bench_versioned_function(void *library, const char *name, const char *version) {
  extern void *dlvsym(void *, const char *, const char *);
  return (bench_void_function)dlvsym(library, name, version);
}
