import Announcing
import ExactJSON
import HTTPTransport
import PushPayload
import VoiceAudio

/// Orders to the network and their answers.
extension VirtualIPhone {
  /// The most that the extension fetches, in bytes: 29 s of 16-bit sound at 48 kHz.
  static let largestSoundBytes = 3_000_000

  mutating func order(
    _ kind: PhoneOrder.Kind, _ run: inout ExtensionRun, fileName: String? = nil, timeout: Double
  ) -> Double? {
    if run.order != nil { return nil }
    let id = number()
    run.order = (id, fileName)
    guard conditions.isOnline else {
      // Without a network the answer is quick.
      moments.add(.orderTimesOut(run: run.id, order: id), at: clock + 0.05)
      return nil
    }
    orders.append(PhoneOrder(id: id, kind: kind))
    moments.add(.orderTimesOut(run: run.id, order: id), at: clock + timeout)
    return nil
  }

  mutating func timedOut(_ id: Int, _ order: Int) {
    guard let place = runs.firstIndex(where: { $0.id == id }), runs[place].order?.id == order else { return }
    answer(place, nil, isTimeout: conditions.isOnline)
  }

  /// The network's answer to an order; one that comes too late does nothing.
  package mutating func reply(_ order: Int, _ reply: PhoneReply) {
    if let receipts = sendingReceipts.removeValue(forKey: order) {
      if case .taken = reply { took(receipts) } else { outbox = receipts + outbox }
      return
    }
    guard let place = runs.firstIndex(where: { $0.order?.id == order }) else { return }
    answer(place, reply, isTimeout: false)
  }

  private mutating func answer(_ place: Int, _ reply: PhoneReply?, isTimeout: Bool) {
    let order = runs[place].order
    runs[place].order = nil
    let id = runs[place].id
    moments.remove { if case .orderTimesOut(id, _) = $0 { true } else { false } }
    switch runs[place].action {
    case .fetchPending:
      if case .pending(let entries) = reply {
        runs[place].action = runs[place].session.fetched(entries, at: now)
      } else {
        runs[place].action = runs[place].session.fetched(nil, at: now)
      }
    case .download(let reference, _, _):
      let result = stored(reply, reference, order?.fileName ?? "", isTimeout: isTimeout)
      runs[place].action = runs[place].session.downloaded(result, at: now)
    default: return
    }
    moments.add(.step(run: id), at: clock + 0.005)
  }

  /// Why an address is not fetched, or `nil` if it is.
  func refusal(of reference: SoundReference) -> ReasonCode? {
    guard reference.url.hasPrefix(soundOrigin + "/") else { return .downloadRefused }
    if let bytes = reference.bytes, bytes > VirtualIPhone.largestSoundBytes { return .downloadTooLarge }
    return nil
  }

  /// Checks a fetched file as the extension does, and stores it.
  private mutating func stored(
    _ reply: PhoneReply?, _ reference: SoundReference, _ name: String, isTimeout: Bool
  ) -> Result<ReadySound, SoundFailure> {
    guard case .sound(let bytes, let says) = reply else {
      return .failure(SoundFailure(isTimeout ? .downloadTimedOut : conditions.isOnline ? .downloadFailed : .noNetwork))
    }
    guard bytes.count <= VirtualIPhone.largestSoundBytes else { return .failure(SoundFailure(.downloadTooLarge)) }
    if let sum = reference.sha256, Crypto.hex(Crypto.sha256(bytes)) != sum {
      return .failure(SoundFailure(.downloadHashWrong))
    }
    guard case .plays(let pcm) = SoundJudgement(bytes), pcm.seconds <= 29 else {
      return .failure(SoundFailure(.downloadNotSound))
    }
    guard !conditions.diskFull else { return .failure(SoundFailure(.fileNotWritten)) }
    files.groupSounds[name] = PhoneFile(bytes: bytes, says: says, writtenAt: clock)
    return .success(ReadySound(fileName: name, seconds: pcm.seconds))
  }

  /// Hands stored receipts to the network; they wait while there is none.
  mutating func sendReceipts() {
    guard conditions.isOnline, !outbox.isEmpty else { return }
    let id = number()
    sendingReceipts[id] = outbox
    orders.append(PhoneOrder(id: id, kind: .receipts(outbox)))
    outbox = []
  }

  private mutating func took(_ receipts: [Receipt]) {
    for receipt in receipts {
      var object = receipt.json.objectValue ?? [:]
      object["at"] = .int(receipt.at - Int(startUnix))
      report.receipts.append(.object(object))
      note("receipt for \(receipt.eventID): \(receipt.state.rawValue), \(receipt.code.rawValue)")
    }
  }
}
