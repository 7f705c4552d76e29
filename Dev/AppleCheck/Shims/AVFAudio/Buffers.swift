import Foundation

@available(iOS 8, *)
public typealias AVAudioFrameCount = UInt32
@available(iOS 8, *)
public typealias AVAudioChannelCount = UInt32

// https://developer.apple.com/documentation/avfaudio/avaudiocommonformat
@available(iOS 8, *)
public enum AVAudioCommonFormat: UInt, Sendable {
  case otherFormat = 0
  case pcmFormatFloat32 = 1
  case pcmFormatFloat64 = 2
  case pcmFormatInt16 = 3
  case pcmFormatInt32 = 4
}

// https://developer.apple.com/documentation/avfaudio/avaudioformat
@available(iOS 8, *)
// Sendable as Apple's is: it never changes.
open class AVAudioFormat: NSObject, @unchecked Sendable {
  public let sampleRate: Double
  public let channelCount: AVAudioChannelCount
  public let commonFormat: AVAudioCommonFormat
  public let isInterleaved: Bool

  public init?(
    commonFormat format: AVAudioCommonFormat, sampleRate: Double, channels: AVAudioChannelCount, interleaved: Bool
  ) {
    guard sampleRate > 0, channels > 0 else { return nil }
    self.sampleRate = sampleRate
    channelCount = channels
    commonFormat = format
    isInterleaved = interleaved
    super.init()
  }
}

// https://developer.apple.com/documentation/avfaudio/avaudiobuffer (not Sendable)
@available(iOS 8, *)
open class AVAudioBuffer: NSObject {
  public let format: AVAudioFormat
  init(format: AVAudioFormat) {
    self.format = format
    super.init()
  }
}

// https://developer.apple.com/documentation/avfaudio/avaudiopcmbuffer (not Sendable)
@available(iOS 8, *)
open class AVAudioPCMBuffer: AVAudioBuffer {
  public let frameCapacity: AVAudioFrameCount
  open var frameLength: AVAudioFrameCount = 0
  // One block for all channels: interleaved, or one channel after the other.
  private let block: UnsafeMutableRawPointer
  private let channels: UnsafeMutablePointer<UnsafeMutableRawPointer>

  public init?(pcmFormat format: AVAudioFormat, frameCapacity: AVAudioFrameCount) {
    self.frameCapacity = frameCapacity
    let count = Int(format.channelCount)
    let room = max(1, Int(frameCapacity)) * 4
    block = .allocate(byteCount: room * count, alignment: 16)
    block.initializeMemory(as: UInt8.self, repeating: 0, count: room * count)
    channels = .allocate(capacity: count)
    let size = format.commonFormat == .pcmFormatInt16 ? 2 : 4
    for channel in 0..<count { channels[channel] = block + (format.isInterleaved ? channel * size : channel * room) }
    super.init(format: format)
  }

  deinit {
    block.deallocate()
    channels.deallocate()
  }

  open var stride: Int { format.isInterleaved ? Int(format.channelCount) : 1 }
  open var int16ChannelData: UnsafePointer<UnsafeMutablePointer<Int16>>? { data(.pcmFormatInt16) }
  open var int32ChannelData: UnsafePointer<UnsafeMutablePointer<Int32>>? { data(.pcmFormatInt32) }
  open var floatChannelData: UnsafePointer<UnsafeMutablePointer<Float>>? { data(.pcmFormatFloat32) }

  private func data<Sample>(_ wanted: AVAudioCommonFormat) -> UnsafePointer<UnsafeMutablePointer<Sample>>? {
    guard format.commonFormat == wanted else { return nil }
    return UnsafeRawPointer(channels).assumingMemoryBound(to: UnsafeMutablePointer<Sample>.self)
  }
}

// https://developer.apple.com/documentation/avfaudio/avaudioplayerdelegate (not Sendable; all optional)
@available(iOS 2.2, *)
@preconcurrency
public protocol AVAudioPlayerDelegate: NSObjectProtocol {
  func audioPlayerDidFinishPlaying(_ player: AVAudioPlayer, successfully flag: Bool)
  func audioPlayerDecodeErrorDidOccur(_ player: AVAudioPlayer, error: (any Error)?)
}

@available(iOS 2.2, *)
extension AVAudioPlayerDelegate {
  public func audioPlayerDidFinishPlaying(_ player: AVAudioPlayer, successfully flag: Bool) {}
  public func audioPlayerDecodeErrorDidOccur(_ player: AVAudioPlayer, error: (any Error)?) {}
}

// https://developer.apple.com/documentation/avfaudio/avaudioplayer (not Sendable)
@available(iOS 2.2, *)
open class AVAudioPlayer: NSObject {
  private static let made = ShimGuarded<[AVAudioPlayer]>([])
  /// For tests: every player that was made.
  public static var shimMade: [AVAudioPlayer] { made.value }

  public let data: Data?
  open weak var delegate: (any AVAudioPlayerDelegate)?
  open var volume: Float = 1
  open var numberOfLoops = 0
  public private(set) var isPlaying = false

  public init(data: Data) throws {
    self.data = data
    super.init()
    Self.made.update { $0.append(self) }
  }

  public init(contentsOf url: URL) throws {
    data = try Data(contentsOf: url)
    super.init()
    Self.made.update { $0.append(self) }
  }

  @discardableResult
  open func prepareToPlay() -> Bool { true }
  @discardableResult
  open func play() -> Bool {
    isPlaying = true
    return true
  }
  open func pause() { isPlaying = false }
  open func stop() { isPlaying = false }

  /// For tests: the sound has been played to its end. Called back on a background thread.
  public func shimFinish() {
    isPlaying = false
    // As the system does: a player is not Sendable and its delegate is called on another thread all the same.
    nonisolated(unsafe) let player = self
    DispatchQueue.global().async { player.delegate?.audioPlayerDidFinishPlaying(player, successfully: true) }
  }
}
