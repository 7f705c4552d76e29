internal import Announcing
internal import HTTPTransport
internal import PushPayload
internal import SpokenText
internal import VoiceAudio

/// Makes the sound of a sentence once, however many ask for it at the same time.
actor SoundRenderer {
  private let voices: [any SpeechVoice]
  private let cache: SoundCache
  private let metrics: Metrics
  private let log: ServerLog
  private var underWay: [String: Task<SoundCache.Entry, any Error>] = [:]
  private var baseURL: String

  /// Makes a renderer.
  ///
  /// - Parameters:
  ///   - voices: Asked in order; the first that can say a sentence says it.
  ///   - baseURL: Where phones reach this server.
  init(voices: [any SpeechVoice], cache: SoundCache, baseURL: String, metrics: Metrics, log: ServerLog) {
    (self.voices, self.cache, self.baseURL, self.metrics, self.log) = (voices, cache, baseURL, metrics, log)
  }

  /// Where phones reach this server, once the port is known.
  func setBaseURL(_ url: String) { baseURL = url }

  /// The sound of a sentence, from the cache or made now.
  ///
  /// - Throws: ``VoiceFailure`` of the last voice that was asked.
  func sound(_ phrase: Phrase, locale: SpokenLocale) async throws(VoiceFailure) -> SoundReference {
    let entry: SoundCache.Entry
    do { entry = try await entryFor(phrase, locale) } catch { throw error as? VoiceFailure ?? .engineFailed }
    return SoundReference(url: "\(baseURL)/sounds/\(entry.hash).caf", sha256: entry.hash, bytes: entry.bytes)
  }

  private func entryFor(_ phrase: Phrase, _ locale: SpokenLocale) async throws -> SoundCache.Entry {
    let words = phrase.utterance.segments.map { $0.words.joined(separator: "\u{1F}") }.joined(separator: "\u{1E}")
    let name =
      voices.map(\.signature).joined(separator: "\u{1D}") + "\u{1C}\(locale.tag)\u{1C}\(phrase.text)\u{1C}\(words)"
    let key = Crypto.hex(Crypto.sha256(Array(name.utf8)))
    if let task = underWay[key] {
      metrics.count(.renders, ["joined"])
      return try await task.value
    }
    if let found = cache.find(key: key) {
      metrics.count(.renders, ["cached"])
      return found
    }
    let (voices, cache) = (voices, cache)
    let task = Task { () async throws -> SoundCache.Entry in
      var failure = VoiceFailure.cannotSay
      for voice in voices {
        do throws(VoiceFailure) {
          let bytes = try await voice.sound(phrase, locale: locale)
          guard let entry = try? cache.store(bytes, key: key) else { throw .notKept }
          return entry
        } catch { failure = error }
      }
      throw failure
    }
    underWay[key] = task
    defer { underWay[key] = nil }
    do {
      let entry = try await task.value
      metrics.count(.renders, ["made"])
      return entry
    } catch {
      metrics.count(.renders, ["failed"])
      log.write(.warning, "a sentence was not rendered", ["locale": .identifier(locale.tag)])
      throw error
    }
  }
}
