package import Announcing
import CLinux
package import ExactJSON
import Glibc
import HTTPTransport
package import PushPayload
package import VoiceAudio

/// What a live phone does with the network.
///
/// Every call may take its time; the phone goes on meanwhile.
package struct PhoneNetwork: Sendable {
  /// Fetches a sound file, or answers `nil`.
  package var sound: @Sendable (_ url: String) async -> [UInt8]?
  /// Fetches the list of events without a receipt, or answers `nil`.
  package var pending: @Sendable () async -> [PendingEntry]?
  /// Posts receipts; answers whether the server took them.
  package var receipts: @Sendable ([Receipt]) async -> Bool

  /// Makes a network.
  package init(
    sound: @escaping @Sendable (_ url: String) async -> [UInt8]? = { _ in nil },
    pending: @escaping @Sendable () async -> [PendingEntry]? = { nil },
    receipts: @escaping @Sendable ([Receipt]) async -> Bool
  ) {
    (self.sound, self.pending, self.receipts) = (sound, pending, receipts)
  }
}

/// A virtual iPhone in real time: behind a token of the sandbox, for the demo and for tests over sockets.
///
/// Give its ``receive(_:)`` to `APNsSandbox.register`. The phone's clock is the time since it was made.
package final class LivePhone: Sendable {
  private let phone: Locked<VirtualIPhone>
  private let network: PhoneNetwork
  private let now: @Sendable () -> Double
  private let sleep: @Sendable (Double) async -> Void
  private let startedAt: Double
  private let isStepping = Locked(false)

  /// Makes a phone and starts its clock.
  ///
  /// - Parameters:
  ///   - conditions: Its state.
  ///   - settings: What the person chose.
  ///   - voice: Finds the voice pack of a language by its tag.
  ///   - soundOrigin: The server that sounds may come from, as `https://host`.
  ///   - network: What it does with the network.
  ///   - now: The wall clock, UNIX seconds.
  ///   - sleep: Waits so many seconds.
  package init(
    conditions: PhoneConditions = .init(), settings: AnnouncementSettings = .init(),
    voice: @escaping @Sendable (String) -> Joiner?,
    soundOrigin: String = "https://push.example", network: PhoneNetwork,
    now: @escaping @Sendable () -> Double = APNsSandboxConfiguration.wallClock,
    sleep: @escaping @Sendable (Double) async -> Void = LivePhone.sleep
  ) {
    (self.network, self.now, self.sleep) = (network, now, sleep)
    startedAt = now()
    var phone = VirtualIPhone(
      conditions: conditions, settings: settings, voice: voice, startUnix: startedAt)
    phone.soundOrigin = soundOrigin
    self.phone = Locked(phone)
  }

  /// Makes a phone with these voice packs, by language tag.
  package convenience init(
    conditions: PhoneConditions = .init(), settings: AnnouncementSettings = .init(), voices: [String: Joiner],
    soundOrigin: String = "https://push.example", network: PhoneNetwork
  ) {
    self.init(
      conditions: conditions, settings: settings, voice: { voices[$0] }, soundOrigin: soundOrigin, network: network)
  }

  /// Waits by the system's clock; a cancelled task waits no longer.
  package static func sleep(seconds: Double) async {
    try? await Task.sleep(nanoseconds: UInt64(max(0, seconds) * 1e9))
  }

  /// Takes a push from the sandbox; returns at once.
  package func receive(_ push: AcceptedPush) {
    let clock = now() - startedAt
    phone.withLock { phone in
      phone.advance(to: clock)
      phone.receive(push)
    }
    run()
  }

  /// Changes the phone's state, as ``VirtualIPhone/change(_:)``; returns the keys that are not known.
  @discardableResult
  package func change(_ json: JSON) -> [String] {
    let clock = now() - startedAt
    let unknown = phone.withLock { phone in
      phone.advance(to: clock)
      return phone.change(json)
    }
    run()
    return unknown
  }

  /// Ends the extension in the middle, as iOS may.
  package func killExtension() {
    let clock = now() - startedAt
    phone.withLock { phone in
      phone.advance(to: clock)
      phone.killExtension()
    }
    run()
  }

  /// What has been heard, shown and logged so far.
  ///
  /// A sound that still plays has the end that it will have.
  package var outcome: PhoneReport { phone.withLock { $0.outcome } }

  /// What has been heard so far, one sound after the other, the long silences between them shortened.
  package func track() -> PCM { phone.withLock { $0.compactTrack() } }

  /// The sound at a place of `outcome.heard`, as it was heard, or `nil` if there is none.
  package func sound(_ index: Int) -> PCM? {
    phone.withLock { phone in
      let sounds = phone.speaker.sounds.sorted { $0.start < $1.start }
      return sounds.indices.contains(index) ? sounds[index].pcm : nil
    }
  }

  /// Whether nothing is being handled, and the last sound has ended.
  package var isQuiet: Bool {
    let clock = now() - startedAt
    return phone.withLock { !$0.isBusy && $0.speaker.lastEnd <= clock }
  }

  // MARK: Time

  /// Keeps the phone going while it has something to do; one loop at a time.
  private func run() {
    dispatchOrders()
    let mustStart = isStepping.withLock { isStepping -> Bool in
      defer { isStepping = true }
      return !isStepping
    }
    guard mustStart else { return }
    Task { await step() }
  }

  private func step() async {
    while true {
      let clock = now() - startedAt
      let next = phone.withLock { phone -> Double? in
        phone.advance(to: clock)
        return phone.isBusy ? phone.nextTime : nil
      }
      dispatchOrders()
      guard let next else { break }
      // Looks again soon, since a push or an answer may come meanwhile.
      await sleep(min(0.05, max(0.001, next - (now() - startedAt))))
    }
    isStepping.withLock { $0 = false }
    // Something may have come between the last look and the end of the loop.
    if phone.withLock({ $0.isBusy && $0.nextTime != nil }) { run() }
  }

  private func dispatchOrders() {
    for order in phone.withLock({ $0.takeOrders() }) {
      Task {
        let reply = await answer(order)
        let clock = now() - startedAt
        phone.withLock { phone in
          phone.advance(to: clock)
          phone.reply(order.id, reply)
        }
        run()
      }
    }
  }

  private func answer(_ order: PhoneOrder) async -> PhoneReply {
    switch order.kind {
    case .sound(let url): await network.sound(url).map { .sound($0, says: nil) } ?? .failed
    case .pending: await network.pending().map { .pending($0) } ?? .failed
    case .receipts(let receipts): await network.receipts(receipts) ? .taken : .failed
    }
  }
}
