import Foundation

// https://developer.apple.com/documentation/avfaudio/avspeechboundary
@available(iOS 7, *)
public enum AVSpeechBoundary: Int, Sendable {
  case immediate = 0
  case word = 1
}

@available(iOS 7, *)
public let AVSpeechUtteranceMinimumSpeechRate: Float = 0.0
@available(iOS 7, *)
public let AVSpeechUtteranceMaximumSpeechRate: Float = 1.0
@available(iOS 7, *)
public let AVSpeechUtteranceDefaultSpeechRate: Float = 0.5

// https://developer.apple.com/documentation/avfaudio/avspeechsynthesisvoicequality
@available(iOS 9, *)
public enum AVSpeechSynthesisVoiceQuality: Int, Sendable {
  case `default` = 1
  case enhanced = 2
  @available(iOS 16, *)
  case premium = 3
}

// https://developer.apple.com/documentation/avfaudio/avspeechsynthesisvoice
@available(iOS 7, *)
// Sendable: it never changes.
open class AVSpeechSynthesisVoice: NSObject, @unchecked Sendable {
  public let language: String
  @available(iOS 9, *)
  public var identifier: String { shimIdentifier }
  @available(iOS 9, *)
  public var name: String { shimIdentifier.split(separator: ".").last.map(String.init) ?? shimIdentifier }
  @available(iOS 9, *)
  public var quality: AVSpeechSynthesisVoiceQuality { shimQuality }
  private let shimIdentifier: String
  private let shimQuality: AVSpeechSynthesisVoiceQuality

  /// For tests: the voices that this phone has.
  public static var shimVoices: [AVSpeechSynthesisVoice] {
    get { voices.value }
    set { voices.value = newValue }
  }
  private static let voices = ShimGuarded<[AVSpeechSynthesisVoice]>([
    .init(shimIdentifier: "com.apple.voice.compact.zh-CN.Tingting", language: "zh-CN", quality: .default),
    .init(shimIdentifier: "com.apple.voice.enhanced.zh-CN.Tingting", language: "zh-CN", quality: .enhanced),
    .init(shimIdentifier: "com.apple.voice.compact.zh-HK.Sinji", language: "zh-HK", quality: .default),
    .init(shimIdentifier: "com.apple.voice.compact.en-US.Samantha", language: "en-US", quality: .default),
  ])

  public init(shimIdentifier: String, language: String, quality: AVSpeechSynthesisVoiceQuality) {
    self.shimIdentifier = shimIdentifier
    self.language = language
    shimQuality = quality
    super.init()
  }

  public convenience init?(language languageCode: String?) {
    let code = languageCode ?? "en-US"
    guard let voice = Self.shimVoices.first(where: { $0.language == code }) else { return nil }
    self.init(shimIdentifier: voice.shimIdentifier, language: voice.language, quality: voice.shimQuality)
  }

  @available(iOS 9, *)
  public convenience init?(identifier: String) {
    guard let voice = Self.shimVoices.first(where: { $0.shimIdentifier == identifier }) else { return nil }
    self.init(shimIdentifier: voice.shimIdentifier, language: voice.language, quality: voice.shimQuality)
  }

  open class func speechVoices() -> [AVSpeechSynthesisVoice] { shimVoices }
  open class func currentLanguageCode() -> String { "en-US" }
}

// https://developer.apple.com/documentation/avfaudio/avspeechutterance (not Sendable)
@available(iOS 7, *)
open class AVSpeechUtterance: NSObject {
  public let speechString: String
  open var voice: AVSpeechSynthesisVoice?
  open var rate: Float = AVSpeechUtteranceDefaultSpeechRate
  open var pitchMultiplier: Float = 1
  open var volume: Float = 1
  open var preUtteranceDelay: TimeInterval = 0
  open var postUtteranceDelay: TimeInterval = 0

  public init(string: String) {
    speechString = string
    super.init()
  }
}

// https://developer.apple.com/documentation/avfaudio/avspeechsynthesismarker
@available(iOS 16, *)
// Sendable: its values are set before it is handed out.
open class AVSpeechSynthesisMarker: NSObject, @unchecked Sendable {
  public enum Mark: Int, Sendable {
    case phoneme = 0
    case word = 1
    case sentence = 2
    case paragraph = 3
    case bookmark = 4
  }
  public let mark: Mark
  public let byteSampleOffset: Int
  public let textRange: NSRange

