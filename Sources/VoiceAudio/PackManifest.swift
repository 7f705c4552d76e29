/// What a voice pack says about itself in `pack.json`.
///
/// The format is described in docs/sound.md.
public struct PackManifest: Hashable, Sendable {
  /// The version of the format that this package writes and reads.
  public static let format = 1

  /// The pack's name for programs, such as `aloud-zh-CN-kokoro`.
  public var id: String
  /// The pack's own version, such as `1.0.0`.
  public var version: String
  /// The language tag of what is said, such as `zh-CN`.
  public var locale: String
  /// Who speaks, for people.
  public var voice: String
  /// The licence of the sound, as an SPDX expression or in words.
  public var licence: String
  /// Whom the licence asks to name; empty if nobody.
  public var attribution: String
  /// Frames a second of all clips, in Hz.
  public var sampleRate: Int
  /// How the clips are stored: ``AudioCodec/lpcm`` or ``AudioCodec/ima4``.
  public var codec: AudioCodec
  /// What the clips were levelled to, in LUFS.
  public var loudness: Double
  /// The silence between segments.
  public var pauses: Pauses
  /// How far neighbouring clips of PCM run into one another, in seconds.
  public var overlapSeconds: Double
  /// The clips, in the order of the manifest.
  public var clips: [Clip]

  /// The silence around segments, in seconds.
  public struct Pauses: Hashable, Sendable {
    /// Between any two segments.
    public var between: Double
    /// After the brand; `nil` for ``between``.
    public var afterBrand: Double?
    /// Before the amount; `nil` for ``between``.
    public var beforeAmount: Double?
    /// Between the chime and the first word.
    public var afterChime: Double

    /// Makes pauses; the defaults are 300 ms, and 150 ms after a chime.
    public init(
      between: Double = 0.3, afterBrand: Double? = nil, beforeAmount: Double? = nil, afterChime: Double = 0.15
    ) {
      self.between = between
      self.afterBrand = afterBrand
      self.beforeAmount = beforeAmount
      self.afterChime = afterChime
    }
  }

  /// A unit of speech: what it says and where in `clips.caf` its takes lie.
  public struct Clip: Hashable, Sendable {
    /// The key in the manifest.
    public var name: String
    /// The words it says.
    public var words: [String]
    /// The recordings of it; at most one without a context.
    public var takes: [Take]

    /// Makes a clip.
    public init(name: String, words: [String], takes: [Take]) {
      self.name = name
      self.words = words
      self.takes = takes
    }
  }

  /// Where a clip must stand in its segment for a take to be used.
  public enum Position: String, Hashable, Sendable {
    /// At the beginning.
    case head
    /// At the end.
    case tail
  }

  /// One recording of a clip.
  public struct Take: Hashable, Sendable {
    /// The first frame in `clips.caf`.
    public var start: Int
    /// The number of frames.
    public var length: Int
    /// Words of which one must come before, if any are given.
    public var before: [String]
    /// Words of which one must come after, if any are given.
    public var after: [String]
    /// Where in the segment it must stand, if it matters.
    public var position: Position?
    /// What using it costs beside the price of one clip, 1; below 0 for an especially good one.
    public var cost: Double

    /// Makes a take.
    public init(
      start: Int, length: Int, before: [String] = [], after: [String] = [], position: Position? = nil, cost: Double = 0
    ) {
      self.start = start
      self.length = length
      self.before = before
      self.after = after
      self.position = position
      self.cost = cost
    }
  }

  /// Makes a manifest.
  public init(
    id: String, version: String, locale: String, voice: String, licence: String, attribution: String = "",
    sampleRate: Int, codec: AudioCodec, loudness: Double, pauses: Pauses = Pauses(), overlapSeconds: Double = 0.005,
    clips: [Clip]
  ) {
    self.id = id
    self.version = version
    self.locale = locale
    self.voice = voice
    self.licence = licence
    self.attribution = attribution
    self.sampleRate = sampleRate
    self.codec = codec
    self.loudness = loudness
    self.pauses = pauses
    self.overlapSeconds = overlapSeconds
    self.clips = clips
  }
}
