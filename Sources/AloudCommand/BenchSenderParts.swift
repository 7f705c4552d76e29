internal import APNsClient
internal import APNsWire
internal import Glibc
internal import HTTPTransport
internal import PushPayload

/// How the pushes of a bench are handed to the sender.
enum SenderLoad: Sendable {
  /// As the server's workers do: many at once, outcomes by callback, refilled as they come.
  case batches
  /// One task for each push in flight.
  case tasks

  /// The number of accepted pushes.
  func run(_ sender: APNsSender, count: Int, inFlight: Int, payload: [UInt8]) async -> Int {
    switch self {
    case .batches: await BatchLoad(sender, count: count, payload: payload).run(inFlight: inFlight)
    case .tasks:
      await withTaskGroup(of: Int.self) { group in
        for lane in 0..<inFlight {
          group.addTask {
            var chance = SmallChance(seed: UInt64(lane + 1))
            var accepted = 0
            for _ in stride(from: lane, to: count, by: inFlight) {
              let outcome = await sender.send(chance.push(payload: payload))
              if case .accepted = outcome { accepted += 1 }
            }
            return accepted
          }
        }
        return await group.reduce(0, +)
      }
    }
  }
}

/// Keeps a number of pushes in flight by sending as many new ones as came back.
private final class BatchLoad: Sendable {
  private struct State {
    var chance: SmallChance
    var started = 0
    /// How many may be started now.
    var free = 0
    var ended = 0
    var accepted = 0
    var whenDone: CheckedContinuation<Int, Never>?
  }

  private let sender: APNsSender
  private let count: Int
  private let payload: [UInt8]
  private let state: Locked<State>
  private static let batch = 5

  init(_ sender: APNsSender, count: Int, payload: [UInt8]) {
    self.sender = sender
    self.count = count
    self.payload = payload
    // Another seed for another count, so that the first push that opens the connection has an id of its own.
    state = Locked(State(chance: SmallChance(seed: UInt64(count))))
  }

  func run(inFlight: Int) async -> Int {
    await withCheckedContinuation { continuation in
      state.withLock { state in
        state.whenDone = continuation
        state.free = inFlight
      }
      for _ in 0..<max(1, inFlight / Self.batch) { sendBatch() }
    }
  }

  /// Sends what may be in flight besides what is, not less than a batch at once unless it is the rest.
  private func sendBatch() {
    let pushes = state.withLock { state -> [APNsRequest] in
      guard state.free >= min(Self.batch, count - state.started) else { return [] }
      let size = min(Self.batch, state.free, count - state.started)
      state.started += size
      state.free -= size
      return (0..<size).map { _ in state.chance.push(payload: payload) }
    }
    guard !pushes.isEmpty else { return }
    sender.send(pushes) { [self] _, outcome in
      ended(outcome)
      sendBatch()
    }
  }

  private func ended(_ outcome: APNsOutcome) {
    let done = state.withLock { state -> CheckedContinuation<Int, Never>? in
      state.ended += 1
      state.free += 1
      if case .accepted = outcome { state.accepted += 1 }
      guard state.ended == count else { return nil }
      defer { state.whenDone = nil }
      return state.whenDone
    }
    if let done { done.resume(returning: state.withLock { $0.accepted }) }
  }
}

/// Tokens and ids for a bench: the system's generator asks the kernel for every number, which would be half of what is measured.
struct SmallChance: Sendable {
  private var state: UInt64

  init(seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 }

  private mutating func next() -> UInt64 {
    state ^= state << 7
    state ^= state >> 9
    return state
  }

  private mutating func hex(_ digits: Int) -> String {
    String(unsafeUninitializedCapacity: digits) { out in
      var bits: UInt64 = 0
      for index in 0..<digits {
        if index % 16 == 0 { bits = next() }
        let digit = UInt8(truncatingIfNeeded: bits & 15)
        out[index] = digit < 10 ? 48 + digit : 87 + digit
        bits >>= 4
      }
      return digits
    }
  }

  mutating func push(payload: [UInt8]) -> APNsRequest {
    APNsRequest(
      deviceToken: hex(64),
      headers: PushHeaders(
        topic: BenchSender.topic, expiration: 0, id: hex(8) + "-0000-4000-8000-" + hex(12)),
      payload: payload, environment: .production)
  }
}

/// A temporary folder with certificates, a key and a payload for one bench.
struct BenchFolder {
  struct Files {
    var folder: String
    var authority: String
    var authorityPEM: String
    /// Certificate and private key of the server, one PEM file.
    var identity: String
    var key: String
    var payload: String
    var payloadBytes: [UInt8]
    var credential: APNsCredential
  }

  let path: String

  init(existing path: String) { self.path = path }

  /// The files that another process prepared.
  func read() throws -> Files {
    let text = { (name: String) in String(decoding: try FileBytes.read(path: path + "/" + name), as: UTF8.self) }
    return Files(
      folder: path, authority: path + "/authority.pem", authorityPEM: try text("authority.pem"),
      identity: path + "/server.pem", key: path + "/key.p8", payload: path + "/payload.json",
      payloadBytes: Array(Self.payload.utf8),
      credential: APNsCredential(
        teamID: BenchSender.teamID, keyID: BenchSender.keyID, key: try SigningKey(pem: text("key.p8"))))
  }

  private static let payload = #"""
    {"aps":{"alert":{"title":"Payment received","body":"28.50 EUR from A. Example, order 20431"},"sound":"fallback.caf",\#
    "mutable-content":1,"thread-id":"payments"},"aloud":{"v":1,"id":"evt_01J8ZQ4T7K3M9Y2W5X6C0B1D2E",\#
    "kind":"payment.received","locale":"en-US","amount":"28.50","currency":"EUR","from":"A. Example","at":1796000000,\#
    "until":1796000120,"route":"clips"}}
    """#

  init() throws {
    var template = Array("/tmp/aloud-bench-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw BenchSender.Failure(description: "no temporary folder can be made") }
    path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  func prepare() throws -> Files {
    let authority = try CertificateAuthority(name: "aloud bench authority")
    let identity = try authority.issue()
    let key = try SigningKey.generate()
    let payload = Array(Self.payload.utf8)
    let files = Files(
      folder: path, authority: path + "/authority.pem", authorityPEM: try authority.certificatePEM(),
      identity: path + "/server.pem", key: path + "/key.p8", payload: path + "/payload.json", payloadBytes: payload,
      credential: APNsCredential(teamID: BenchSender.teamID, keyID: BenchSender.keyID, key: key))
    try FileBytes.write(Array(files.authorityPEM.utf8), path: files.authority)
    try FileBytes.write(Array((identity.certificateChainPEM + identity.privateKeyPEM).utf8), path: files.identity)
    try FileBytes.write(Array(try key.privatePEM().utf8), path: files.key)
    try FileBytes.write(payload, path: files.payload)
    return files
  }

  func remove() { _ = try? BenchProcess.run(["rm", "-rf", path]) }
}
