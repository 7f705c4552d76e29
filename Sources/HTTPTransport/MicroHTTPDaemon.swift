internal import CLinux
internal import CMicroHTTPD
internal import Glibc

/// One running daemon of libmicrohttpd and the callbacks that lead into Swift.
///
/// The library has no thread of its own: an event loop runs it, and the tasks that answer requests run on the same loop.
final class MicroHTTPDaemon: @unchecked Sendable {
  // Sendable: the mutable state is in `state`; `daemon` is set once in init and ended once in `stop`; the rest is the loop's.
  private struct State {
    var exchanges: Set<MicroHTTPExchange> = []
    var connections: Set<MicroHTTPConnection> = []
    var isListening = true
    var isStopping = false
    var waitingForEnd: CheckedContinuation<Void, Never>?
  }

  let library: MicroHTTPLibrary
  let address: SocketAddress
  let listenDescriptor: Int32
  let limits: HTTPServerConfiguration.Limits
  let refusal: MicroHTTPServer.Refusal
  let handler: MicroHTTPServer.Handler
  let isSecure: Bool
  private let state = Locked(State())
  private let callbacks = UnsafeMutablePointer<mhd_callbacks>.allocate(capacity: 1)
  private var daemon: OpaquePointer?
  private let loop: EventLoop
  /// Where requests are answered.
  let lane: LoopLane
  // Loop thread only.
  private var watched: (descriptor: Int32, token: UInt64)?
  private var timer: LoopTimer?

  /// Starts; takes over the listening descriptor.
  init(
    library: MicroHTTPLibrary, descriptor: Int32, address: SocketAddress, identity: TLSIdentity?,
    limits: HTTPServerConfiguration.Limits, refusal: @escaping MicroHTTPServer.Refusal,
    handler: @escaping MicroHTTPServer.Handler
  ) throws(HTTPServerError) {
    self.library = library
    self.address = address
    self.limits = limits
    self.refusal = refusal
    self.handler = handler
    listenDescriptor = descriptor
    isSecure = identity != nil
    loop = EventLoop(name: "aloud-http")
    lane = LoopLane(loop)
    callbacks.initialize(to: Self.callbacks(for: Unmanaged.passUnretained(self).toOpaque()))
    daemon = launch(identity)
    guard daemon != nil else {
      Channel.closeDescriptor(descriptor)
      loop.stop()
      throw .cannotListen(host: address.host, port: address.port, reason: "libmicrohttpd refused to start")
    }
    loop.post { [weak self] in
      self?.watch()
      self?.endSlowClients()
    }
  }

  deinit { callbacks.deallocate() }

  private func launch(_ identity: TLSIdentity?) -> OpaquePointer? {
    var settings = mhd_settings()
    settings.listen_descriptor = listenDescriptor
    settings.is_ipv6 = address.family == AF_INET6 ? 1 : 0
    settings.idle_seconds = UInt32(clamping: limits.idleSeconds)
    settings.connections = UInt32(clamping: limits.connections)
    settings.connections_per_address = UInt32(clamping: limits.connectionsPerAddress)
    // The pool of a connection holds the request's header and afterwards the answer's.
    settings.memory_bytes = limits.headerBytes + 4_096
    guard let identity else { return mhd_start(library.table, &settings, callbacks) }
    return identity.certificateChainPEM.withCString { certificate in
      identity.privateKeyPEM.withCString { key in
        settings.certificate = certificate
        settings.key = key
        return mhd_start(library.table, &settings, callbacks)
      }
    }
  }

  // MARK: ending

  /// Accepts no more connections; the port is free unless another daemon holds a copy of the socket.
  func stopListening() async {
    let mustStop = state.withLock { state in
      defer { state.isListening = false }
      return state.isListening
    }
    guard mustStop, let daemon = daemon.map(SendablePointer.init) else { return }
    let descriptor = await loop.run { [library] in library.table.pointee.quiesce_daemon(daemon.value) }
    if descriptor >= 0 { Channel.closeDescriptor(descriptor) }
  }

