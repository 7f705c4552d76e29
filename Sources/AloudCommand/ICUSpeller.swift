import CBench
import CLinux

/// ICU4C's rule-based number format, loaded at run time: what the reading bench is measured against.
final class ICUSpeller {
  private let format: UnsafeMutableRawPointer
  private let spellOut: bench_unum_format
  private let close: bench_unum_close
  private var buffer = [UInt16](repeating: 0, count: 512)

  /// Opens the spell-out format of `locale`; nil if no ICU of version 60 to 80 is installed.
  init?(locale: String) {
    for version in stride(from: 80, through: 60, by: -1) {
      guard let library = dlopen("libicui18n.so.\(version)", RTLD_NOW) else { continue }
      guard let open = dlsym(library, "unum_open_\(version)"),
        let spell = dlsym(library, "unum_formatInt64_\(version)"),
        let close = dlsym(library, "unum_close_\(version)")
      else { continue }
      var status: Int32 = 0
      // 5 is UNUM_SPELLOUT. The casts name the C signatures of unum.h, which ICU keeps stable.
      let format = unsafeBitCast(open, to: bench_unum_open.self)(5, nil, 0, locale, nil, &status)
      guard let format, status <= 0 else { continue }
      self.format = format
      spellOut = unsafeBitCast(spell, to: bench_unum_format.self)
      self.close = unsafeBitCast(close, to: bench_unum_close.self)
      return
    }
    return nil
  }

  deinit { close(format) }

  /// Spells a whole number; the text stays in the buffer.
  @discardableResult
  func spell(_ number: Int64) -> Int {
    var status: Int32 = 0
    return Int(spellOut(format, number, &buffer, Int32(buffer.count), nil, &status))
  }
}
