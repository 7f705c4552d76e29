// The part of libIndexStore's stable C interface that the lint reads. Every swift.org toolchain ships the library, beside the compiler
// and not where a linker looks; so it is opened at run time. Own declarations after indexstore/indexstore.h of the toolchain.
#pragma once
#include <dlfcn.h>
#include <stdbool.h>
#include <stddef.h>

typedef struct {
  const char *data;
  size_t length;
} index_text;

typedef struct {
  void *(*store_create)(const char *path, void **error);
  void (*store_dispose)(void *store);
  bool (*store_units)(void *store, unsigned sorted, void *context, bool (*applier)(void *context, index_text name));
  void *(*unit_create)(void *store, const char *name, void **error);
  void (*unit_dispose)(void *unit);
  index_text (*unit_main_file)(void *unit);
  index_text (*unit_working_folder)(void *unit);
  bool (*unit_dependencies)(void *unit, void *context, bool (*applier)(void *context, void *dependency));
  int (*dependency_kind)(void *dependency);
  index_text (*dependency_name)(void *dependency);
  index_text (*dependency_path)(void *dependency);
  void *(*record_create)(void *store, const char *name, void **error);
  void (*record_dispose)(void *record);
  bool (*record_occurrences)(void *record, void *context, bool (*applier)(void *context, void *occurrence));
  void *(*occurrence_symbol)(void *occurrence);
  unsigned long long (*occurrence_roles)(void *occurrence);
  void (*occurrence_place)(void *occurrence, unsigned *line, unsigned *column);
  index_text (*symbol_name)(void *symbol);
  index_text (*symbol_usr)(void *symbol);
  void (*error_dispose)(void *error);
} index_library;

/// Fills `library`; returns false when the library or one of its functions is missing.
static inline bool index_library_open(const char *path, index_library *library) {
  void *handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (!handle) return false;
  bool complete = true;
#define INDEX_BIND(field, name)                         \
  *(void **)(&library->field) = dlsym(handle, name);    \
  complete = complete && library->field != NULL;
  INDEX_BIND(store_create, "indexstore_store_create")
  INDEX_BIND(store_dispose, "indexstore_store_dispose")
  INDEX_BIND(store_units, "indexstore_store_units_apply_f")
  INDEX_BIND(unit_create, "indexstore_unit_reader_create")
  INDEX_BIND(unit_dispose, "indexstore_unit_reader_dispose")
  INDEX_BIND(unit_main_file, "indexstore_unit_reader_get_main_file")
  INDEX_BIND(unit_working_folder, "indexstore_unit_reader_get_working_dir")
  INDEX_BIND(unit_dependencies, "indexstore_unit_reader_dependencies_apply_f")
  INDEX_BIND(dependency_kind, "indexstore_unit_dependency_get_kind")
  INDEX_BIND(dependency_name, "indexstore_unit_dependency_get_name")
  INDEX_BIND(dependency_path, "indexstore_unit_dependency_get_filepath")
  INDEX_BIND(record_create, "indexstore_record_reader_create")
  INDEX_BIND(record_dispose, "indexstore_record_reader_dispose")
  INDEX_BIND(record_occurrences, "indexstore_record_reader_occurrences_apply_f")
  INDEX_BIND(occurrence_symbol, "indexstore_occurrence_get_symbol")
  INDEX_BIND(occurrence_roles, "indexstore_occurrence_get_roles")
  INDEX_BIND(occurrence_place, "indexstore_occurrence_get_line_col")
  INDEX_BIND(symbol_name, "indexstore_symbol_get_name")
  INDEX_BIND(symbol_usr, "indexstore_symbol_get_usr")
  INDEX_BIND(error_dispose, "indexstore_error_dispose")
#undef INDEX_BIND
  return complete;
}
