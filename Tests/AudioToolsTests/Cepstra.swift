import Glibc
import VoiceAudio

/// What a sentence sounds like, without its loudness: mel cepstra every 30 ms, normalised over the sentence.
///
/// The same as `cepstra` in Tools/voices/aloudvoices/whole.py, which made the references in Tools/ears/whole.
struct Cepstra {
  static let rate = 22_050
  static let size = 512
  static let hop = 660
  static let bands = 24
  static let count = 12

  /// Frames of `count` values.
  let frames: [[Float]]

  /// Reads a reference: two hexadecimal digits a value, 24 to the unit.
  init(hex: Substring) {
    let digits = Array(hex.utf8)
    let values = stride(from: 0, to: digits.count - 1, by: 2).map { place in
      Float(Int8(bitPattern: UInt8(Cepstra.nibble(digits[place]) << 4 | Cepstra.nibble(digits[place + 1])))) / 24
    }
    frames = stride(from: 0, to: values.count, by: Cepstra.count).map { Array(values[$0..<$0 + Cepstra.count]) }
  }

  /// Measures a sound of 22 050 Hz; frames softer than 40 dB under the loudest are left out at both ends.
  init(_ pcm: PCM) {
    let samples = pcm.samples.map { Float($0) / 32_768 }
    let blocks = stride(from: 0, through: samples.count - Cepstra.size, by: Cepstra.hop).map {
      samples[$0..<$0 + Cepstra.size]
    }
    let powers = blocks.map { $0.reduce(0) { $0 + $1 * $1 } }
    let threshold = (powers.max() ?? 0) * 1e-4
    guard let first = powers.firstIndex(where: { $0 > threshold }),
      let last = powers.lastIndex(where: { $0 > threshold })
    else {
      frames = []
      return
    }
    frames = Cepstra.normalised(blocks[first...last].map { Cepstra.values(Array($0)) })
  }

  /// The mean distance of two sentences along their best alignment, in which neither runs more than twice as fast.
  func distance(to other: Cepstra) -> Float {
    let (rows, columns) = (frames.count, other.frames.count)
    guard rows > 2, columns > 2, max(rows, columns) <= 2 * min(rows, columns) else { return .infinity }
    var cost = [[Float]](repeating: [Float](repeating: .infinity, count: columns), count: rows)
    var steps = [[Float]](repeating: [Float](repeating: 1, count: columns), count: rows)
    for row in 0..<rows {
      for column in 0..<columns {
        let here = Cepstra.gap(frames[row], other.frames[column])
        if row == 0, column == 0 {
          cost[row][column] = here
          continue
        }
        for (up, left) in [(1, 1), (1, 2), (2, 1)] where row >= up && column >= left {
          let before = cost[row - up][column - left] + here
          if before < cost[row][column] {
            cost[row][column] = before
            steps[row][column] = steps[row - up][column - left] + 1
          }
        }
      }
    }
    return cost[rows - 1][columns - 1] / steps[rows - 1][columns - 1]
  }

  // MARK: Inside

  private static func nibble(_ digit: UInt8) -> UInt8 { digit <= 57 ? digit - 48 : digit - 87 }

  private static func gap(_ one: [Float], _ other: [Float]) -> Float {
    var sum: Float = 0
    for place in 0..<count {
      let difference = one[place] - other[place]
      sum += difference * difference
    }
    return sum.squareRoot()
  }

  private static func normalised(_ rows: [[Float]]) -> [[Float]] {
    var out = rows
    for column in 0..<count {
      let mean = rows.reduce(0) { $0 + $1[column] } / Float(rows.count)
      let spread = (rows.reduce(0) { $0 + ($1[column] - mean) * ($1[column] - mean) } / Float(rows.count)).squareRoot()
      for row in rows.indices { out[row][column] = (rows[row][column] - mean) / (spread + 1e-6) }
    }
    return out
  }

  private static func values(_ block: [Float]) -> [Float] {
    let power = spectrum(zip(block, window).map(*))
    let energies = bank.map { band in
      log(band.reduce(into: Float(1e-9) * Float(size)) { $0 += power[$1.bin] * $1.weight })
    }
    return turns.map { row in zip(row, energies).reduce(0) { $0 + $1.0 * $1.1 } }
  }

  private static let window = (0..<size).map { Float(0.5 - 0.5 * cos(2 * Double.pi * Double($0) / Double(size))) }

  private static let turns = (1...count).map { row in
    (0..<bands).map { Float(cos(Double.pi / Double(bands) * Double(row) * (Double($0) + 0.5))) }
  }

  private static let bank: [[(bin: Int, weight: Float)]] = {
    func mel(_ hertz: Double) -> Double { 2_595 * log10(1 + hertz / 700) }
    let edges = (0..<bands + 2).map { place -> Double in
      let mels = mel(100) + (mel(8_000) - mel(100)) * Double(place) / Double(bands + 1)
      return 700 * (pow(10, mels / 2_595) - 1)
    }
    return (0..<bands).map { band in
      (0...size / 2).compactMap { bin in
        let hertz = Double(bin) * Double(rate) / Double(size)
        let up = (hertz - edges[band]) / (edges[band + 1] - edges[band])
        let down = (edges[band + 2] - hertz) / (edges[band + 2] - edges[band + 1])
        let weight = max(0, min(up, down))
        return weight > 0 ? (bin, Float(weight)) : nil
      }
    }
  }()

  /// The power of the first half of a radix-2 Fourier transform.
  private static func spectrum(_ block: [Float]) -> [Float] {
    var real = block
    var imaginary = [Float](repeating: 0, count: size)
    var swap = 0
    for place in 1..<size {
      var bit = size >> 1
      while swap & bit != 0 {
        swap ^= bit
        bit >>= 1
      }
      swap |= bit
      if place < swap { real.swapAt(place, swap) }
    }
    var length = 2
    while length <= size {
      for start in stride(from: 0, to: size, by: length) {
        for offset in 0..<length / 2 {
          let turn = roots[offset * (size / length)]
          let (low, high) = (start + offset, start + offset + length / 2)
          let part = real[high] * turn.real - imaginary[high] * turn.imaginary
          let other = real[high] * turn.imaginary + imaginary[high] * turn.real
          (real[high], imaginary[high]) = (real[low] - part, imaginary[low] - other)
          (real[low], imaginary[low]) = (real[low] + part, imaginary[low] + other)
        }
      }
      length *= 2
    }
    return (0...size / 2).map { real[$0] * real[$0] + imaginary[$0] * imaginary[$0] }
  }

  private static let roots = (0..<size / 2).map { place -> (real: Float, imaginary: Float) in
    let angle = -2 * Double.pi * Double(place) / Double(size)
    return (Float(cos(angle)), Float(sin(angle)))
  }
}
