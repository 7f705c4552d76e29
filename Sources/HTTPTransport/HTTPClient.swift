/// HTTP/1.1 for webhooks, gateways and speech engines: one connection for each request, closed afterwards.
///
/// The address rule sees what a name resolves to, and the connection goes to exactly that address.
package final class HTTPClient: HTTPSending {
  private let loop: EventLoop
  private let resolver: Resolver
  private let rule: AddressRule
  private let contexts = Locked<[TLSTrust: TLSContext]>([:])

  package init(rule: AddressRule, resolver: Resolver = .system, loop: EventLoop? = nil) {
    self.rule = rule
    self.resolver = resolver
    self.loop = loop ?? EventLoop(name: "aloud-http-out")
  }

  deinit { loop.stop() }

  package func send(_ request: HTTPClientRequest) async throws(HTTPClientError) -> HTTPClientResponse {
    guard let url = HTTPURL(request.url) else { throw .badURL(request.url) }
    let bytes = try Self.serialise(request, url)
    let tls = url.isSecure ? try context(request.trust) : nil
    let (loop, resolver, rule) = (loop, resolver, rule)
    let result = await withCheckedContinuation { continuation in
      loop.post {
        HTTPClientExchange(loop: loop, url: url, tls: tls, request: request, bytes: bytes) {
          continuation.resume(returning: $0)
        }.start(resolver: resolver, rule: rule)
      }
    }
    return try result.get()
  }

  private func context(_ trust: TLSTrust) throws(HTTPClientError) -> TLSContext {
    if let known = contexts.withLock({ $0[trust] }) { return known }
    do {
      let made = try TLSContext(trust: trust, protocols: ["http/1.1"])
      contexts.withLock { $0[trust] = made }
      return made
    } catch {
      throw .tls(error.message)
    }
  }

  private static func serialise(_ request: HTTPClientRequest, _ url: HTTPURL) throws(HTTPClientError) -> [UInt8] {
    guard !request.method.isEmpty, request.method.utf8.allSatisfy({ (0x41...0x5A).contains($0) }) else {
      throw .badRequest("the method must be capital letters")
    }
    var text = "\(request.method) \(url.target) HTTP/1.1\r\nHost: \(url.hostHeader)\r\nConnection: close\r\n"
    for field in request.headers {
      guard !field.name.isEmpty, field.name.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: ":") }),
        !field.value.utf8.contains(where: { $0 < 0x20 && $0 != 9 || $0 == 0x7F })
      else { throw .badRequest("a header has a line break or a name that is not allowed") }
      text += "\(field.name): \(field.value)\r\n"
    }
    if !request.body.isEmpty || ["POST", "PUT", "PATCH"].contains(request.method) {
      text += "Content-Length: \(request.body.count)\r\n"
    }
    return Array((text + "\r\n").utf8) + request.body
  }
}

/// One request under way.
///
/// Loop thread only; keeps itself alive until it has an answer.
final class HTTPClientExchange: ChannelDelegate {
  private let loop: EventLoop
  private let url: HTTPURL
  private let tls: TLSContext?
  private let request: HTTPClientRequest
  private let bytes: [UInt8]
  private let done: (Result<HTTPClientResponse, HTTPClientError>) -> Void
  private var parser: HTTP1ResponseParser
  private var addresses: [SocketAddress] = []
  private var channel: Channel?
  private var timer: LoopTimer?
  private var sent = 0
  private var isFinished = false
  private var myself: HTTPClientExchange?

  init(
    loop: EventLoop, url: HTTPURL, tls: TLSContext?, request: HTTPClientRequest, bytes: [UInt8],
    done: @escaping (Result<HTTPClientResponse, HTTPClientError>) -> Void
  ) {
    self.loop = loop
    self.url = url
    self.tls = tls
    self.request = request
    self.bytes = bytes
    self.done = done
    parser = HTTP1ResponseParser(method: request.method, bodyLimit: request.responseBytes)
  }

  func start(resolver: Resolver, rule: AddressRule) {
    myself = self
    timer = loop.schedule(afterSeconds: request.timeoutSeconds) { [weak self] in
      self.map { $0.finish(.failure(.timedOut(seconds: $0.request.timeoutSeconds))) }
    }
    let loop = loop
    let reference = LoopReference(self)
    resolver.resolve(url.host, url.port) { answer in loop.post { reference.value?.resolved(answer, rule) } }
  }

  private func resolved(_ answer: Resolver.Answer, _ rule: AddressRule) {
    guard !isFinished else { return }
    switch answer {
    case .failure(let reason): finish(.failure(.lookup(host: url.host, reason: reason)))
    case .addresses(let found):
      addresses = found.filter(rule.allows)
      if addresses.isEmpty { return finish(.failure(.forbiddenAddress(host: url.host))) }
      connect(after: .connect("no address"))
    }
  }

  private func connect(after failure: HTTPClientError) {
    var failure = failure
    while !addresses.isEmpty {
      let address = addresses.removeFirst()
      guard let descriptor = Channel.connectingSocket(to: address) else {
        failure = .connect("\(address) refuses")
        continue
      }
      do {
        let session = try tls?.clientSession(host: url.host, descriptor: descriptor)
        let channel = Channel(loop: loop, descriptor: descriptor, session: session, isConnecting: true)
        self.channel = channel
        channel.delegate = self
        return channel.start()
      } catch {
        Channel.closeDescriptor(descriptor)
        failure = .tls(error.message)
      }
    }
    finish(.failure(failure))
  }

  private func finish(_ result: Result<HTTPClientResponse, HTTPClientError>) {
    guard !isFinished else { return }
    isFinished = true
    if let timer { loop.cancel(timer) }
    channel?.close()
    channel = nil
    done(result)
    myself = nil
  }

  func channelOpened() {}

  func channelProduce(into output: inout [UInt8]) {
    let end = min(bytes.count, sent + Channel.recordBytes)
    output.append(contentsOf: bytes[sent..<end])
    sent = end
  }

  func channelReceived(_ received: UnsafeBufferPointer<UInt8>) {
    do {
      try parser.receive(received)
      if let response = parser.response { finish(.success(response)) }
    } catch {
      finish(.failure(error.isTooLarge ? .responseTooLarge(limit: request.responseBytes) : .badResponse(error.reason)))
    }
  }

  func channelClosed(_ reason: ChannelClose) {
    switch reason {
    case .connect(let text): return connect(after: .connect(text))
    case .tls(let text): return finish(.failure(.tls(text)))
    case .endOfStream, .broken, .finished: break
    }
    // Without a length and with TLS the end must be told, or the answer may have been cut short; plain HTTP has no such sign.
    if case .broken(let text) = reason { return finish(.failure(.badResponse(text))) }
    do {
      try parser.end()
      if let response = parser.response { finish(.success(response)) }
    } catch {
      finish(.failure(.badResponse(error.reason)))
    }
  }
}
