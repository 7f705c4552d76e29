internal import CNGHTTP2
internal import CLinux
internal import Glibc

/// One client of an HTTP/2 server: nghttp2's server session over a channel.
///
/// Loop thread only.
final class HTTP2ServerPeer {
  /// One request and its answer.
  final class Stream {
    var method = ""
    var path = ""
    var headers = HTTPHeaders()
    var headerBytes = 0
    /// How many field lines have come, pseudo-headers among them.
    var fields = 0
    var body: [UInt8] = []
    var bodyIsTruncated = false
    var isHandled = false
    var isAnswered = false
    var answer: [UInt8] = []
    var answerSent = 0
  }

  let handle: HTTP2ServerConnection
  private(set) var isOpen = false
  private(set) var wasOpened = false
  private(set) var clientResets = 0
  private let core: HTTP2ServerCore
  private let channel: Channel
  private var session: OpaquePointer?
  private var streams: [Int32: Stream] = [:]
  /// The stream whose parts came last: the next part is nearly always its own.
  private var latest: (identifier: Int32, stream: Stream)?
  /// The field lines of the request before, by their place: a client says mostly the same again.
  private var usual: [UsualField] = []
  /// No more are remembered, so that a client cannot fill memory with them.
  private static let usualFields = 32
  private var complete: [Int32] = []
  private var newestStream: Int32 = 0
  private var lastAnswered = Int32.max
  private var lastActivity: Double
  private var isDraining = false
  private let none = UInt8(NGHTTP2_FLAG_NONE.rawValue)

  init(core: HTTP2ServerCore, channel: Channel, number: Int, remoteAddress: String) {
    self.core = core
    self.channel = channel
    handle = HTTP2ServerConnection(id: number, remoteAddress: remoteAddress, loop: core.loop)
    lastActivity = core.loop.now
    handle.peer = self
    channel.delegate = self
  }

  deinit { nghttp2_session_del(session) }

  // MARK: operations of the handle

  func setMaxConcurrentStreams(_ limit: Int) {
    submitSettings(limit)
    channel.setNeedsWrite()
  }

  func goAway(lastStreamID: Int32?, errorCode: UInt32, debugData: [UInt8]) {
    let last = lastStreamID ?? newestStream
    lastAnswered = min(lastAnswered, last)
    isDraining = true
    nghttp2_submit_goaway(session, none, last, errorCode, debugData, debugData.count)
    for identifier in streams.keys where identifier > last { forget(identifier) }
    channel.setNeedsWrite()
    closeWhenDrained()
  }

  /// A graceful end: GOAWAY, then closed when the open streams are done.
  func shutDown(debugData: [UInt8] = []) {
    guard isOpen else { return cut() }
    if !isDraining { goAway(lastStreamID: nil, errorCode: 0, debugData: debugData) }
  }

  func cut() {
    isOpen = false
    channel.close()
    core.closed(self)
  }

  func freeze() { channel.freeze() }

  func finish(_ identifier: Int32, _ action: HTTP2ServerAction) {
    guard let stream = streams[identifier], !stream.isAnswered else { return }
    switch action {
    case .respond(let status, let headers, let body):
      stream.isAnswered = true
      respond(identifier, stream, status, headers, body)
    case .respondAfter(let seconds, let status, let headers, let body):
      core.loop.schedule(afterSeconds: seconds) { [weak self] in
        self?.finish(identifier, .respond(status: status, headers: headers, body: body))
      }
    case .reset(let errorCode):
      stream.isAnswered = true
      nghttp2_submit_rst_stream(session, none, identifier, errorCode)
    case .ignore, .later: return
    }
    channel.setNeedsWrite()
  }

  // MARK: answers

