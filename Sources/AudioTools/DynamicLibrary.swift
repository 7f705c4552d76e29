internal import CLinux

/// A C library that is opened when it is first needed and stays open for the life of the process.
struct DynamicLibrary: @unchecked Sendable {
  // Sendable: the handle is only read, and dlsym may be called from any thread.
  private let handle: UnsafeMutableRawPointer
  private let package: String

  /// Opens a library.
  ///
  /// - Parameters:
  ///   - name: The file name with its version, such as `libsndfile.so.1`, which the loader searches for.
  ///   - package: The Debian package that brings it, for the error.
  init(_ name: String, package: String) throws(AudioToolsError) {
    guard let handle = dlopen(name, RTLD_NOW | RTLD_LOCAL) else {
      throw AudioToolsError(
        .missingLibrary, "The library \(name) is not installed; install it with: apt-get install \(package)")
    }
    self.handle = handle
    self.package = package
  }

  /// The function called `name`, whose type the caller takes from the library's header.
  func function<Function>(_ name: String, as type: Function.Type) throws(AudioToolsError) -> Function {
    guard let symbol = dlsym(handle, name) else {
      throw AudioToolsError(.missingLibrary, "The installed version of \(package) has no function \(name).")
    }
    return unsafeBitCast(symbol, to: type)
  }
}
