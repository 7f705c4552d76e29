/// Decides when an app that stays awake plays its silent loop, as a value: what happened goes in, what is to be done comes
/// out.
///
/// The loop plays while the app is not in front and nothing is spoken. It is begun while the app is still in front, because
/// no app can begin an audio session in the background (https://developer.apple.com/forums/thread/759816).
public struct KeepAlive: Hashable, Sendable {
  /// Something that happened.
  public enum Event: CaseIterable, Hashable, Sendable {
    /// The person switched the mode on or off.
    case switchedOn, switchedOff
    /// The app is about to leave the front, or has come to it.
    case resignsActive, becameActive
    /// A time is about to be spoken by this app, or has been.
    case speechBegins, speechEnded
    /// A call, Siri or an alarm took the audio session, or gave it back.
    case interrupted, interruptionEnded
    /// Headphones were pulled out: iOS has stopped what played.
    case outputLost
    /// The system's audio server started anew: every player is dead.
    case mediaServicesReset
    /// iOS did not give the audio session.
    case refused
  }

  /// Something to do, in this order.
  public enum Action: Hashable, Sendable {
    /// End the sentence that is being spoken.
    case stopSpeech
    /// Stop the silent loop.
    case stopLoop
    /// Throw the players away; they are made again when needed.
    case dropPlayers
    /// Let go of the audio session, with notice to others.
    case deactivate
    /// Take the audio session, mixing with others.
    case activate
    /// Begin the silent loop.
    case startLoop
  }

  /// Whether the mode is on.
  public private(set) var isOn = false
  /// Whether the silent loop plays.
  public private(set) var isLooping = false
  /// Whether this app holds the audio session.
  public private(set) var isHolding = false
  /// Whether a time is being spoken.
  public private(set) var isSpeaking = false
  /// Whether iOS refused the audio session; it is asked again when the app comes to the front.
  public private(set) var isRefused = false
  private var isInFront = true
  private var isInterrupted = false

  /// Makes one that is off, in an app that is in front.
  public init() {}

  /// Takes note of what happened.
  ///
  /// - Returns: What to do, in order.
  public mutating func handle(_ event: Event) -> [Action] {
    var actions: [Action] = []
    switch event {
    case .switchedOn: isOn = true
    case .switchedOff: isOn = false
    case .resignsActive: isInFront = false
    case .becameActive:
      isInFront = true
      // An interruption's end is not always told; an app in front may ask again.
      (isInterrupted, isRefused) = (false, false)
    case .speechBegins: isSpeaking = isOn && !isInterrupted && !isRefused
    case .speechEnded: isSpeaking = false
    case .interrupted:
      (isInterrupted, isLooping, isHolding) = (true, false, false)
      actions += endSpeech()
    case .interruptionEnded: isInterrupted = false
    case .outputLost:
      actions += endSpeech()
      isLooping = false
    case .mediaServicesReset:
      actions += endSpeech() + [.dropPlayers]
      (isLooping, isHolding, isInterrupted) = (false, false, false)
    case .refused:
      actions += endSpeech()
      (isRefused, isLooping, isHolding) = (true, false, false)
    }
    if !isOn { actions += endSpeech() }
    return actions + settle()
  }

  private mutating func endSpeech() -> [Action] {
    guard isSpeaking else { return [] }
    isSpeaking = false
    return [.stopSpeech]
  }

  /// Brings the loop and the session to what they must be.
  private mutating func settle() -> [Action] {
    let mayPlay = isOn && !isInterrupted && !isRefused
    let loops = mayPlay && !isInFront && !isSpeaking
    let holds = loops || isSpeaking
    var actions: [Action] = []
    if isLooping, !loops { actions.append(.stopLoop) }
    if isHolding, !holds { actions.append(.deactivate) }
    if !isHolding, holds { actions.append(.activate) }
    if !isLooping, loops { actions.append(.startLoop) }
    (isLooping, isHolding) = (loops, holds)
    return actions
  }
}
