import Announcing
import Foundation
import SpokenText

/// What the clock shows and what VoiceOver says, for one minute.
struct ClockFace: Equatable {
  /// The time as the phone's region writes it, such as `15:05` or `3:05 PM`.
  let time: String
  /// The day, such as `Monday, November 30`.
  let day: String
  /// The sentence that the clock says at this time.
  let spoken: String

  /// The face for a moment.
  ///
  /// - Parameters:
  ///   - date: The moment.
  ///   - language: The language of the sentence, or `nil` for the phone's.
  ///   - style: How the hour is said.
  init(date: Date, language: String?, style: ClockSchedule.Style, locale: Locale, timeZone: TimeZone) {
    var format = Date.FormatStyle(date: .omitted, time: .shortened, locale: locale)
    format.timeZone = timeZone
    time = date.formatted(format)
    format = Date.FormatStyle(locale: locale).weekday(.wide).month(.wide).day()
    format.timeZone = timeZone
    day = date.formatted(format)
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = timeZone
    let parts = calendar.dateComponents([.hour, .minute], from: date)
    let minute = (parts.hour ?? 0) * 60 + (parts.minute ?? 0)
    let tag = language ?? (locale.identifier.hasPrefix("zh") ? "zh-CN" : "en-US")
    let sentence = (try? SpokenLocale(tag)).flatMap {
      try? ClockSchedule.request(minute: minute, style: style, locale: $0, voiceID: "").body
    }
    spoken = sentence ?? time
  }
}
