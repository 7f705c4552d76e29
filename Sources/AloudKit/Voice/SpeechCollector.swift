#if canImport(AVFAudio)
  import AVFAudio
  import Announcing
  import Foundation
  import VoiceAudio

  /// Why the system's voice gave no sound file.
  enum SpeechFailure: Error, Hashable, Sendable {
    /// Nothing came in time, or nothing any more.
    case silent
    /// It gave a format that cannot be read, or another one halfway.
    case format
    /// It said more than was allowed.
    case tooLong

    /// The reason that a person can look up.
    var code: ReasonCode {
      switch self {
      case .silent: .synthesizerSilent
      case .format: .renderFailed
      case .tooLong: .sentenceTooLong
      }
    }
  }

  /// Takes the pieces of one utterance from `AVSpeechSynthesizer.write` and answers once.
  ///
  /// The callbacks come on a thread that is not documented, several times, and an empty buffer marks the end
  /// (github.com/dlutton/flutter_tts/pull/240); buffers may not cross threads, so their samples are copied at once.
  final class SpeechCollector: @unchecked Sendable {
    // Everything below is guarded by the lock.
    private let lock = NSLock()
    private var assembly = SpeechAssembly()
    private var done: (@Sendable (Result<Speech, SpeechFailure>) -> Void)?
    private var calls = 0
    private let longestSeconds: Double

    /// Makes a collector for at most so many seconds of sound.
    init(longestSeconds: Double, done: @escaping @Sendable (Result<Speech, SpeechFailure>) -> Void) {
      (self.longestSeconds, self.done) = (longestSeconds, done)
    }

    /// How often it was called: what a watchdog looks at.
    var progress: Int { lock.withLock { calls } }

    /// Whether it has answered.
    var isDone: Bool { lock.withLock { done == nil } }

    /// Begins to render; the synthesizer must be kept by the caller.
    func start(_ text: String, voice: AVSpeechSynthesisVoice?, on synthesizer: AVSpeechSynthesizer) {
      let utterance = AVSpeechUtterance(string: text)
      utterance.voice = voice
      let buffers = { @Sendable (buffer: AVAudioBuffer) in self.take(buffer) }
      if #available(iOS 16.0, macOS 13.0, *) {
        synthesizer.write(
          utterance, toBufferCallback: buffers, toMarkerCallback: { @Sendable marks in self.take(marks, of: text) })
      } else {
        synthesizer.write(utterance, toBufferCallback: buffers)
      }
    }

    /// Ends without a result, unless it has ended.
    func fail(_ failure: SpeechFailure) { finish { _ in .failure(failure) } }

    private func take(_ buffer: AVAudioBuffer) {
      lock.withLock { calls += 1 }
      guard let buffer = buffer as? AVAudioPCMBuffer else { return fail(.format) }
      guard buffer.frameLength > 0 else {
        // An empty one before any sound is not the end.
        if lock.withLock({ !assembly.samples.isEmpty }) { finish { .success($0.speech) } }
        return
      }
      guard let samples = buffer.monoSamples else { return fail(.format) }
      let format = buffer.format
      let isFitting = lock.withLock {
        assembly.add(samples, sampleRate: Int(format.sampleRate), bytesPerFrame: buffer.bytesPerFrame)
      }
      if !isFitting { return fail(.format) }
      if lock.withLock({ assembly.seconds > longestSeconds }) { fail(.tooLong) }
    }

    @available(iOS 16.0, macOS 13.0, *)
    private func take(_ marks: [AVSpeechSynthesisMarker], of text: String) {
      let whole = text as NSString
      lock.withLock {
        calls += 1
        for mark in marks where mark.mark == .word && NSMaxRange(mark.textRange) <= whole.length {
          assembly.mark(byteOffset: mark.byteSampleOffset, text: whole.substring(with: mark.textRange))
        }
      }
    }

    private func finish(_ result: (SpeechAssembly) -> Result<Speech, SpeechFailure>) {
      let (answer, call) = lock.withLock {
        () -> (Result<Speech, SpeechFailure>, (@Sendable (Result<Speech, SpeechFailure>) -> Void)?) in
        // Whoever watches may hold this object for a while; the sound need not stay so long.
        defer { (done, assembly) = (nil, SpeechAssembly()) }
        return (result(assembly), done)
      }
      call?(answer)
    }
  }

  extension AVAudioPCMBuffer {
    /// The samples as floats, channels mixed into one; `nil` for a format that is none of the system's voices.
    fileprivate var monoSamples: [Float]? {
      if let data = floatChannelData { return mixed(data) { $0 } }
      if let data = int16ChannelData { return mixed(data) { Float($0) / 32_768 } }
      if let data = int32ChannelData { return mixed(data) { Float($0) / 2_147_483_648 } }
      return nil
    }

    private func mixed<Sample>(
      _ data: UnsafePointer<UnsafeMutablePointer<Sample>>, _ value: (Sample) -> Float
    ) -> [Float] {
      let channels = Int(format.channelCount)
      return (0..<Int(frameLength)).map { frame in
        (0..<channels).reduce(0) { $0 + value(data[$1][frame * stride]) } / Float(channels)
      }
    }

    /// The bytes of one frame in the engine's own format.
    fileprivate var bytesPerFrame: Int {
      // Beside one another or one after the other, marks count the bytes of one channel.
      let size = format.commonFormat == .pcmFormatInt16 ? 2 : 4
      return format.isInterleaved ? size * Int(format.channelCount) : size
    }
  }
#endif
