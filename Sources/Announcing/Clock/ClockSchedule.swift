public import SpokenText
public import VoiceAudio

/// When and how a talking clock speaks: a repeating calendar notification with a sound of its own for each time.
///
/// No code runs when the hour strikes, so nothing can fail to run: iOS plays the file. A repeating request counts once
/// against the 64 that iOS keeps for an app (Apple, `UILocalNotification`).
public struct ClockSchedule: Hashable, Sendable {
  /// How often it speaks.
  public enum Step: Int, CaseIterable, Hashable, Sendable {
    case hour = 60
    case halfHour = 30
    case quarterHour = 15
  }

  /// How it says the hour.
  public enum Style: String, CaseIterable, Hashable, Sendable {
    /// As the language does.
    case automatic
    case twelveHours
    case twentyFourHours

    var kind: ReadingKind {
      switch self {
      case .automatic: .time
      case .twelveHours: .time12h
      case .twentyFourHours: .time24h
      }
    }
  }

  /// How often it speaks.
  public var step: Step
  /// The first minute of the day at which it may speak, 0 to 1439.
  public var fromMinute: Int
  /// The last minute of the day at which it may speak; before ``fromMinute``, the hours go across midnight.
  public var toMinute: Int
  /// How it says the hour.
  public var style: Style
  /// The language.
  public var locale: SpokenLocale
  /// Names the voice, so that another voice gets files of its own.
  public var voiceID: String

  /// How many requests iOS keeps for one app.
  public static let requestLimit = 64

  /// Makes a schedule; minutes are taken modulo a day.
  public init(
    step: Step = .hour, fromMinute: Int = 0, toMinute: Int = 1439, style: Style = .automatic, locale: SpokenLocale,
    voiceID: String
  ) {
    func wrapped(_ minute: Int) -> Int { (minute % 1440 + 1440) % 1440 }
    (self.step, self.style, self.locale, self.voiceID) = (step, style, locale, voiceID)
    (self.fromMinute, self.toMinute) = (wrapped(fromMinute), wrapped(toMinute))
  }

  /// The minutes of the day at which it speaks, in order of the day; both ends of the active hours count.
  public var minutes: [Int] {
    stride(from: 0, to: 1440, by: step.rawValue).filter { minute in
      fromMinute <= toMinute
        ? (fromMinute...toMinute).contains(minute) : minute >= fromMinute || minute <= toMinute
    }
  }

  /// One time at which it speaks.
  public struct Request: Hashable, Sendable {
    /// The notification request's identifier.
    ///
    /// It changes with everything that is heard or shown.
    public var id: String
    /// The hour of the calendar trigger.
    public var hour: Int
    /// The minute of the calendar trigger.
    public var minute: Int
    /// The minute of the day.
    public var minuteOfDay: Int { hour * 60 + minute }
    /// The banner's title.
    public var title: String
    /// The banner's text, which is also what is heard.
    public var body: String
    /// What is to be joined into the file.
    public var utterance: Utterance
    /// The name of the file in `Library/Sounds`.
    public var fileName: String
  }

  /// What all requests of a clock begin with.
  public static let idPrefix = "aloud-clock-"

  /// The requests of this schedule.
  ///
  /// - Throws: ``PhraseError`` with ``ReasonCode/tooManyClockTimes`` if they are more than iOS keeps, or if the language
  ///   has no such way to say the time.
  public func requests() throws(PhraseError) -> [Request] {
    let minutes = self.minutes
    guard minutes.count <= ClockSchedule.requestLimit else {
      throw PhraseError(
        .tooManyClockTimes,
        "\(minutes.count) times a day are more than the \(ClockSchedule.requestLimit) that iOS keeps. Use half hours, or "
          + "fewer active hours.")
    }
    var made: [Request] = []
    for minute in minutes {
      made.append(try ClockSchedule.request(minute: minute, style: style, locale: locale, voiceID: voiceID))
    }
    return made
  }

  /// The request of one minute of the day.
  ///
  /// - Throws: ``PhraseError`` if the language has no such way to say the time.
  public static func request(
    minute: Int, style: Style, locale: SpokenLocale, voiceID: String
  ) throws(PhraseError) -> Request {
    let minute = (minute % 1440 + 1440) % 1440
    let phrase = try PhraseBook(locale).clock(DayWindow.text(minute), kind: style.kind)
    let file = SoundFileName.clock(voice: voiceID, text: phrase.text)
    let mark = SoundFileName.hash(file + phrase.title).prefix(8)
    return Request(
      id: idPrefix + DayWindow.text(minute) + "-" + mark, hour: minute / 60, minute: minute % 60, title: phrase.title,
      body: phrase.text, utterance: phrase.utterance, fileName: file)
  }

  /// What must change so that exactly this schedule is pending.
  public struct Change: Hashable, Sendable {
    /// Identifiers of pending requests to remove: those of another voice, language or step.
    public var removing: [String]
    /// Requests to add.
    public var adding: [Request]
    /// Names of the files that must exist; those that are there need not be made again.
    public var files: Set<String>
  }

  /// Compares with what is pending.
  ///
  /// Doing it twice changes nothing the second time.
  ///
  /// - Parameter pending: The identifiers of all pending requests of the app, of the clock and others.
  /// - Throws: ``PhraseError`` as ``requests()``, and ``ReasonCode/pendingLimitReached`` if the app's other requests leave
  ///   too few places.
  public func change(pending: [String]) throws(PhraseError) -> Change {
    let wanted = try requests()
    let wantedIDs = Set(wanted.map(\.id))
    let ours = pending.filter { $0.hasPrefix(ClockSchedule.idPrefix) }
    let others = pending.count - ours.count
    guard others + wanted.count <= ClockSchedule.requestLimit else {
      throw PhraseError(
        .pendingLimitReached,
        "The app has \(others) other pending notifications, which leaves \(ClockSchedule.requestLimit - others) places for "
          + "the \(wanted.count) times of the clock. Use a longer step or fewer active hours.")
    }
    let known = Set(ours)
    return Change(
      removing: ours.filter { !wantedIDs.contains($0) }, adding: wanted.filter { !known.contains($0.id) },
      files: Set(wanted.map(\.fileName)))
  }
}

extension PhraseBook {
  /// The sentence of a talking clock.
  ///
  /// - Parameters:
  ///   - time: `HH:MM`.
  ///   - kind: The way to say the hour, one of the time kinds.
  /// - Throws: ``PhraseError`` if it is no time or the language has no such way.
  public func clock(_ time: String, kind: ReadingKind = .time) throws(PhraseError) -> Phrase {
    var fillings = Fillings()
    fillings.time = Filling(try read(time, kind))
    return made(.clock, fillings, title: .titleClock)
  }
}