  private func respond(_ identifier: Int32, _ stream: Stream, _ status: Int, _ headers: HTTPHeaders, _ body: [UInt8]) {
    stream.answer = body
    var bytes: [UInt8] = []
    bytes.reserveCapacity(256)
    var places: [(name: Int, nameLength: Int, value: Int, valueLength: Int)] = []
    places.reserveCapacity(headers.count + 1)
    func put(_ name: String, _ value: String) {
      let start = bytes.count
      bytes.append(contentsOf: name.utf8)
      let middle = bytes.count
      bytes.append(contentsOf: value.utf8)
      places.append((start, middle - start, middle, bytes.count - middle))
    }
    put(":status", String(status))
    for field in headers { put(field.name, field.value) }
    var provider = nghttp2_data_provider()
    provider.read_callback = { _, identifier, buffer, capacity, flags, _, user in
      guard let buffer, let flags, let me = HTTP2ServerPeer.from(user) else {
        return Int(NGHTTP2_ERR_CALLBACK_FAILURE.rawValue)
      }
      return me.copyAnswer(identifier, buffer, capacity, flags)
    }
    bytes.withUnsafeMutableBufferPointer { buffer in
      // The buffer holds at least ":status".
      let base = buffer.baseAddress!
      let vectors = places.map {
        nghttp2_nv(
          name: base + $0.name, value: base + $0.value, namelen: $0.nameLength, valuelen: $0.valueLength, flags: none)
      }
      _ =
        body.isEmpty
        ? nghttp2_submit_response(session, identifier, vectors, vectors.count, nil)
        : nghttp2_submit_response(session, identifier, vectors, vectors.count, &provider)
    }
  }

  private func copyAnswer(
    _ identifier: Int32, _ buffer: UnsafeMutablePointer<UInt8>, _ capacity: Int, _ flags: UnsafeMutablePointer<UInt32>
  ) -> Int {
    guard let stream = streams[identifier] else { return Int(NGHTTP2_ERR_TEMPORAL_CALLBACK_FAILURE.rawValue) }
    let count = min(capacity, stream.answer.count - stream.answerSent)
    stream.answer.withUnsafeBufferPointer { answer in
      if count > 0, let base = answer.baseAddress { memcpy(buffer, base + stream.answerSent, count) }
    }
    stream.answerSent += count
    if stream.answerSent == stream.answer.count { flags.pointee |= NGHTTP2_DATA_FLAG_EOF.rawValue }
    return count
  }

  private func handleComplete() {
    while !complete.isEmpty {
      let batch = complete
      complete.removeAll(keepingCapacity: true)
      for identifier in batch {
        guard let stream = streams[identifier], !stream.isHandled else { continue }
        stream.isHandled = true
        let request = HTTP2ServerRequest(
          connection: handle, streamID: identifier, method: stream.method, path: stream.path, headers: stream.headers,
          body: stream.body, bodyIsTruncated: stream.bodyIsTruncated)
        finish(identifier, core.handler(request))
      }
    }
  }

  private func closeWhenDrained() {
    if isDraining && streams.isEmpty { channel.closeAfterWriting() }
  }

  private func submitSettings(_ limit: Int) {
    var settings = [
      nghttp2_settings_entry(
        settings_id: Int32(NGHTTP2_SETTINGS_MAX_CONCURRENT_STREAMS.rawValue), value: UInt32(clamping: limit))
    ]
    nghttp2_submit_settings(session, none, &settings, settings.count)
  }

  private func watchIdleness() {
    let limit = core.configuration.idleSeconds
    guard limit > 0, isOpen else { return }
    let left = lastActivity + limit - core.loop.now
    if left <= 0 && streams.isEmpty { return shutDown(debugData: core.configuration.idleDebugData) }
    core.loop.schedule(afterSeconds: max(left, limit / 8)) { [weak self] in self?.watchIdleness() }
  }
}

// MARK: the channel

extension HTTP2ServerPeer: ChannelDelegate {
  func channelOpened() {
    guard channel.negotiatedProtocol == "h2", makeSession() else { return cut() }
    isOpen = true
    wasOpened = true
    submitSettings(core.configuration.maxConcurrentStreams)
    core.opened(self)
    watchIdleness()
  }

