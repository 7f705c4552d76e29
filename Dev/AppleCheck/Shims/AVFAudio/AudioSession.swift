// Room: our own declarations of AVFAudio, for tests on Linux. Each names Apple's page.
@_exported import Foundation

// https://developer.apple.com/documentation/avfaudio/avaudiosession (Sendable; not on macOS)
@available(iOS 3, *)
// Sendable as Apple declares it; tests use it from one actor.
open class AVAudioSession: NSObject, @unchecked Sendable {
  // https://developer.apple.com/documentation/avfaudio/avaudiosession/category-swift.struct
  public struct Category: RawRepresentable, Hashable, Sendable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
    public static let ambient = Self(rawValue: "AVAudioSessionCategoryAmbient")
    public static let soloAmbient = Self(rawValue: "AVAudioSessionCategorySoloAmbient")
    public static let playback = Self(rawValue: "AVAudioSessionCategoryPlayback")
  }

  // https://developer.apple.com/documentation/avfaudio/avaudiosession/mode-swift.struct
  @available(iOS 5, *)
  public struct Mode: RawRepresentable, Hashable, Sendable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
    public static let `default` = Self(rawValue: "AVAudioSessionModeDefault")
    @available(iOS 9, *)
    public static let spokenAudio = Self(rawValue: "AVAudioSessionModeSpokenAudio")
    @available(iOS 12, *)
    public static let voicePrompt = Self(rawValue: "AVAudioSessionModeVoicePrompt")
  }

  // https://developer.apple.com/documentation/avfaudio/avaudiosession/categoryoptions-swift.struct
  @available(iOS 6, *)
  public struct CategoryOptions: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
    public static var mixWithOthers: Self { Self(rawValue: 0x1) }
    public static var duckOthers: Self { Self(rawValue: 0x2) }
    @available(iOS 9, *)
    public static var interruptSpokenAudioAndMixWithOthers: Self { Self(rawValue: 0x11) }
  }

  // https://developer.apple.com/documentation/avfaudio/avaudiosession/setactiveoptions
  @available(iOS 6, *)
  public struct SetActiveOptions: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
    public static var notifyOthersOnDeactivation: Self { Self(rawValue: 1) }
  }

  // https://developer.apple.com/documentation/avfaudio/avaudiosession/interruptiontype
  @available(iOS 6, *)
  public enum InterruptionType: UInt, Sendable {
    case ended = 0
    case began = 1
  }

  // https://developer.apple.com/documentation/avfaudio/avaudiosession/routechangereason
  @available(iOS 6, *)
  public enum RouteChangeReason: UInt, Sendable {
    case unknown = 0
    case newDeviceAvailable = 1
    case oldDeviceUnavailable = 2
    case categoryChange = 3
    case override = 4
    case wakeFromSleep = 6
    case noSuitableRouteForCategory = 7
    case routeConfigurationChange = 8
  }

  /// For tests: what happened to the session, in order, and what activating answers.
  public struct ShimState: Sendable {
    public enum Event: Equatable, Sendable {
      case category(Category, Mode, UInt)
      case active(Bool, notifies: Bool)
    }
    public var events: [Event] = []
    public var activationError: (any Error)?
    public var outputVolume: Float = 0.7
    public var isOtherAudioPlaying = false
    public init() {}
  }

  private static let shared = AVAudioSession()
  private let lock = NSLock()
  private var state = ShimState()

  open class func sharedInstance() -> AVAudioSession { shared }

  @discardableResult
  public func shim<T>(_ change: (inout ShimState) -> T) -> T {
    lock.lock()
    defer { lock.unlock() }
    return change(&state)
  }

  @available(iOS 10, *)
  open func setCategory(_ category: Category, mode: Mode, options: CategoryOptions = []) throws {
    shim { $0.events.append(.category(category, mode, options.rawValue)) }
  }

  @available(iOS 6, *)
  open func setActive(_ active: Bool, options: SetActiveOptions = []) throws {
    let error = shim { state in
      if let error = state.activationError, active { return error as (any Error)? }
      state.events.append(.active(active, notifies: options.contains(.notifyOthersOnDeactivation)))
      return nil
    }
    if let error { throw error }
  }

  @available(iOS 6, *)
  open var outputVolume: Float { shim { $0.outputVolume } }
  @available(iOS 6, *)
  open var isOtherAudioPlaying: Bool { shim { $0.isOtherAudioPlaying } }

  @available(iOS 6, *)
  public class var interruptionNotification: NSNotification.Name { .init("AVAudioSessionInterruptionNotification") }
  @available(iOS 6, *)
  public class var routeChangeNotification: NSNotification.Name { .init("AVAudioSessionRouteChangeNotification") }
  @available(iOS 6, *)
  public class var mediaServicesWereResetNotification: NSNotification.Name {
    .init("AVAudioSessionMediaServicesWereResetNotification")
  }
}

@available(iOS 6, *)
public let AVAudioSessionInterruptionTypeKey = "AVAudioSessionInterruptionTypeKey"
@available(iOS 6, *)
public let AVAudioSessionInterruptionOptionKey = "AVAudioSessionInterruptionOptionKey"
@available(iOS 6, *)
public let AVAudioSessionRouteChangeReasonKey = "AVAudioSessionRouteChangeReasonKey"
