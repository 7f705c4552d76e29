internal import CMicroHTTPD
internal import CLinux
internal import Glibc

/// One request and its answer on a connection of libmicrohttpd.
///
/// The library calls `advance` on its thread; the handler runs in a task and `finish` wakes the suspended connection again.
final class MicroHTTPExchange: Hashable, @unchecked Sendable {
  // Sendable: `shared` is locked; the rest is touched by the library's thread only.
  private enum Phase {
    case receiving
    case working
    case answered(HTTPResponse)
    case sent
  }

  private struct Shared {
    var phase = Phase.receiving
    var task: Task<Void, Never>?
    var stream: MicroHTTPStream?
  }

  private let daemon: MicroHTTPDaemon
  private let connection: OpaquePointer
  private let target: String
  private let shared = Locked(Shared())
  private var headers = HTTPHeaders()
  private var body: [UInt8] = []
  private var droppedBytes = 0
  private var hasHeader = false
  private var isRegistered = false

  init(daemon: MicroHTTPDaemon, connection: OpaquePointer, target: String) {
    self.daemon = daemon
    self.connection = connection
    self.target = target
  }

  // MARK: the library's thread

  /// False closes the connection.
  func advance(method: UnsafePointer<CChar>, bytes: UnsafePointer<CChar>?, size: UnsafeMutablePointer<Int>) -> Bool {
    if !hasHeader { return begin() }
    if size.pointee > 0 {
      let isTolerable = receive(bytes, size.pointee)
      size.pointee = 0
      return isTolerable
    }
    switch shared.withLock({ $0.phase }) {
    case .receiving: return work(String(cString: method))
    case .answered(let response): return send(response)
    case .working, .sent: return true
    }
  }

  private func begin() -> Bool {
    hasHeader = true
    readHeaders()
    let declared = headers["content-length"].flatMap { Int($0) } ?? 0
    guard declared <= daemon.limits.bodyBytes else {
      return send(daemon.refusal(413, "The body has \(declared) bytes; at most \(daemon.limits.bodyBytes) are taken."))
    }
    body.reserveCapacity(declared)
    return true
  }

  private func readHeaders() {
    let raw = Unmanaged.passUnretained(self).toOpaque()
    mhd_headers(
      daemon.library.table, connection,
      { context, name, nameLength, value, valueLength in
        guard let context, let name, let value else { return 1 }
        let me = Unmanaged<MicroHTTPExchange>.fromOpaque(context).takeUnretainedValue()
        me.headers.add(
          String(decoding: UnsafeRawBufferPointer(start: name, count: nameLength), as: UTF8.self),
          String(decoding: UnsafeRawBufferPointer(start: value, count: valueLength), as: UTF8.self))
        return 1
      }, raw)
  }

  /// Keeps the bytes up to the limit.
  ///
  /// A body without a declared length that goes on and on ends the connection.
  private func receive(_ bytes: UnsafePointer<CChar>?, _ count: Int) -> Bool {
    guard droppedBytes == 0, body.count + count <= daemon.limits.bodyBytes else {
      droppedBytes += count
      return droppedBytes <= max(daemon.limits.bodyBytes, 1 << 20)
    }
    body.append(contentsOf: UnsafeRawBufferPointer(start: bytes, count: count))
    return true
  }

  private func work(_ method: String) -> Bool {
    var remoteAddress = ""
    daemon.withConnection(connection) { connection in
      connection.deadline = nil
      remoteAddress = connection.remoteAddress
    }
    if droppedBytes > 0 {
      return send(daemon.refusal(413, "The body is longer than \(daemon.limits.bodyBytes) bytes."))
    }
    if daemon.isStopping { return send(daemon.refusal(503, "The server is stopping; try again in a few seconds.")) }
    guard let parts = RequestTarget(target) else {
      return send(
        daemon.refusal(
          400,
          "The address is not valid: percent-encoding must be two hexadecimal digits and UTF-8, without control characters."
        ))
    }
    let request = HTTPRequest(
      method: method, path: parts.path, query: parts.query, headers: headers, body: body, remoteAddress: remoteAddress,
      isSecure: daemon.isSecure)
    body = []
    start(request)
    return true
  }

  private func start(_ request: HTTPRequest) {
    isRegistered = true
    daemon.began(self)
    shared.withLock { $0.phase = .working }
    daemon.library.table.pointee.suspend_connection(connection)
    let started = Task(executorPreference: daemon.lane) { [self] in finish(await daemon.handler(request)) }
    shared.withLock { $0.task = started }
  }

  private func send(_ response: HTTPResponse) -> Bool {
    shared.withLock { $0.phase = .sent }
    guard let made = makeResponse(response) else { return false }
    defer { daemon.library.table.pointee.destroy_response(made) }
    for field in response.headers {
      // A field with a line break or an empty name is not taken: without it the answer is still valid.
      _ = field.name.withCString { name in
        field.value.withCString { mhd_add_header(daemon.library.table, made, name, $0) }
      }
    }
    return mhd_queue(daemon.library.table, connection, UInt32(clamping: response.status), made) == 1
  }

  private func makeResponse(_ response: HTTPResponse) -> OpaquePointer? {
    switch response.body {
    case .bytes(let bytes): return mhd_bytes_response(daemon.library.table, bytes, bytes.count)
    case .stream(let writing):
      let stream = MicroHTTPStream(
        daemon: daemon, connection: connection, limit: daemon.limits.streamBufferBytes)
      shared.withLock { $0.stream = stream }
      let started = Task {
        await writing(stream)
        stream.end()
      }
      shared.withLock { $0.task = started }
      if daemon.isStopping { stream.end() }
      return stream.makeResponse()
    }
  }

  /// The library is done with this exchange, sent or broken.
  func completed() {
    let (stream, task) = shared.withLock { ($0.stream, $0.task) }
    stream?.close()
    task?.cancel()
    daemon.withConnection(connection) { [daemon] in $0.deadline = daemon.deadlineOfIdle }
    if isRegistered { daemon.ended(self) }
  }

  // MARK: any thread

  private func finish(_ response: HTTPResponse) {
    let mustResume = shared.withLock { shared in
      guard case .working = shared.phase else { return false }
      shared.phase = .answered(response)
      return true
    }
    if mustResume { daemon.resume(connection) }
  }

  /// The server stops: a stream ends with what it has.
  func endStream() { shared.withLock { $0.stream }?.end() }

  /// The grace is over.
  func abandon() {
    // The answer first: a cancelled handler would return something half done.
    finish(daemon.refusal(503, "The server stopped before the answer was ready."))
    endStream()
    shared.withLock { $0.task }?.cancel()
  }

  static func == (left: MicroHTTPExchange, right: MicroHTTPExchange) -> Bool { left === right }

  func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
