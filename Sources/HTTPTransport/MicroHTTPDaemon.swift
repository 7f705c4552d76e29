internal import CLinux
internal import CMicroHTTPD
internal import Glibc

/// One running daemon of libmicrohttpd and the callbacks that lead into Swift.
final class MicroHTTPDaemon: @unchecked Sendable {
  // Sendable: the mutable state is in `state`; `daemon` is set once in init and ended once in `stop`.
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
  private let clock: EventLoop

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
    clock = EventLoop(name: "aloud-http-time")
    callbacks.initialize(to: Self.callbacks(for: Unmanaged.passUnretained(self).toOpaque()))
    daemon = launch(identity)
    guard daemon != nil else {
      Channel.closeDescriptor(descriptor)
      clock.stop()
      throw .cannotListen(host: address.host, port: address.port, reason: "libmicrohttpd refused to start")
    }
    clock.post { [weak self] in self?.endSlowClients() }
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
  func stopListening() {
    let mustStop = state.withLock { state in
      defer { state.isListening = false }
      return state.isListening
    }
    guard mustStop, let daemon else { return }
    let descriptor = library.table.pointee.quiesce_daemon(daemon)
    if descriptor >= 0 { Channel.closeDescriptor(descriptor) }
  }

  /// Waits for answers in progress, then ends every connection.
  func stop(graceSeconds: Double) async {
    stopListening()
    let streaming = state.withLock { state in
      state.isStopping = true
      return state.exchanges
    }
    for exchange in streaming { exchange.endStream() }
    clock.post { [self] in clock.schedule(afterSeconds: graceSeconds) { [self] in self.giveUp() } }
    await withCheckedContinuation { continuation in
      let isEmpty = state.withLock { state in
        if state.exchanges.isEmpty { return true }
        state.waitingForEnd = continuation
        return false
      }
      if isEmpty { continuation.resume() }
    }
    clock.stop()
    guard let daemon else { return }
    // Blocks until the library's thread has ended, which is soon because nothing is suspended any more.
    await withCheckedContinuation { continuation in
      let stop = library.table.pointee.stop_daemon
      let reference = SendablePointer(daemon)
      let started = Thread.start("aloud-http-stop") {
        stop?(reference.value)
        continuation.resume()
      }
      if !started { continuation.resume() }
    }
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
    clock.schedule(afterSeconds: min(1, Double(limits.requestSeconds) / 4)) { [weak self] in self?.endSlowClients() }
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