  /// Waits for answers in progress, then ends every connection.
  func stop(graceSeconds: Double) async {
    await stopListening()
    let streaming = state.withLock { state in
      state.isStopping = true
      return state.exchanges
    }
    for exchange in streaming { exchange.endStream() }
    loop.post { [self] in loop.schedule(afterSeconds: graceSeconds) { [self] in self.giveUp() } }
    await withCheckedContinuation { continuation in
      let isEmpty = state.withLock { state in
        if state.exchanges.isEmpty { return true }
        state.waitingForEnd = continuation
        return false
      }
      if isEmpty { continuation.resume() }
    }
    // Nothing is suspended any more, so that the library may stop.
    await loop.run { [self] in
      if let watched { loop.unwatch(watched.descriptor, token: watched.token) }
      if let timer { loop.cancel(timer) }
      (watched, timer) = (nil, nil)
      if let daemon { library.table.pointee.stop_daemon(daemon) }
    }
    loop.stop()
  }

  /// Ends what is still in progress: a suspended connection must not be left when the library stops.
  private func giveUp() {
    for exchange in state.withLock({ $0.exchanges }) { exchange.abandon() }
  }

  func began(_ exchange: MicroHTTPExchange) { state.withLock { _ = $0.exchanges.insert(exchange) } }

  func ended(_ exchange: MicroHTTPExchange) {
    let waiting = state.withLock { state -> CheckedContinuation<Void, Never>? in
      state.exchanges.remove(exchange)
      guard state.isStopping, state.exchanges.isEmpty else { return nil }
      defer { state.waitingForEnd = nil }
      return state.waitingForEnd
    }
    waiting?.resume()
  }

  var isStopping: Bool { state.withLock { $0.isStopping } }

  // MARK: the loop

  private func watch() {
    guard let daemon else { return }
    let descriptor = mhd_poll_descriptor(library.table, daemon)
    watched = (descriptor, loop.watch(descriptor, events: EPOLLIN.rawValue, self))
    runLibrary()
  }

  /// Lets the library go on with a connection that waited for an answer.
  func resume(_ connection: OpaquePointer) {
    guard loop.isCurrent else {
      let connection = SendablePointer(connection)
      // A suspended connection stays until it is resumed. When the loop has stopped there are none.
      loop.post { [self] in resume(connection.value) }
      return
    }
    library.table.pointee.resume_connection(connection)
    loop.callAtTurnEnd(self)
  }

  private func runLibrary() {
    guard let daemon, watched != nil else { return }
    var milliseconds = mhd_run(library.table, daemon)
    // Zero: a connection has more to do than one step.
    for _ in 0..<Self.stepsAtOnce where milliseconds == 0 { milliseconds = mhd_run(library.table, daemon) }
    if let timer { loop.cancel(timer) }
    timer = nil
    guard milliseconds >= 0 else { return }
    timer = loop.schedule(afterSeconds: Double(milliseconds) / 1_000) { [weak self] in
      self?.timer = nil
      self?.runLibrary()
    }
  }

  private static let stepsAtOnce = 8

  // MARK: connections

  /// A connection may wait for its next request, and then the request line may drip in.
  var deadlineOfIdle: Double { EventLoop.monotonicSeconds() + Double(limits.idleSeconds + limits.requestSeconds) }

  private var deadlineOfRequest: Double { EventLoop.monotonicSeconds() + Double(limits.requestSeconds) }

  private func connectionOpened(_ connection: OpaquePointer) -> MicroHTTPConnection {
    let peer = mhd_peer(library.table, connection)
    let made = MicroHTTPConnection(
      descriptor: mhd_descriptor(library.table, connection),
      remoteAddress: peer.flatMap { SocketAddress($0)?.host } ?? "", deadline: deadlineOfIdle)
    state.withLock { _ = $0.connections.insert(made) }
    return made
  }

  private func connectionClosed(_ connection: MicroHTTPConnection) {
    state.withLock { state in
      connection.isOpen = false
      state.connections.remove(connection)
    }
  }

