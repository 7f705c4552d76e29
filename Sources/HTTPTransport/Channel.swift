internal import CLinux
internal import COpenSSL
internal import Glibc

/// A non-blocking TCP stream on an event loop, with TLS or without.
///
/// Loop thread only.
///
/// Output is pulled: whenever the socket takes bytes, the delegate is asked for about one TLS record's worth, so that many small frames
/// leave in one record and one system call.
final class Channel: LoopWatcher {
  private enum State {
    case connecting
    case handshaking
    case open
    case closed
  }

  weak var delegate: (any ChannelDelegate)?
  let descriptor: Int32
  private let loop: EventLoop
  private let session: OpaquePointer?
  private var state: State
  private var token: UInt64 = 0
  private var watched: UInt32 = 0
  private var output: [UInt8] = []
  private var outputStart = 0
  private var mustWaitToWrite = false
  private var isFrozen = false
  private var isQueued = false
  private var closesWhenWritten = false
  /// Bytes that the kernel has taken, in whole TLS records, since the beginning.
  private(set) var bytesWritten = 0
  /// Bytes that the delegate has produced since the beginning.
  private(set) var bytesProduced = 0

  /// Takes over the descriptor and the TLS session.
  ///
  /// `isConnecting`: a non-blocking connect is under way.
  init(loop: EventLoop, descriptor: Int32, session: OpaquePointer?, isConnecting: Bool) {
    self.loop = loop
    self.descriptor = descriptor
    self.session = session
    state = isConnecting ? .connecting : session == nil ? .open : .handshaking
    output.reserveCapacity(2 * Self.recordBytes)
  }

  deinit {
    // `close` has run unless the owner forgot; never leak a descriptor.
    if state != .closed { release() }
  }

  static let recordBytes = 16_384

  /// Non-blocking socket that is connecting to the address; nil with errno set when that fails at once.
  static func connectingSocket(to address: SocketAddress) -> Int32? {
    let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    let descriptor = socket(address.family, kind, 0)
    guard descriptor >= 0 else { return nil }
    setNoDelay(descriptor)
    let result = address.withSockaddr { connect(descriptor, $0, $1) }
    guard result == 0 || errno == EINPROGRESS else {
      let reason = errno
      Glibc.close(descriptor)
      errno = reason
      return nil
    }
    return descriptor
  }

