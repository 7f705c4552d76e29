internal import CLinux

/// The live clock, for the default of parameters that tests replace.
package enum SystemTime {
  /// Seconds since 1970-01-01 UTC.
  package static func unixSeconds() -> Double { linux_unix_seconds() }
}
