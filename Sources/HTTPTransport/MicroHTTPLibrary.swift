internal import CMicroHTTPD

/// libmicrohttpd, loaded once in the life of the program and never unloaded.
final class MicroHTTPLibrary: @unchecked Sendable {
  // Sendable: the table is filled in init and only read afterwards.
  let table: UnsafePointer<mhd_library>

  /// The library, or why it cannot be had.
  ///
  /// Loading costs about 2.4 ms because GnuTLS comes along.
  static let shared: Result<MicroHTTPLibrary, HTTPServerError> = Result { () throws(HTTPServerError) in
    try MicroHTTPLibrary()
  }

  private init() throws(HTTPServerError) {
    let library = UnsafeMutablePointer<mhd_library>.allocate(capacity: 1)
    library.initialize(to: mhd_library())
    if let words = mhd_load(library) {
      let reason = String(cString: words)
      library.deallocate()
      throw .libraryMissing(name: "libmicrohttpd.so.12", package: "libmicrohttpd12", reason: reason)
    }
    table = UnsafePointer(library)
  }

  /// The version text, for `aloud serve --print-config` and bug reports.
  var version: String { table.pointee.get_version().map { String(cString: $0) } ?? "unknown" }
}
