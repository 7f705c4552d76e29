/// An HTTP/2-over-TLS server for the sandbox: one event-loop thread, handlers called on it.
package final class HTTP2Server: @unchecked Sendable {
  // Sendable: `core` is only touched on its loop; the rest does not change.

  /// Called on the loop's thread: decide quickly, or return `.later` and call `finish` from anywhere.
  package typealias Handler = @Sendable (HTTP2ServerRequest) -> HTTP2ServerAction

  private let configuration: HTTP2ServerConfiguration
  private let onEvent: @Sendable (HTTP2ServerEvent) -> Void
  private let handler: Handler
  private let running = Locked<HTTP2ServerCore?>(nil)

  package init(
    _ configuration: HTTP2ServerConfiguration,
    onEvent: @escaping @Sendable (HTTP2ServerEvent) -> Void = { _ in },
    handler: @escaping Handler
  ) {
    self.configuration = configuration
    self.onEvent = onEvent
    self.handler = handler
  }

  /// Binds, listens and serves; returns the port.
  @discardableResult
  package func start() async throws(HTTPServerError) -> Int {
    let tls: TLSContext
    do {
      tls = try TLSContext(identity: configuration.identity, protocols: ["h2"])
    } catch {
      throw .badIdentity(reason: error.message)
    }
    let (descriptor, address) = try ListeningSocket.bind(host: configuration.host, port: configuration.port)
    let core = HTTP2ServerCore(configuration, tls: tls, onEvent: onEvent, handler: handler)
    let previous = running.withLock { current in
      defer { current = core }
      return current
    }
    if let previous { await previous.stop(graceSeconds: 0) }
    await core.loop.run { core.listen(descriptor, address) }
    return address.port
  }

  /// GOAWAY to every connection, answers in progress for up to `graceSeconds`, then closed.
  package func stop(graceSeconds: Double = 1) async {
    let core = running.withLock { current in
      defer { current = nil }
      return current
    }
    await core?.stop(graceSeconds: graceSeconds)
  }

  /// The connections that are open and past the TLS handshake.
  package var connections: [HTTP2ServerConnection] {
    get async {
      guard let core = running.withLock({ $0 }) else { return [] }
      return await core.loop.run { core.openConnections }
    }
  }
}

/// The part of the server that lives on the loop.
final class HTTP2ServerCore: @unchecked Sendable {
  // Sendable: everything mutable is touched on `loop` only.
  let loop = EventLoop(name: "aloud-h2-server")
  let configuration: HTTP2ServerConfiguration
  let handler: HTTP2Server.Handler
  private let tls: TLSContext
  private let onEvent: @Sendable (HTTP2ServerEvent) -> Void
  private var listener: ListeningSocket?
  private var peers: [Int: HTTP2ServerPeer] = [:]
  private var nextNumber = 1
  private var whenEmpty: (() -> Void)?

  init(
    _ configuration: HTTP2ServerConfiguration, tls: TLSContext,
    onEvent: @escaping @Sendable (HTTP2ServerEvent) -> Void, handler: @escaping HTTP2Server.Handler
  ) {
    self.configuration = configuration
    self.tls = tls
    self.onEvent = onEvent
    self.handler = handler
  }

  func listen(_ descriptor: Int32, _ address: SocketAddress) {
    let listener = ListeningSocket(loop: loop, descriptor: descriptor, address: address) { [unowned self] in accept($0)
    }
    self.listener = listener
    listener.start()
  }

  var openConnections: [HTTP2ServerConnection] { peers.values.filter(\.isOpen).map(\.handle).sorted { $0.id < $1.id } }

  private func accept(_ descriptor: Int32) {
    guard let session = try? tls.serverSession(descriptor: descriptor) else {
      Channel.closeDescriptor(descriptor)
      return
    }
    let address = SocketAddress.peer(of: descriptor)?.host ?? ""
    let channel = Channel(loop: loop, descriptor: descriptor, session: session, isConnecting: false)
    let peer = HTTP2ServerPeer(core: self, channel: channel, number: nextNumber, remoteAddress: address)
    peers[nextNumber] = peer
    nextNumber += 1
    channel.start()
    loop.schedule(afterSeconds: configuration.handshakeSeconds) { [weak peer] in
      if let peer, !peer.wasOpened { peer.cut() }
    }
  }

  func opened(_ peer: HTTP2ServerPeer) { onEvent(.opened(peer.handle)) }

  func closed(_ peer: HTTP2ServerPeer) {
    guard peers.removeValue(forKey: peer.handle.id) != nil else { return }
    if peer.wasOpened { onEvent(.closed(peer.handle, clientResets: peer.clientResets)) }
    if peers.isEmpty { reportEmpty() }
  }

  private func reportEmpty() {
    let action = whenEmpty
    whenEmpty = nil
    action?()
  }

  func stop(graceSeconds: Double) async {
    await withCheckedContinuation { continuation in
      loop.post { [self] in
        whenEmpty = { continuation.resume() }
        listener?.close()
        listener = nil
        for peer in peers.values { peer.shutDown() }
        if peers.isEmpty { return reportEmpty() }
        loop.schedule(afterSeconds: graceSeconds) { [self] in for peer in peers.values { peer.cut() } }
      }
    }
    loop.stop()
  }
}

/// A client's connection as a handle that any thread may use.
///
/// Calls after its end do nothing.
package final class HTTP2ServerConnection: @unchecked Sendable, Hashable {
  // Sendable: `peer` is set once before the handle is given out and read on the loop only.

  /// Unique within the server.
  package let id: Int
  package let remoteAddress: String
  private let loop: EventLoop
  weak var peer: HTTP2ServerPeer?

  init(id: Int, remoteAddress: String, loop: EventLoop) {
    self.id = id
    self.remoteAddress = remoteAddress
    self.loop = loop
  }

  /// Announces another SETTINGS_MAX_CONCURRENT_STREAMS.
  package func setMaxConcurrentStreams(_ limit: Int) { onLoop { $0.setMaxConcurrentStreams(limit) } }

  /// Sends a GOAWAY frame.
  ///
  /// `lastStreamID` nil means the newest stream seen: everything sent so far is still answered; a smaller one says that later streams
  /// were not processed, and they are not answered. Open streams go on, and the connection closes when the last is done.
  package func goAway(lastStreamID: Int32? = nil, errorCode: UInt32 = 0, debugData: [UInt8] = []) {
    onLoop { $0.goAway(lastStreamID: lastStreamID, errorCode: errorCode, debugData: debugData) }
  }

  /// Cuts the connection at once, answers in progress are lost.
  package func cut() { onLoop { $0.cut() } }

  /// Neither reads nor writes any more, without closing: a black hole.
  package func freeze() { onLoop { $0.freeze() } }

  func finish(streamID: Int32, _ action: HTTP2ServerAction) { onLoop { $0.finish(streamID, action) } }

  private func onLoop(_ body: @escaping @Sendable (HTTP2ServerPeer) -> Void) {
    loop.post { [self] in if let peer { body(peer) } }
  }

  package static func == (left: HTTP2ServerConnection, right: HTTP2ServerConnection) -> Bool { left === right }

  package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
