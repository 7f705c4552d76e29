internal import Announcing
internal import PushPayload
internal import SpokenText
internal import Store
internal import VoiceAudio

/// Chooses where the sound of a sentence comes from, by what the caller asked and what the phone registered.
///
/// A way that cannot say the whole sentence falls to the next: clips, download, a bundled file, the tone.
struct RouteChooser: Sendable {
  /// Packs that this server has too, by id: with one it can tell whether the phone's clips are enough.
  var packs: [String: Joiner] = [:]
  /// Whether this server renders sounds.
  var renders = false
  /// Whether a sound that the phone registered under the kind's name may be used.
  var usesDeviceSounds = true

  /// A decision.
  enum Choice: Sendable, Hashable {
    case route(Route)
    /// A file in the app's bundle, by name.
    case bundled(String)
    /// The server makes the sound; when it cannot, what follows instead.
    case render(otherwise: Route)
  }

  /// Chooses.
  func choice(_ stored: StoredEvent, _ phrase: Phrase?, _ locale: String, _ profile: DeviceProfile) -> Choice {
    let hasPack = profile.packID != nil
    switch stored.event.route ?? .auto {
    case .clips, .speak, .chime: return .route(stored.event.route ?? .chime)
    case .bundled: return bundled(stored, locale, profile) ?? .route(.bundled)
    case .download: return renders && phrase != nil ? .render(otherwise: hasPack ? .clips : .chime) : .route(.download)
    case .auto: break
    }
    if hasPack, clipsSuffice(stored.event, phrase, profile) { return .route(.clips) }
    if renders, phrase != nil { return .render(otherwise: hasPack ? .clips : .chime) }
    if hasPack { return .route(.clips) }
    return bundled(stored, locale, profile) ?? .route(.chime)
  }

  private func clipsSuffice(_ event: SpokenEvent, _ phrase: Phrase?, _ profile: DeviceProfile) -> Bool {
    guard let phrase, let id = profile.packID else { return false }
    if let pack = packs[id] { return (try? pack.plan(phrase.utterance)) != nil }
    // Of an unknown pack only this is known: it has numbers and patterns, and cannot have names and free text.
    return event.text == nil && event.from == nil
  }

  /// The file that the caller named, else one that the phone registered as `KIND-LOCALE.caf` or `KIND.caf`.
  private func bundled(_ stored: StoredEvent, _ locale: String, _ profile: DeviceProfile) -> Choice? {
    if let named = stored.bundledSound { return .bundled(named) }
    guard usesDeviceSounds else { return nil }
    let kind = stored.event.kind
    for stem in ["\(kind)-\(locale)", kind] {
      if let name = profile.sounds.first(where: { $0.hasPrefix(stem + ".") }) { return .bundled(name) }
    }
    return nil
  }
}
