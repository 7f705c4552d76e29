import TestSupport
import Testing
import VoiceAudio

/// Sounds for tests.
enum TestSound {
  /// A voice-like sound: a few moving partials and a little noise, swelling and fading, from a seed.
  static func speech(frames: Int, sampleRate: Int = 24_000, seed: UInt64, level: Double = 9_000) -> [Int16] {
    var chance = SeededChance(seed: seed)
    let pitch = Double.random(in: 90...220, using: &chance) / Double(sampleRate)
    let partials = (1...6).map { (Double($0), Double.random(in: 0.1...1, using: &chance)) }
    var phase = 0.0
    return (0..<frames).map { frame in
      phase += pitch
      var sum = Double.random(in: -0.05...0.05, using: &chance)
      for (number, strength) in partials { sum += strength * triangle(phase * number) / number }
      let edge = min(Double(frame), Double(frames - 1 - frame)) / Double(sampleRate) / 0.01
      return Int16(max(-32_000, min(32_000, sum * level * min(1, edge))))
    }
  }

  /// White noise over the whole range.
  static func noise(frames: Int, seed: UInt64) -> [Int16] {
    var chance = SeededChance(seed: seed)
    return (0..<frames).map { _ in Int16.random(in: .min ... .max, using: &chance) }
  }

  private static func triangle(_ phase: Double) -> Double {
    let part = phase - phase.rounded(.down)
    return part < 0.5 ? part * 4 - 1 : 3 - part * 4
  }

  /// The ratio of a signal's power to that of the difference, in decibels; infinite if there is none.
  static func signalToNoise(_ signal: [Int16], _ other: [Int16]) -> Double {
    var power = 0.0
    var difference = 0.0
    for (left, right) in zip(signal, other) {
      power += Double(left) * Double(left)
      difference += (Double(left) - Double(right)) * (Double(left) - Double(right))
    }
    return difference == 0 ? .infinity : 10 * log10Series(power / difference)
  }

  /// The decimal logarithm of a positive number, good to a hundredth, without a mathematics library.
  private static func log10Series(_ value: Double) -> Double {
    let mantissa = value.significand
    let step = (mantissa - 1) / (mantissa + 1)
    let natural = 2 * (step + step * step * step / 3 + step * step * step * step * step / 5)
    return (Double(value.exponent) * 0.693_147 + natural) / 2.302_585
  }
}

/// Every container with each codec and byte order that it can hold.
struct FileKind: CustomTestStringConvertible, Sendable {
  let container: AudioContainer
  let codec: AudioCodec
  let order: ByteOrder

  var testDescription: String { "\(container.rawValue) \(codec.rawValue) \(order.rawValue)" }

  static let all: [FileKind] = AudioContainer.allCases.flatMap { container in
    AudioCodec.allCases.flatMap { codec in
      [ByteOrder.big, .little].compactMap { order in
        let kind = FileKind(container: container, codec: codec, order: order)
        return kind.isPossible ? kind : nil
      }
    }
  }

  private var isPossible: Bool {
    if container == .aiff, order == .little { return codec == .lpcm || (codec.bytesPerSample ?? 1) == 1 }
    return !(container == .wav && order == .big && codec == .ima4)
  }

  /// The signal-to-noise ratio the codec must reach on speech, in decibels.
  var floor: Double {
    switch codec {
    case .lpcm, .lpcm24, .lpcm32, .float32, .float64: .infinity
    case .lpcm8: 30
    case .ima4: 20
    case .ulaw, .alaw: 33
    }
  }
}
