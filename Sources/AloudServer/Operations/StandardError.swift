internal import Glibc

/// Whole lines to file descriptor 2.
package enum StandardError {
  /// Writes all bytes of the text; an error of the descriptor is ignored, for there is nowhere left to report it.
  package static func write(_ text: String) {
    var copy = text
    copy.withUTF8 { bytes in
      var rest = UnsafeRawBufferPointer(bytes)
      while !rest.isEmpty {
        let written = Glibc.write(2, rest.baseAddress, rest.count)
        if written < 0 && errno == EINTR { continue }
        guard written > 0 else { return }
        rest = UnsafeRawBufferPointer(rebasing: rest[written...])
      }
    }
  }
}