  static func setNoDelay(_ descriptor: Int32) {
    var on: Int32 = 1
    setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &on, socklen_t(MemoryLayout<Int32>.size))
  }

  static func closeDescriptor(_ descriptor: Int32) { Glibc.close(descriptor) }

  /// Begins; the delegate hears `channelOpened` when bytes can flow.
  func start() {
    watched = state == .connecting ? EPOLLOUT.rawValue : EPOLLIN.rawValue
    token = loop.watch(descriptor, events: watched, self)
    switch state {
    // A peer on another core can be quick enough that the handshake ends within this call.
    case .handshaking: shakeHands()
    case .open: delegate?.channelOpened()
    case .connecting, .closed: break
    }
  }

  /// The protocol chosen by ALPN, empty without one.
  var negotiatedProtocol: String {
    guard let session else { return "" }
    var bytes: UnsafePointer<UInt8>?
    var length: UInt32 = 0
    SSL_get0_alpn_selected(session, &bytes, &length)
    return String(decoding: UnsafeBufferPointer(start: bytes, count: Int(length)), as: UTF8.self)
  }

  /// Something may be there to send: the delegate is asked at the end of this turn.
  func setNeedsWrite() {
    guard !isQueued, state != .closed else { return }
    isQueued = true
    loop.callAtTurnEnd(self)
  }

  /// Closes as soon as everything produced so far has been written.
  func closeAfterWriting() {
    closesWhenWritten = true
    setNeedsWrite()
  }

  /// Neither reads nor writes any more, without closing.
  func freeze() {
    isFrozen = true
    updateInterest()
  }

  /// Closes now, without telling the delegate.
  func close() {
    guard state != .closed else { return }
    release()
  }

  private func release() {
    state = .closed
    loop.unwatch(descriptor, token: token)
    if let session {
      if outputStart == output.count { _ = SSL_shutdown(session) }
      SSL_free(session)
    }
    ERR_clear_error()
    Glibc.close(descriptor)
  }

  private func fail(_ reason: ChannelClose) {
    guard state != .closed else { return }
    release()
    delegate?.channelClosed(reason)
  }

  // MARK: events

  func ready(events: UInt32) {
    guard !isFrozen else {
      // epoll reports these two even when nobody asks; the peer has given up on the black hole.
      if events & (EPOLLHUP.rawValue | EPOLLERR.rawValue) != 0 { fail(.broken("the peer reset the connection")) }
      return
    }
    switch state {
    case .connecting: finishConnecting()
    case .handshaking: shakeHands()
    case .open:
      if events & (EPOLLIN.rawValue | EPOLLHUP.rawValue | EPOLLERR.rawValue) != 0 { readAll() }
      if events & EPOLLOUT.rawValue != 0 {
        mustWaitToWrite = false
        setNeedsWrite()
      }
    case .closed: break
    }
  }

  func turnEnds() {
    isQueued = false
    guard state == .open, !isFrozen else { return }
    writeAll()
  }

  private func finishConnecting() {
    var reason: Int32 = 0
    var size = socklen_t(MemoryLayout<Int32>.size)
    getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &reason, &size)
    guard reason == 0 else { return fail(.connect(SystemError.text(reason))) }
    if session != nil {
      state = .handshaking
      shakeHands()
    } else {
      open()
    }
  }

  private func shakeHands() {
    guard let session else { return }
    ERR_clear_error()
    let result = SSL_do_handshake(session)
    if result == 1 { return open() }
    switch SSL_get_error(session, result) {
    case SSL_ERROR_WANT_READ: setInterest(EPOLLIN.rawValue)
    case SSL_ERROR_WANT_WRITE: setInterest(EPOLLOUT.rawValue)
    default: fail(.tls(handshakeFailure(session)))
    }
  }

  private func handshakeFailure(_ session: OpaquePointer) -> String {
    let verdict = SSL_get_verify_result(session)
    if verdict != Int(X509_V_OK), let text = X509_verify_cert_error_string(verdict) {
      ERR_clear_error()
      return "the peer's certificate was refused: \(String(cString: text))"
    }
    let code = errno
    let text = Crypto.lastError()
    return text == "no further detail" && code != 0 ? SystemError.text(code) : text
  }

  private func open() {
    state = .open
    setInterest(EPOLLIN.rawValue)
    delegate?.channelOpened()
    if state == .open { readAll() }
    setNeedsWrite()
  }

  private func readAll() {
    let buffer = loop.readBuffer
    while state == .open, !isFrozen {
      let count = session.map { readTLS($0, buffer) } ?? readPlain(buffer)
      guard count > 0 else { break }
      delegate?.channelReceived(UnsafeBufferPointer(rebasing: buffer[..<count]))
      // Without buffered bytes the next wake-up will tell; that saves a read that only returns "try again".
      if state == .open, let session, SSL_has_pending(session) == 0 { break }
      if session == nil && count < buffer.count { break }
    }
    setNeedsWrite()
  }

  /// Bytes read; 0 when there are none now; after a failure the state is closed.
  private func readTLS(_ session: OpaquePointer, _ buffer: UnsafeMutableBufferPointer<UInt8>) -> Int {
    ERR_clear_error()
    let count = SSL_read(session, buffer.baseAddress, Int32(buffer.count))
    if count > 0 { return Int(count) }
    switch SSL_get_error(session, count) {
    case SSL_ERROR_WANT_READ: break
    case SSL_ERROR_WANT_WRITE: setInterest(watched | EPOLLOUT.rawValue)
    case SSL_ERROR_ZERO_RETURN: fail(.endOfStream)
    case SSL_ERROR_SYSCALL: fail(errno == 0 ? .endOfStream : .broken(SystemError.text(errno)))
    default: fail(.broken(Crypto.lastError()))
    }
    return 0
  }

  private func readPlain(_ buffer: UnsafeMutableBufferPointer<UInt8>) -> Int {
    let count = recv(descriptor, buffer.baseAddress, buffer.count, 0)
    if count > 0 { return count }
    if count == 0 {
      fail(.endOfStream)
    } else if errno != EAGAIN && errno != EINTR {
      fail(.broken(SystemError.text(errno)))
    }
    return 0
  }

  private func writeAll() {
    while state == .open, !mustWaitToWrite {
      if outputStart == output.count {
        output.removeAll(keepingCapacity: true)
        outputStart = 0
        delegate?.channelProduce(into: &output)
        bytesProduced += output.count
        guard state == .open, !output.isEmpty else { break }
      }
      let taken = session.map { writeTLS($0) } ?? writePlain()
      guard taken > 0 else { break }
      outputStart += taken
      bytesWritten += taken
    }
    guard state == .open else { return }
    updateInterest()
    if closesWhenWritten && outputStart == output.count { fail(.finished) }
  }

  private func writeTLS(_ session: OpaquePointer) -> Int {
    ERR_clear_error()
    let taken = output.withUnsafeBufferPointer {
      SSL_write(
        session, $0.baseAddress?.advanced(by: outputStart), Int32(min($0.count - outputStart, Self.recordBytes)))
    }
    if taken > 0 { return Int(taken) }
    switch SSL_get_error(session, taken) {
    case SSL_ERROR_WANT_WRITE: mustWaitToWrite = true
    case SSL_ERROR_WANT_READ: break
    case SSL_ERROR_SYSCALL: fail(.broken(SystemError.text(errno)))
    default: fail(.broken(Crypto.lastError()))
    }
    return 0
  }

  private func writePlain() -> Int {
    let taken = output.withUnsafeBufferPointer {
      Glibc.send(descriptor, $0.baseAddress?.advanced(by: outputStart), $0.count - outputStart, Int32(MSG_NOSIGNAL))
    }
    if taken > 0 { return taken }
    if errno == EAGAIN { mustWaitToWrite = true } else { fail(.broken(SystemError.text(errno))) }
    return 0
  }

  private func updateInterest() {
    let events = isFrozen ? 0 : mustWaitToWrite ? EPOLLIN.rawValue | EPOLLOUT.rawValue : EPOLLIN.rawValue
    setInterest(events)
  }

  private func setInterest(_ events: UInt32) {
    guard watched != events, state != .closed else { return }
    watched = events
    loop.change(descriptor, token: token, events: events)
  }
}

/// The owner of a channel.
///
/// All calls come on the loop's thread.
protocol ChannelDelegate: AnyObject {
  /// Connected, and the TLS handshake is done.
  func channelOpened()
  /// Valid during the call only.
  func channelReceived(_ bytes: UnsafeBufferPointer<UInt8>)
  /// Append up to about one TLS record of what is to be sent; nothing when there is nothing.
  func channelProduce(into output: inout [UInt8])
  /// Called at most once, and not after `close`.
  func channelClosed(_ reason: ChannelClose)
}

/// Why a channel ended.
enum ChannelClose: Hashable, Sendable {
  case connect(String)
  case tls(String)
  /// The peer closed.
  case endOfStream
  case broken(String)
  /// `closeAfterWriting` has done its work.
  case finished

  var text: String {
    switch self {
    case .connect(let reason): "connection failed: \(reason)"
    case .tls(let reason): "TLS failed: \(reason)"
    case .endOfStream: "the peer closed the connection"
    case .broken(let reason): "the connection broke: \(reason)"
    case .finished: "closed"
    }
  }
}
