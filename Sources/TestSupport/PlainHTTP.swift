#if canImport(Glibc)
  import Glibc

  /// A small HTTP/1.1 client for tests: one connection a request, to the loopback, whole answers.
  package struct PlainHTTP: Sendable {
    /// An answer.
    package struct Answer: Sendable {
      package var status: Int
      /// Names in lower case.
      package var headers: [String: String]
      package var body: [UInt8]
      /// The body as text.
      package var text: String { String(decoding: body, as: UTF8.self) }
    }

    /// What went wrong with the socket.
    package struct Failure: Error { package let what: String }

    private let port: Int
    /// Headers that go with every request.
    package var headers: [(String, String)]

    /// A client for 127.0.0.1 at `port`.
    package init(port: Int, headers: [(String, String)] = []) { (self.port, self.headers) = (port, headers) }

    /// Sends one request and reads the answer to its end.
    package func send(
      _ method: String, _ path: String, _ body: String? = nil, headers extra: [(String, String)] = []
    ) async throws -> Answer {
      var head = "\(method) \(path) HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
      if let body { head += "Content-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\n" }
      for (name, value) in headers + extra { head += "\(name): \(value)\r\n" }
      return try await raw(Array((head + "\r\n" + (body ?? "")).utf8), closesWriting: false)
    }

    /// Sends bytes as they are, however wrong, says that nothing more will come, and reads the answer.
    package func raw(_ bytes: [UInt8], closesWriting: Bool = true) async throws -> Answer {
      let port = port
      return try await withCheckedThrowingContinuation { continuation in
        PlainHTTP.onThread { continuation.resume(with: Result { try PlainHTTP.exchange(port, bytes, closesWriting) }) }
      }
    }

    /// A port of the loopback that nobody listens on at this moment, for a program that must be told one.
    package static func freePort() throws -> Int {
      let file = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
      defer { close(file) }
      var address = sockaddr_in()
      address.sin_family = sa_family_t(AF_INET)
      address.sin_addr.s_addr = inet_addr("127.0.0.1")
      var size = socklen_t(MemoryLayout<sockaddr_in>.size)
      let bound = withUnsafeMutablePointer(to: &address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          bind(file, $0, size) == 0 && getsockname(file, $0, &size) == 0
        }
      }
      guard bound else { throw Failure(what: "no port") }
      return Int(in_port_t(bigEndian: address.sin_port))
    }

    // A thread of its own: a blocking read must not hold one of the few threads that tasks run on.
    private static func onThread(_ work: @escaping @Sendable () -> Void) {
      final class Box {
        let work: @Sendable () -> Void
        init(_ work: @escaping @Sendable () -> Void) { self.work = work }
      }
      var thread = pthread_t()
      let box = Unmanaged.passRetained(Box(work))
      let started = pthread_create(
        &thread, nil,
        { raw in
          guard let raw else { return nil }
          Unmanaged<Box>.fromOpaque(raw).takeRetainedValue().work()
          return nil
        }, box.toOpaque())
      if started == 0 { pthread_detach(thread) } else { box.takeRetainedValue().work() }
    }

    private static func exchange(_ port: Int, _ bytes: [UInt8], _ closesWriting: Bool) throws -> Answer {
      let file = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
      guard file >= 0 else { throw Failure(what: "socket") }
      defer { close(file) }
      var address = sockaddr_in()
      address.sin_family = sa_family_t(AF_INET)
      address.sin_port = in_port_t(port).bigEndian
      address.sin_addr.s_addr = inet_addr("127.0.0.1")
      let connected = withUnsafePointer(to: &address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          connect(file, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
        }
      }
      guard connected == 0 else { throw Failure(what: "connect") }
      var sent = 0
      while sent < bytes.count {
        let count = bytes.withUnsafeBytes {
          Glibc.send(file, $0.baseAddress?.advanced(by: sent), bytes.count - sent, Int32(MSG_NOSIGNAL))
        }
        if count <= 0 { break }  // The server may answer and close before it has read everything.
        sent += count
      }
      if closesWriting { shutdown(file, Int32(SHUT_WR)) }
      var answer: [UInt8] = []
      var chunk = [UInt8](repeating: 0, count: 65_536)
      while true {
        let count = recv(file, &chunk, chunk.count, 0)
        if count <= 0 { break }
        answer += chunk[..<count]
      }
      return try parse(answer)
    }

    private static func parse(_ bytes: [UInt8]) throws -> Answer {
      let text = bytes.map { $0 < 0x80 ? $0 : 0x3F }
      guard let end = text.indices.first(where: { text[$0...].starts(with: [13, 10, 13, 10]) }) else {
        throw Failure(what: "no head in \(bytes.count) bytes")
      }
      let lines = String(decoding: bytes[..<end], as: UTF8.self).split(separator: "\r\n")
      let status = lines.first?.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
      var headers: [String: String] = [:]
      for line in lines.dropFirst() {
        let parts = line.split(separator: ":", maxSplits: 1)
        guard parts.count == 2 else { continue }
        headers[parts[0].lowercased()] = String(parts[1].drop { $0 == " " })
      }
      return Answer(status: status, headers: headers, body: Array(bytes[(end + 4)...]))
    }
  }
#endif