  func channelReceived(_ bytes: UnsafeBufferPointer<UInt8>) {
    lastActivity = core.loop.now
    let result = nghttp2_session_mem_recv(session, bytes.baseAddress, bytes.count)
    handleComplete()
    guard result >= 0 else { return channel.closeAfterWriting() }
    if nghttp2_session_want_read(session) == 0 && nghttp2_session_want_write(session) == 0 { return cut() }
    closeWhenDrained()
  }

  func channelProduce(into output: inout [UInt8]) {
    while output.count < Channel.recordBytes - 1_024 {
      var bytes: UnsafePointer<UInt8>?
      let count = nghttp2_session_mem_send(session, &bytes)
      guard count > 0 else { break }
      output.append(contentsOf: UnsafeBufferPointer(start: bytes, count: count))
    }
    closeWhenDrained()
  }

  func channelClosed(_ reason: ChannelClose) {
    isOpen = false
    core.closed(self)
  }
}

// MARK: nghttp2's callbacks

extension HTTP2ServerPeer {
  private static func from(_ user: UnsafeMutableRawPointer?) -> HTTP2ServerPeer? {
    user.map { Unmanaged<HTTP2ServerPeer>.fromOpaque($0).takeUnretainedValue() }
  }

  private func makeSession() -> Bool {
    var callbacks: OpaquePointer?
    var options: OpaquePointer?
    guard nghttp2_session_callbacks_new(&callbacks) == 0, nghttp2_option_new(&options) == 0 else { return false }
    defer {
      nghttp2_session_callbacks_del(callbacks)
      nghttp2_option_del(options)
    }
    let limit = core.configuration.resetLimit
    nghttp2_option_set_stream_reset_rate_limit(options, UInt64(max(1, limit.burst)), UInt64(max(1, limit.perSecond)))
    Self.install(callbacks)
    let me = Unmanaged.passUnretained(self).toOpaque()
    guard nghttp2_session_server_new2(&session, callbacks, me, options) == 0 else { return false }
    nghttp2_session_set_local_window_size(session, none, 0, 1 << 24)
    return true
  }

  private static func install(_ callbacks: OpaquePointer?) {
    nghttp2_session_callbacks_set_on_begin_headers_callback(callbacks) { _, frame, user in
      guard let frame, let me = HTTP2ServerPeer.from(user), UInt32(frame.pointee.hd.type) == NGHTTP2_HEADERS.rawValue,
        frame.pointee.headers.cat == NGHTTP2_HCAT_REQUEST
      else { return 0 }
      me.begin(frame.pointee.hd.stream_id)
      return 0
    }
    nghttp2_session_callbacks_set_on_header_callback(callbacks) {
      _, frame, name, nameLength, value, valueLength, _, user in
      guard let frame, let me = HTTP2ServerPeer.from(user) else { return 0 }
      let isKept = me.header(
        frame.pointee.hd.stream_id, UnsafeBufferPointer(start: name, count: nameLength),
        UnsafeBufferPointer(start: value, count: valueLength))
      return isKept ? 0 : Int32(NGHTTP2_ERR_TEMPORAL_CALLBACK_FAILURE.rawValue)
    }
    nghttp2_session_callbacks_set_on_data_chunk_recv_callback(callbacks) { _, _, identifier, bytes, count, user in
      HTTP2ServerPeer.from(user)?.body(identifier, UnsafeBufferPointer(start: bytes, count: count))
      return 0
    }
    nghttp2_session_callbacks_set_on_frame_recv_callback(callbacks) { _, frame, user in
      guard let frame, let me = HTTP2ServerPeer.from(user) else { return 0 }
      let head = frame.pointee.hd
      let kind = UInt32(head.type)
      if kind == NGHTTP2_RST_STREAM.rawValue { me.clientResets += 1 }
      if UInt32(head.flags) & NGHTTP2_FLAG_END_STREAM.rawValue != 0,
        kind == NGHTTP2_HEADERS.rawValue || kind == NGHTTP2_DATA.rawValue
      {
        me.complete.append(head.stream_id)
      }
      return 0
    }
    nghttp2_session_callbacks_set_on_stream_close_callback(callbacks) { _, identifier, _, user in
      HTTP2ServerPeer.from(user)?.forget(identifier)
      return 0
    }
  }

