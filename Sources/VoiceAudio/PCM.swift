/// Sound as this package works with it: one channel of signed 16-bit samples.
public struct PCM: Hashable, Sendable {
  /// Frames a second, in Hz.
  public var sampleRate: Int
  /// The samples, full scale ±32767.
  public var samples: [Int16]

  /// Makes sound from samples.
  public init(sampleRate: Int, samples: [Int16]) {
    self.sampleRate = sampleRate
    self.samples = samples
  }

  /// Digital silence; a length below zero or a rate below one gives no samples.
  public static func silence(seconds: Double, sampleRate: Int) -> PCM {
    PCM(sampleRate: sampleRate, samples: [Int16](repeating: 0, count: frames(seconds, at: sampleRate)))
  }

  /// The length in seconds.
  public var seconds: Double { sampleRate > 0 ? Double(samples.count) / Double(sampleRate) : 0 }

  /// The largest absolute sample value, 0 to 32768.
  public var peak: Int { samples.reduce(0) { max($0, abs(Int($1))) } }

  /// The largest step between two neighbouring samples: what a click is measured by.
  public var largestStep: Int {
    var largest = 0
    var previous = 0
    for sample in samples {
      largest = max(largest, abs(Int(sample) - previous))
      previous = Int(sample)
    }
    return largest
  }

  /// The same sound with every sample multiplied by `factor`, rounded and kept in range.
  public func scaled(by factor: Double) -> PCM {
    PCM(sampleRate: sampleRate, samples: samples.map { PCM.sample(Double($0) * factor) })
  }

  /// The frames that `seconds` take at `sampleRate`, never negative and never more than a day's worth.
  static func frames(_ seconds: Double, at sampleRate: Int) -> Int {
    guard seconds > 0, sampleRate > 0 else { return 0 }
    return Int(min(seconds, 86_400) * Double(sampleRate) + 0.5)
  }

  /// A sample value rounded to the nearest integer and kept in range; not-a-number gives 0.
  static func sample(_ value: Double) -> Int16 {
    if value >= 32_767 { return 32_767 }
    if value <= -32_768 { return -32_768 }
    guard value == value else { return 0 }
    return Int16(value < 0 ? value - 0.5 : value + 0.5)
  }
}
