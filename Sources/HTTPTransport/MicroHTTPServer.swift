internal import CMicroHTTPD
internal import CLinux
internal import Glibc

/// HTTP/1.1 for REST and the console over libmicrohttpd, which is loaded when the server starts and not before.
///
/// While a handler works in its Swift task the connection is suspended, so one thread of the library serves all connections.
package final class MicroHTTPServer: HTTPServer {
  package typealias Handler = @Sendable (HTTPRequest) async -> HTTPResponse

  /// Answers what the server refuses before the handler sees it: 400, 413, 503.
  ///
  /// The text is for people.
  package typealias Refusal = @Sendable (_ status: Int, _ text: String) -> HTTPResponse

  private let configuration: HTTPServerConfiguration
  private let handler: Handler
  private let refusal: Refusal
  private let daemons = Locked<[MicroHTTPDaemon]>([])

  package init(
    _ configuration: HTTPServerConfiguration,
    refusal: @escaping Refusal = { status, text in .text(text + "\n", status: status) },
    handler: @escaping Handler
  ) {
    self.configuration = configuration
    self.refusal = refusal
    self.handler = handler
  }

  @discardableResult
  package func start() async throws(HTTPServerError) -> Int {
    let library = try MicroHTTPLibrary.shared.get()
    let (descriptor, address) = try ListeningSocket.bind(host: configuration.host, port: configuration.port)
    let daemon = try startDaemon(library, descriptor, address, configuration.identity)
    daemons.withLock { $0.append(daemon) }
    return address.port
  }

  /// Serves new connections with another certificate, on the same port; connections that are open go on with the old one until they
  /// end, at most for `graceSeconds`.
  package func reload(identity: TLSIdentity, graceSeconds: Double = 60) async throws(HTTPServerError) {
    guard let current = daemons.withLock({ $0.last }) else { return }
    let copy = dup(current.listenDescriptor)
    guard copy >= 0 else { throw .badIdentity(reason: "no file descriptor left: \(SystemError.text(errno))") }
    let next = try startDaemon(current.library, copy, current.address, identity)
    daemons.withLock { daemons in
      daemons.removeAll { $0 === current }
      daemons.append(next)
    }
    await current.stopListening()
    Task { await current.stop(graceSeconds: graceSeconds) }
  }

  package func stop(graceSeconds: Double = 10) async {
    let stopping = daemons.withLock { daemons in
      defer { daemons = [] }
      return daemons
    }
    for daemon in stopping { await daemon.stopListening() }
    for daemon in stopping { await daemon.stop(graceSeconds: graceSeconds) }
  }

  private func startDaemon(
    _ library: MicroHTTPLibrary, _ descriptor: Int32, _ address: SocketAddress, _ identity: TLSIdentity?
  ) throws(HTTPServerError) -> MicroHTTPDaemon {
    do {
      if let identity { _ = try TLSContext(identity: identity, protocols: ["http/1.1"]) }
    } catch {
      Channel.closeDescriptor(descriptor)
      throw .badIdentity(reason: error.message)
    }
    return try MicroHTTPDaemon(
      library: library, descriptor: descriptor, address: address, identity: identity, limits: configuration.limits,
      refusal: refusal, handler: handler)
  }
}
