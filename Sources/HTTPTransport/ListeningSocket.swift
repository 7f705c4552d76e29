internal import CLinux
internal import Glibc

/// A TCP socket that accepts on an event loop.
///
/// Loop thread only, apart from `bind`.
final class ListeningSocket: LoopWatcher {
  let descriptor: Int32
  let address: SocketAddress
  private let loop: EventLoop
  private let accepted: (Int32) -> Void
  private var token: UInt64 = 0
  private var isClosed = false

  /// Binds and listens at once, so that a busy port is reported here.
  static func bind(host: String, port: Int) throws(HTTPServerError) -> (descriptor: Int32, address: SocketAddress) {
    let name = host == "localhost" ? "127.0.0.1" : host
    guard let wanted = SocketAddress(numeric: name, port: port) else {
      throw .cannotListen(
        host: host, port: port, reason: "the host must be a numeric address or localhost, the port 0 to 65535")
    }
    let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    let descriptor = socket(wanted.family, kind, 0)
    guard descriptor >= 0 else { throw .cannotListen(host: host, port: port, reason: SystemError.text(errno)) }
    var on: Int32 = 1
    setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &on, socklen_t(MemoryLayout<Int32>.size))
    let bound = wanted.withSockaddr { Glibc.bind(descriptor, $0, $1) } == 0 && listen(descriptor, 1_024) == 0
    guard bound, let address = SocketAddress.local(of: descriptor) else {
      let reason = SystemError.text(errno)
      Glibc.close(descriptor)
      throw .cannotListen(host: host, port: port, reason: reason)
    }
    return (descriptor, address)
  }

  init(loop: EventLoop, descriptor: Int32, address: SocketAddress, accepted: @escaping (Int32) -> Void) {
    self.loop = loop
    self.descriptor = descriptor
    self.address = address
    self.accepted = accepted
  }

  func start() { token = loop.watch(descriptor, events: EPOLLIN.rawValue, self) }

  func close() {
    guard !isClosed else { return }
    isClosed = true
    loop.unwatch(descriptor, token: token)
    Glibc.close(descriptor)
  }

  func ready(events: UInt32) {
    let flags = Int32(SOCK_NONBLOCK.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    while !isClosed {
      let peer = linux_accept4(descriptor, flags)
      guard peer >= 0 else { return }
      Channel.setNoDelay(peer)
      accepted(peer)
    }
  }

  func turnEnds() {}
}
