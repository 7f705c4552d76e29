/// Speech as an engine hands it out, piece by piece, put together.
///
/// The first piece decides the format: the same system gives 16-bit integers for one voice and floats for another. Marks of
/// words come as byte offsets into the sound and may arrive before it, between its pieces or after them.
package struct SpeechAssembly: Sendable {
  /// The samples so far, channels mixed into one.
  package private(set) var samples: [Float] = []
  /// Frames a second, in Hz; 0 before the first piece.
  package private(set) var sampleRate = 0
  private var bytesPerFrame = 1
  private var marks: [(byteOffset: Int, text: String)] = []

  /// Makes an empty one.
  package init() {}

  /// The length so far, in seconds.
  package var seconds: Double { sampleRate > 0 ? Double(samples.count) / Double(sampleRate) : 0 }

  /// Adds a piece of sound.
  ///
  /// - Parameters:
  ///   - piece: The samples, channels mixed into one.
  ///   - sampleRate: Frames a second, in Hz.
  ///   - bytesPerFrame: The bytes of one frame as the engine stores it, by which marks are counted.
  /// - Returns: Whether the piece has the format of the first one; one that has not is not added.
  package mutating func add(_ piece: [Float], sampleRate: Int, bytesPerFrame: Int) -> Bool {
    if self.sampleRate == 0 { (self.sampleRate, self.bytesPerFrame) = (sampleRate, max(1, bytesPerFrame)) }
    guard sampleRate == self.sampleRate, bytesPerFrame == self.bytesPerFrame else { return false }
    samples += piece
    return true
  }

  /// Notes where a word begins.
  package mutating func mark(byteOffset: Int, text: String) { marks.append((byteOffset, text)) }

  /// What was said.
  ///
  /// A word lasts until the next begins. Marks that run backwards or beyond the sound are none at all: some engines count
  /// them anew for each piece.
  package var speech: Speech {
    let sound = Sound(sampleRate: sampleRate, samples: samples)
    let starts = marks.map { Double($0.byteOffset / bytesPerFrame) / Double(max(1, sampleRate)) }
    let isInOrder = zip(starts, starts.dropFirst()).allSatisfy { $0 <= $1 }
    guard isInOrder, let first = starts.first, first >= 0, let last = starts.last, last < sound.seconds else {
      return Speech(sound: sound)
    }
    let ends = starts.dropFirst() + [sound.seconds]
    let words = zip(marks, zip(starts, ends)).map { TimedWord(text: $0.text, start: $1.0, end: $1.1) }
    return Speech(sound: sound, words: words)
  }
}
