internal import CLinux
internal import Glibc

/// Turns a host name into addresses.
///
/// A function value, so that tests and the SSRF guard can stand in.
package struct Resolver: Sendable {
  /// Asks and calls back on any thread with addresses in the system's order, or with words why there are none.
  package let resolve: @Sendable (_ host: String, _ port: Int, _ answer: @escaping @Sendable (Answer) -> Void) -> Void

  package enum Answer: Sendable {
    case addresses([SocketAddress])
    case failure(String)
  }

  package init(
    _ resolve: @escaping @Sendable (String, Int, @escaping @Sendable (Answer) -> Void) -> Void
  ) { self.resolve = resolve }

  /// `getaddrinfo` on a thread of its own for each question: it blocks for as long as the system's resolver likes.
  ///
  /// Never cached, as Apple asks for APNs.
  package static let system = Resolver { host, port, answer in
    if let numeric = SocketAddress(numeric: host, port: port) { return answer(.addresses([numeric])) }
    let started = Thread.start("aloud-resolve") { answer(lookUp(host, port)) }
    if !started { answer(.failure("no thread left for the look-up")) }
  }

  private static func lookUp(_ host: String, _ port: Int) -> Answer {
    var found: [SocketAddress] = []
    let failure = withUnsafeMutablePointer(to: &found) { list in
      linux_resolve(
        host, String(port),
        { context, address in
          guard let list = context?.assumingMemoryBound(to: [SocketAddress].self), let address else { return }
          if let one = SocketAddress(address) { list.pointee.append(one) }
        }, list)
    }
    if let failure { return .failure(String(cString: failure)) }
    return found.isEmpty ? .failure("no address") : .addresses(found)
  }
}