  public init(shimMark mark: Mark, byteSampleOffset: Int, textRange: NSRange) {
    self.mark = mark
    self.byteSampleOffset = byteSampleOffset
    self.textRange = textRange
    super.init()
  }
}

// https://developer.apple.com/documentation/avfaudio/avspeechsynthesizerdelegate (inherits Sendable; all optional)
@available(iOS 7, *)
@preconcurrency
public protocol AVSpeechSynthesizerDelegate: NSObjectProtocol, Sendable {
  func speechSynthesizer(_ synthesizer: AVSpeechSynthesizer, didStart utterance: AVSpeechUtterance)
  func speechSynthesizer(_ synthesizer: AVSpeechSynthesizer, didFinish utterance: AVSpeechUtterance)
  func speechSynthesizer(_ synthesizer: AVSpeechSynthesizer, didPause utterance: AVSpeechUtterance)
  func speechSynthesizer(_ synthesizer: AVSpeechSynthesizer, didContinue utterance: AVSpeechUtterance)
  func speechSynthesizer(_ synthesizer: AVSpeechSynthesizer, didCancel utterance: AVSpeechUtterance)
}

@available(iOS 7, *)
extension AVSpeechSynthesizerDelegate {
  public func speechSynthesizer(_ synthesizer: AVSpeechSynthesizer, didStart utterance: AVSpeechUtterance) {}
  public func speechSynthesizer(_ synthesizer: AVSpeechSynthesizer, didFinish utterance: AVSpeechUtterance) {}
  public func speechSynthesizer(_ synthesizer: AVSpeechSynthesizer, didPause utterance: AVSpeechUtterance) {}
  public func speechSynthesizer(_ synthesizer: AVSpeechSynthesizer, didContinue utterance: AVSpeechUtterance) {}
  public func speechSynthesizer(_ synthesizer: AVSpeechSynthesizer, didCancel utterance: AVSpeechUtterance) {}
}

// https://developer.apple.com/documentation/avfaudio/avspeechsynthesizer (not Sendable)
// The shim speaks when the test says so: shimStart, shimFinish. Callbacks come on whatever thread the test uses.
@available(iOS 7, *)
open class AVSpeechSynthesizer: NSObject {
  @available(iOS 13, *)
  public typealias BufferCallback = (AVAudioBuffer) -> Void
  @available(iOS 16, *)
  public typealias MarkerCallback = ([AVSpeechSynthesisMarker]) -> Void

  /// For tests: every synthesizer that was made.
  public static var shimMade: [AVSpeechSynthesizer] { made.value }
  private static let made = ShimGuarded<[AVSpeechSynthesizer]>([])
  /// For tests: how a whole utterance sounds when it is written, as 16-bit samples at 22,050 Hz with a mark per word.
  public static var shimRender: ShimRender {
    get { render.value }
    set { render.value = newValue }
  }
  public typealias ShimRender = (AVSpeechUtterance) -> (samples: [Int16], markers: [(Int, NSRange)])
  private static let render = ShimGuarded<ShimRender>({
      utterance in
      let words = Array(utterance.speechString)
      var samples: [Int16] = []
      var markers: [(Int, NSRange)] = []
      for (index, _) in words.enumerated() {
        markers.append((samples.count, NSRange(location: index, length: 1)))
        samples += (0..<4_410).map { Int16(8_000 * sin(Double($0) * 0.06)) }
      }
      return (samples, markers)
    })

  /// For tests: how the system's voices hand out sound.
  public struct ShimVoicing: Sendable {
    public var format = AVAudioCommonFormat.pcmFormatInt16
    public var channels: AVAudioChannelCount = 1
    public var isInterleaved = false
    public var sampleRate = 22_050.0
    /// Whether it tells where words lie.
    public var marksWords = true
    /// Whether marks are counted anew for each buffer, as some engines do.
    public var marksStartAnew = false
    /// Whether it falls silent before the end.
    public var stalls = false
    public init() {}
  }
  public static var shimVoicing: ShimVoicing {
    get { voicing.value }
    set { voicing.value = newValue }
  }
  private static let voicing = ShimGuarded(ShimVoicing())
  /// For tests: the texts that were written, in order.
  public static var shimWritten: [String] {
    get { written.value }
    set { written.value = newValue }
  }
  private static let written = ShimGuarded<[String]>([])

