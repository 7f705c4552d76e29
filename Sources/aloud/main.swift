import AloudCommand

#if canImport(CMimalloc)
  internal import CMimalloc

  // What one task allocates another thread often frees, which is where glibc's allocator is slow and this one is not. The linker leaves
  // out a library of which nothing is used.
  _ = mi_version()
#endif

AloudCommand.main(arguments: Array(CommandLine.arguments.dropFirst()))
