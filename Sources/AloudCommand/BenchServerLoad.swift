import ExactJSON
import Glibc
import HTTPTransport

/// A server under load.
struct BenchTarget: Sendable {
  var port: Int
  var key: String

  /// The size of the database as the server states it, in bytes.
  func storeBytes() throws -> Int {
    let answer = try BenchCaller(port: port, key: key).send("GET", "/metrics", "")
    let line = String(decoding: answer.body, as: UTF8.self).split(separator: "\n")
      .first { $0.hasPrefix("aloud_store_bytes ") }
    return line.flatMap { Int($0.split(separator: " ")[1]) } ?? 0
  }

  /// Does something for each number below `count`, spread over so many connections, each with a thread of its own.
  func spread(
    _ count: Int, over callers: Int, _ body: @escaping @Sendable (BenchCaller, Int) throws -> Void
  ) async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      for lane in 0..<callers {
        group.addTask {
          try await Thread.run("bench-caller") {
            Result {
              let caller = try BenchCaller(port: port, key: key)
              for number in stride(from: lane, to: count, by: callers) { try body(caller, number) }
            }
          }.get()
        }
      }
      try await group.waitForAll()
    }
  }
}

/// A caller of a bench: one kept connection, one request after the other, on a thread of its own.
final class BenchCaller {
  private let descriptor: Int32
  /// What stands between the path and the length of the body.
  private let fields: String
  private var request: [UInt8] = []
  private var buffer: [UInt8] = []
  private var chunk = [UInt8](repeating: 0, count: 16_384)

  init(port: Int, key: String) throws {
    let file = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    guard file >= 0 else { throw BenchSender.Failure(description: "no socket") }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = in_port_t(port).bigEndian
    address.sin_addr.s_addr = inet_addr("127.0.0.1")
    let connected = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(file, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard connected == 0 else {
      close(file)
      throw BenchSender.Failure(description: "the server does not take connections")
    }
    var one: Int32 = 1
    setsockopt(file, Int32(IPPROTO_TCP), TCP_NODELAY, &one, 4)
    descriptor = file
    fields =
      " HTTP/1.1\r\nHost: bench\r\nAuthorization: Bearer \(key)\r\nContent-Type: application/json\r\nContent-Length: "
  }

  deinit { close(descriptor) }

  /// Sends a request and reads its answer; the status and the body.
  ///
  /// It shares the cores with the server, so it does little: one text is built and one is read.
  func send(_ method: String, _ path: String, _ body: String) throws -> (status: Int, body: ArraySlice<UInt8>) {
    request.removeAll(keepingCapacity: true)
    for part in [method, " ", path, fields, String(body.utf8.count), "\r\n\r\n", body] { request += part.utf8 }
    var sent = 0
    while sent < request.count {
      let count = request.withUnsafeBytes {
        Glibc.send(descriptor, $0.baseAddress! + sent, $0.count - sent, Int32(MSG_NOSIGNAL))
      }
      guard count > 0 else { throw BenchSender.Failure(description: "the server closed a connection") }
      sent += count
    }
    return try answer()
  }

  private func answer() throws -> (status: Int, body: ArraySlice<UInt8>) {
    buffer.removeAll(keepingCapacity: true)
    var head: (end: Int, length: Int)?
    while head.map({ buffer.count < $0.end + $0.length }) ?? true {
      let count = recv(descriptor, &chunk, chunk.count, 0)
      guard count > 0 else { throw BenchSender.Failure(description: "the server closed a connection") }
      buffer += chunk[..<count]
      if head == nil, let end = BenchCaller.headEnd(buffer) { head = (end, BenchCaller.length(buffer[..<end])) }
    }
    let status = Int(String(decoding: buffer[9..<12], as: UTF8.self)) ?? 0
    return (status, buffer[(head?.end ?? buffer.count)...])
  }

  private static func headEnd(_ bytes: [UInt8]) -> Int? {
    var index = 3
    while index < bytes.count {
      if bytes[index] == 10, bytes[index - 1] == 13, bytes[index - 2] == 10, bytes[index - 3] == 13 { return index + 1 }
      index += 1
    }
    return nil
  }

  private static func length(_ head: ArraySlice<UInt8>) -> Int {
    let name = Array("content-length:".utf8)
    for line in head.split(separator: 10) where line.count > name.count {
      if zip(line, name).allSatisfy({ $0 | 0x20 == $1 | 0x20 }) {
        return line.dropFirst(name.count).reduce(0) { $1 &- 0x30 < 10 ? $0 * 10 + Int($1 - 0x30) : $0 }
      }
    }
    return 0
  }
}

/// Answers like APNs and notes when each event's push came.
final class BenchPushService: Sendable {
  private struct State {
    var arrived: [String: Double] = [:]
    var count = 0
    var waiter: (events: Int, done: CheckedContinuation<Bool, Never>)?

    /// Ends the waiting when all have come, or in any case.
    mutating func wake(anyway: Bool = false) {
      guard let waiter, anyway || arrived.count >= waiter.events else { return }
      self.waiter = nil
      waiter.done.resume(returning: arrived.count >= waiter.events)
    }
  }

  private let state = Locked(State())
  private let delayMilliseconds = Locked(0)
  private let server: Locked<HTTP2Server?> = Locked(nil)

  func start(_ identity: TLSIdentity) async throws -> Int {
    let server = HTTP2Server(HTTP2ServerConfiguration(identity: identity)) { [self] request in
      let id = request.headers["apns-collapse-id"] ?? ""
      let now = EventLoop.monotonicSeconds()
      let delay = delayMilliseconds.withLock { $0 }
      state.withLock { state in
        state.count += 1
        if state.arrived[id] == nil { state.arrived[id] = now }
        state.wake()
      }
      let headers: HTTPHeaders = ["apns-id": request.headers["apns-id"] ?? ""]
      return delay == 0
        ? .respond(status: 200, headers: headers, body: [])
        : .respondAfter(seconds: Double(delay) / 1_000, status: 200, headers: headers, body: [])
    }
    self.server.withLock { $0 = server }
    return try await server.start()
  }

  func setDelay(milliseconds: Int) { delayMilliseconds.withLock { $0 = milliseconds } }
  func stop() async { await server.withLock { $0 }?.stop(graceSeconds: 0) }

  /// Different events of which a push has come.
  var events: Int { state.withLock { $0.arrived.count } }

  /// Pushes beyond the first of their event.
  var doubles: Int { state.withLock { $0.count - $0.arrived.count } }

  func arrival(_ id: String) -> Double? { state.withLock { $0.arrived[id] } }

  /// Waits until so many different events have come, or the time is over.
  func wait(events: Int, seconds: Double) async -> Bool {
    let patience = Task {
      try await Task.sleep(nanoseconds: UInt64(seconds * 1e9))
      state.withLock { $0.wake(anyway: true) }
    }
    defer { patience.cancel() }
    return await withCheckedContinuation { continuation in
      state.withLock { state in
        state.waiter = (events, continuation)
        state.wake()
      }
    }
  }
}

/// Times in seconds, sorted once.
struct Percentiles {
  private let sorted: [Double]
  init(_ values: [Double]) { sorted = values.sorted() }
  /// In milliseconds.
  func milliseconds(_ part: Double) -> Double {
    guard !sorted.isEmpty else { return 0 }
    return sorted[min(sorted.count - 1, Int(Double(sorted.count) * part))] * 1_000
  }
}
