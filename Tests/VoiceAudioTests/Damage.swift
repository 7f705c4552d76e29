import TestSupport

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Seeded damage to files, as disks, networks and strangers do it.
///
/// `ALOUD_FUZZ=50 swift test --filter Damage` does fifty times as many rounds, each run with other seeds when
/// `ALOUD_FUZZ_SEED` changes.
enum Damage {
  /// How many rounds a test does that does `rounds` in the ordinary run.
  static func rounds(_ rounds: Int) -> Int { rounds * number("ALOUD_FUZZ", 1) }

  /// The chance for a test; the same in every ordinary run.
  static func chance(_ seed: UInt64) -> SeededChance {
    SeededChance(seed: seed &+ UInt64(number("ALOUD_FUZZ_SEED", 0)) &* 0x1_0001)
  }

  private static func number(_ name: String, _ usual: Int) -> Int {
    getenv(name).flatMap { Int(String(cString: $0)) } ?? usual
  }

  /// Changes, doubles, moves and cuts a few bytes within the first `reach`.
  static func binary(_ whole: [UInt8], reach: Int, _ chance: inout SeededChance) -> [UInt8] {
    var bytes = whole
    for _ in 0..<Int.random(in: 1...4, using: &chance) where !bytes.isEmpty {
      let limit = min(bytes.count, reach)
      let place = Int.random(in: 0..<limit, using: &chance)
      let length = Int.random(in: 0...min(16, bytes.count - place), using: &chance)
      switch Int.random(in: 0..<8, using: &chance) {
      case 0: bytes.removeSubrange(place..<place + length)
      case 1: bytes.insert(contentsOf: bytes[place..<place + length], at: place)
      case 2: bytes.replaceSubrange(place..<place + length, with: [UInt8](repeating: 0xFF, count: length))
      case 3: bytes.replaceSubrange(place..<place + length, with: [UInt8](repeating: 0, count: length))
      default:
        bytes[place] =
          [0, 1, 0x7F, 0x80, 0xFF, UInt8.random(in: 0...255, using: &chance)].randomElement(using: &chance) ?? 0
      }
    }
    if Bool.random(using: &chance) { bytes.removeLast(Int.random(in: 0...bytes.count, using: &chance)) }
    return bytes
  }

  private static let tokens = [
    "-1", "0", "1e308", "1e-400", "9223372036854775807", "9223372036854775808", "0.5", "null", "true", "\"\"", "[]",
    "{}", "[[[[", "\"\\ud800\"", "\"words\":[]", "\"start\":64", ",", "}", "\u{0}", "{\"start\":0,\"length\":64}",
  ]

  /// Changes a JSON text as text: other values, members doubled, dropped and cut.
  static func text(_ whole: [UInt8], _ chance: inout SeededChance) -> [UInt8] {
    var bytes = whole
    for _ in 0..<Int.random(in: 1...3, using: &chance) where !bytes.isEmpty {
      let place = Int.random(in: 0..<bytes.count, using: &chance)
      // From here to the end of a value or member, so that what is left is often JSON still.
      let stop = bytes[place...].firstIndex { [0x2C, 0x7D, 0x5D, 0x3A].contains($0) } ?? bytes.count
      let token = Array((tokens.randomElement(using: &chance) ?? "").utf8)
      switch Int.random(in: 0..<5, using: &chance) {
      case 0: bytes[place] = UInt8.random(in: 0...255, using: &chance)
      case 1: bytes.removeSubrange(place..<stop)
      case 2: bytes.insert(contentsOf: bytes[place..<stop], at: place)
      default:
        let start = bytes[..<place].lastIndex { $0 == 0x3A || $0 == 0x5B }.map { $0 + 1 } ?? place
        bytes.replaceSubrange(start..<max(start, stop), with: token)
      }
    }
    return bytes
  }
}
