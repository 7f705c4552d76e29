// Room: our own declarations of CryptoKit, for tests on Linux: SHA-256 (FIPS 180-4) and nothing else.
// https://developer.apple.com/documentation/cryptokit/sha256
import Foundation

@available(iOS 13, *)
public struct SHA256Digest: Sequence, Sendable {
  let bytes: [UInt8]
  public func makeIterator() -> IndexingIterator<[UInt8]> { bytes.makeIterator() }
}

@available(iOS 13, *)
public enum SHA256 {
  public static func hash<D: DataProtocol>(data: D) -> SHA256Digest {
    var state: [UInt32] = [
      0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a, 0x510e_527f, 0x9b05_688c, 0x1f83_d9ab, 0x5be0_cd19,
    ]
    let length = data.count
    var message = Array(data) + [0x80]
    message += [UInt8](repeating: 0, count: (120 - message.count % 64) % 64)
    message += (0..<8).map { UInt8(truncatingIfNeeded: (length * 8) >> (56 - 8 * $0)) }
    for block in stride(from: 0, to: message.count, by: 64) { mix(message[block..<block + 64], into: &state) }
    return SHA256Digest(
      bytes: state.flatMap { word in (0..<4).map { UInt8(truncatingIfNeeded: word >> (24 - 8 * $0)) } })
  }

  // The first 32 bits of the fractional parts of the cube roots of the first 64 primes, computed.
  private static let constants: [UInt32] = {
    var primes: [Int] = []
    var candidate = 2
    while primes.count < 64 {
      if primes.allSatisfy({ candidate % $0 != 0 }) { primes.append(candidate) }
      candidate += 1
    }
    return primes.map { prime in
      // Integer cube root of prime × 2^96, kept below 128 bits by bisection on the 35-bit result.
      var low: UInt64 = 0
      var high: UInt64 = 1 << 35
      while high - low > 1 {
        let middle = (low + high) / 2
        let square = middle.multipliedFullWidth(by: middle)
        let cubeHigh = cube(square, middle)
        if cubeHigh < (UInt64(prime) << 32, 0) { low = middle } else { high = middle }
      }
      return UInt32(truncatingIfNeeded: low)
    }
  }()

  // middle³ as (high, low) 64-bit halves.
  private static func cube(_ square: (high: UInt64, low: UInt64), _ factor: UInt64) -> (UInt64, UInt64) {
    let low = square.low.multipliedFullWidth(by: factor)
    return (square.high &* factor &+ low.high, low.low)
  }

  private static func mix(_ block: ArraySlice<UInt8>, into state: inout [UInt32]) {
    let bytes = Array(block)
    var words = (0..<16).map { index in
      bytes[index * 4..<index * 4 + 4].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
    }
    func rotate(_ word: UInt32, _ count: UInt32) -> UInt32 { word >> count | word << (32 - count) }
    for index in 16..<64 {
      let early = words[index - 15]
      let late = words[index - 2]
      words.append(
        words[index - 16] &+ (rotate(early, 7) ^ rotate(early, 18) ^ early >> 3) &+ words[index - 7]
          &+ (rotate(late, 17) ^ rotate(late, 19) ^ late >> 10))
    }
    var v = state
    for index in 0..<64 {
      let first =
        v[7] &+ (rotate(v[4], 6) ^ rotate(v[4], 11) ^ rotate(v[4], 25)) &+ (v[4] & v[5] ^ ~v[4] & v[6])
        &+ constants[index] &+ words[index]
      let second =
        (rotate(v[0], 2) ^ rotate(v[0], 13) ^ rotate(v[0], 22)) &+ (v[0] & v[1] ^ v[0] & v[2] ^ v[1] & v[2])
      v = [first &+ second, v[0], v[1], v[2], v[3] &+ first, v[4], v[5], v[6]]
    }
    for index in 0..<8 { state[index] = state[index] &+ v[index] }
  }
}