  /// A client that drips its request resets the library's idle timer with each byte; this clock it cannot reset.
  private func endSlowClients() {
    let now = EventLoop.monotonicSeconds()
    state.withLock { state in
      for connection in state.connections where connection.isOpen {
        guard let deadline = connection.deadline, now > deadline else { continue }
        // The descriptor is open: `connectionClosed` takes this lock before the library closes it.
        shutdown(connection.descriptor, Int32(SHUT_RDWR))
      }
    }
    loop.schedule(afterSeconds: min(1, Double(limits.requestSeconds) / 4)) { [weak self] in self?.endSlowClients() }
  }

  func withConnection(_ connection: OpaquePointer, _ body: (MicroHTTPConnection) -> Void) {
    guard let slot = mhd_slot(library.table, connection) else { return }
    let found = Unmanaged<MicroHTTPConnection>.fromOpaque(slot).takeUnretainedValue()
    state.withLock { _ in body(found) }
  }

  // MARK: callbacks

  private static func from(_ context: UnsafeMutableRawPointer?) -> MicroHTTPDaemon? {
    context.map { Unmanaged<MicroHTTPDaemon>.fromOpaque($0).takeUnretainedValue() }
  }

  private static func callbacks(for context: UnsafeMutableRawPointer) -> mhd_callbacks {
    mhd_callbacks(
      context: context,
      connection: { context, connection, slot, opened in
        guard let me = MicroHTTPDaemon.from(context), let connection, let slot else { return }
        if opened != 0 {
          slot.pointee = Unmanaged.passRetained(me.connectionOpened(connection)).toOpaque()
        } else if let kept = slot.pointee {
          me.connectionClosed(Unmanaged<MicroHTTPConnection>.fromOpaque(kept).takeRetainedValue())
          slot.pointee = nil
        }
      },
      target: { context, target, connection in
        guard let me = MicroHTTPDaemon.from(context), let target, let connection else { return nil }
        me.withConnection(connection) { $0.deadline = me.deadlineOfRequest }
        let exchange = MicroHTTPExchange(daemon: me, connection: connection, target: String(cString: target))
        return Unmanaged.passRetained(exchange).toOpaque()
      },
      request: { _, _, method, bytes, size, exchange in
        guard let method, let size, let kept = exchange?.pointee else { return 0 }
        let me = Unmanaged<MicroHTTPExchange>.fromOpaque(kept).takeUnretainedValue()
        return me.advance(method: method, bytes: bytes, size: size) ? 1 : 0
      },
      completed: { _, _, exchange in
        guard let exchange, let kept = exchange.pointee else { return }
        Unmanaged<MicroHTTPExchange>.fromOpaque(kept).takeRetainedValue().completed()
        exchange.pointee = nil
      })
  }
}

extension MicroHTTPDaemon: LoopWatcher {
  // Once a turn, after the answers that the turn has brought.
  func ready(events: UInt32) { loop.callAtTurnEnd(self) }
  func turnEnds() { runLibrary() }
}

/// What is known of one TCP connection; guarded by the daemon's lock.
final class MicroHTTPConnection: Hashable, @unchecked Sendable {
  // Sendable: `isOpen` and `deadline` are read and written under the daemon's lock only.
  let descriptor: Int32
  let remoteAddress: String
  var isOpen = true
  /// A complete request must be there by then (monotonic seconds); nil while one is being answered.
  var deadline: Double?

  init(descriptor: Int32, remoteAddress: String, deadline: Double) {
    self.deadline = deadline
    self.descriptor = descriptor
    self.remoteAddress = remoteAddress
  }

  static func == (left: MicroHTTPConnection, right: MicroHTTPConnection) -> Bool { left === right }

  func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

/// Carries a pointer to a library's own object into another thread.
struct SendablePointer: @unchecked Sendable {
  // Sendable: the object behind it is the library's, which does its own locking.
  let value: OpaquePointer
  init(_ value: OpaquePointer) { self.value = value }
}
