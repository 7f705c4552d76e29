internal import Glibc

/// Levels.
enum Decibels {
  /// A fraction of full scale in decibels; -120 for silence.
  static func of(_ fraction: Double) -> Double { fraction > 1e-6 ? 20 * log10(fraction) : -120 }
}