  open weak var delegate: (any AVSpeechSynthesizerDelegate)?
  @available(iOS 13, *)
  open var usesApplicationAudioSession = true
  public private(set) var shimQueue: [AVSpeechUtterance] = []
  public private(set) var isSpeaking = false
  public private(set) var isPaused = false

  public override init() {
    super.init()
    Self.made.update { $0.append(self) }
  }

  open func speak(_ utterance: AVSpeechUtterance) {
    precondition(!shimQueue.contains { $0 === utterance }, "an utterance may be enqueued once")
    shimQueue.append(utterance)
    isSpeaking = true
  }

  /// For tests: the first utterance begins to sound.
  public func shimStart() {
    guard let first = shimQueue.first else { return }
    delegate?.speechSynthesizer(self, didStart: first)
  }

  /// For tests: the first utterance has been spoken.
  public func shimFinish() {
    guard !shimQueue.isEmpty else { return }
    let first = shimQueue.removeFirst()
    isSpeaking = !shimQueue.isEmpty
    delegate?.speechSynthesizer(self, didFinish: first)
  }

  @discardableResult
  open func stopSpeaking(at boundary: AVSpeechBoundary) -> Bool {
    let cancelled = shimQueue
    shimQueue = []
    isSpeaking = false
    for utterance in cancelled { delegate?.speechSynthesizer(self, didCancel: utterance) }
    return !cancelled.isEmpty
  }

  @discardableResult
  open func pauseSpeaking(at boundary: AVSpeechBoundary) -> Bool {
    guard isSpeaking, !isPaused, let first = shimQueue.first else { return false }
    isPaused = true
    delegate?.speechSynthesizer(self, didPause: first)
    return true
  }

  @discardableResult
  open func continueSpeaking() -> Bool {
    guard isPaused, let first = shimQueue.first else { return false }
    isPaused = false
    delegate?.speechSynthesizer(self, didContinue: first)
    return true
  }

  @available(iOS 13, *)
  open func write(_ utterance: AVSpeechUtterance, toBufferCallback bufferCallback: @escaping BufferCallback) {
    Self.written.update { $0.append(utterance.speechString) }
    deliver(Self.shimRender(utterance).samples, to: bufferCallback)
  }

  @available(iOS 16, *)
  open func write(
    _ utterance: AVSpeechUtterance, toBufferCallback bufferCallback: @escaping BufferCallback,
    toMarkerCallback markerCallback: @escaping MarkerCallback
  ) {
    Self.written.update { $0.append(utterance.speechString) }
    let voicing = Self.shimVoicing
    let (samples, markers) = Self.shimRender(utterance)
    if voicing.marksWords {
      let size = (voicing.format == .pcmFormatInt16 ? 2 : 4) * (voicing.isInterleaved ? Int(voicing.channels) : 1)
      markerCallback(
        markers.map { start, range in
          let frame = voicing.marksStartAnew ? start % 1_024 : start
          return AVSpeechSynthesisMarker(shimMark: .word, byteSampleOffset: frame * size, textRange: range)
        })
    }
    deliver(samples, to: bufferCallback)
  }

  // Several buffers, then an empty one that marks the end, as seen in the field.
  private func deliver(_ samples: [Int16], to callback: BufferCallback) {
    let voicing = Self.shimVoicing
    guard
      let format = AVAudioFormat(
        commonFormat: voicing.format, sampleRate: voicing.sampleRate, channels: voicing.channels,
        interleaved: voicing.isInterleaved)
    else { return }
    for start in stride(from: 0, to: samples.count, by: 1_024) {
      let part = samples[start..<min(start + 1_024, samples.count)]
      guard let buffer = AVAudioPCMBuffer(pcmFormat: format, frameCapacity: UInt32(part.count)) else { return }
      buffer.frameLength = UInt32(part.count)
      for (index, sample) in part.enumerated() {
        for channel in 0..<Int(voicing.channels) {
          buffer.int16ChannelData?[channel][index * buffer.stride] = sample
          buffer.int32ChannelData?[channel][index * buffer.stride] = Int32(sample) << 16
          buffer.floatChannelData?[channel][index * buffer.stride] = Float(sample) / 32_768
        }
      }
      callback(buffer)
      if voicing.stalls { return }
    }
    if let end = AVAudioPCMBuffer(pcmFormat: format, frameCapacity: 1) { callback(end) }
  }
}
