internal import CLinux
internal import Glibc

/// The live clock, for the default of parameters that tests replace.
package enum SystemTime {
  /// Seconds since 1970-01-01 UTC.
  package static func unixSeconds() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
  }
}