  private func forget(_ identifier: Int32) {
    streams[identifier] = nil
    if latest?.identifier == identifier { latest = nil }
  }

  private func stream(_ identifier: Int32) -> Stream? {
    if let latest, latest.identifier == identifier { return latest.stream }
    guard let found = streams[identifier] else { return nil }
    latest = (identifier, found)
    return found
  }

  private func begin(_ identifier: Int32) {
    newestStream = max(newestStream, identifier)
    guard identifier <= lastAnswered else { return }
    let stream = Stream()
    stream.headers.reserveCapacity(usual.count)
    streams[identifier] = stream
    latest = (identifier, stream)
  }

  /// False when the header is too large: the stream is reset.
  private func header(
    _ identifier: Int32, _ name: UnsafeBufferPointer<UInt8>, _ value: UnsafeBufferPointer<UInt8>
  ) -> Bool {
    guard let stream = stream(identifier) else { return true }
    stream.headerBytes += name.count + value.count + 32
    guard stream.headerBytes <= core.configuration.headerBytes else { return false }
    let line = line(stream.fields, name, value)
    stream.fields += 1
    switch line.kind {
    case .method: stream.method = line.field.value
    case .path: stream.path = line.field.value
    case .otherPseudo: break
    case .regular: stream.headers.add(line.field)
    }
    return true
  }

  private func line(
    _ place: Int, _ name: UnsafeBufferPointer<UInt8>, _ value: UnsafeBufferPointer<UInt8>
  ) -> UsualField {
    if place < usual.count, usual[place].isSame(name, value) { return usual[place] }
    let line = UsualField(name, value)
    if place < usual.count {
      usual[place] = line
    } else if place < HTTP2ServerPeer.usualFields {
      usual.append(line)
    }
    return line
  }

  private func body(_ identifier: Int32, _ bytes: UnsafeBufferPointer<UInt8>) {
    guard let stream = stream(identifier) else { return }
    let room = core.configuration.bodyBytes - stream.body.count
    stream.body.append(contentsOf: bytes.prefix(max(0, room)))
    if bytes.count > room { stream.bodyIsTruncated = true }
  }
}

/// A field line as it came, so that the same one needs no new texts.
private final class UsualField {
  enum Kind { case method, path, otherPseudo, regular }

  let field: HTTPHeaders.Field
  let kind: Kind
  private let bytes: [UInt8]
  private let nameCount: Int

  init(_ name: UnsafeBufferPointer<UInt8>, _ value: UnsafeBufferPointer<UInt8>) {
    field = HTTPHeaders.Field(String(decoding: name, as: UTF8.self), String(decoding: value, as: UTF8.self))
    bytes = Array(name) + value
    nameCount = name.count
    switch field.name {
    case ":method": kind = .method
    case ":path": kind = .path
    default: kind = name.first == UInt8(ascii: ":") ? .otherPseudo : .regular
    }
  }

  func isSame(_ name: UnsafeBufferPointer<UInt8>, _ value: UnsafeBufferPointer<UInt8>) -> Bool {
    guard nameCount == name.count, bytes.count == name.count + value.count else { return false }
    func isSame(_ part: UnsafeBufferPointer<UInt8>, from start: Int) -> Bool {
      guard let sent = part.baseAddress else { return true }
      return bytes.withUnsafeBytes { kept in
        kept.baseAddress.map { memcmp($0 + start, sent, part.count) == 0 } ?? true
      }
    }
    return isSame(name, from: 0) && isSame(value, from: nameCount)
  }
}
