internal import CNGHTTP2
internal import CLinux
internal import Glibc

/// Called once for each request, on the loop's thread.
package typealias HTTP2Completion = (HTTP2Outcome) -> Void

/// nghttp2's client session together with the open streams.
///
/// Knows neither socket nor clock.
package final class HTTP2ClientSession {
  /// One request under way.
  final class Stream {
    let request: HTTP2Request
    let deadline: Double
    var completion: HTTP2Completion?
    var response = HTTP2Response()
    var bodySent = 0
    /// Where in the connection's output the last byte of this request lies; nil while it has not been produced.
    var endOffset: Int?

    init(request: HTTP2Request, deadline: Double, completion: @escaping HTTP2Completion) {
      self.request = request
      self.deadline = deadline
      self.completion = completion
    }
  }

  private var session: OpaquePointer?
  private var streams: [Int32: Stream] = [:]
  private var finished: [(HTTP2Completion, HTTP2Outcome)] = []
  /// Streams whose last byte was produced since the last look.
  private var justProduced: [Stream] = []
  private var vectors: [nghttp2_nv] = []
  /// Names that have entered this connection's HPACK table because of `firstOnly`.
  private var indexedNames: Set<UnsafePointer<UInt8>> = []
  private(set) var hasSettings = false
  private var goAway: String?
  private var lastProcessedStream = Int32.max

  /// A session with its first SETTINGS ready to be sent; nil without memory.
  package init?() {
    var callbacks: OpaquePointer?
    guard nghttp2_session_callbacks_new(&callbacks) == 0 else { return nil }
    defer { nghttp2_session_callbacks_del(callbacks) }
    Self.install(callbacks)
    let me = Unmanaged.passUnretained(self).toOpaque()
    guard nghttp2_session_client_new(&session, callbacks, me) == 0 else { return nil }
    var settings = [
      nghttp2_settings_entry(settings_id: Int32(NGHTTP2_SETTINGS_ENABLE_PUSH.rawValue), value: 0),
      nghttp2_settings_entry(settings_id: Int32(NGHTTP2_SETTINGS_INITIAL_WINDOW_SIZE.rawValue), value: 1 << 16),
    ]
    nghttp2_submit_settings(session, none, &settings, settings.count)
    nghttp2_session_set_local_window_size(session, none, 0, 1 << 24)
  }

  deinit { nghttp2_session_del(session) }

  private let none = UInt8(NGHTTP2_FLAG_NONE.rawValue)

  var activeStreams: Int { streams.count }

  /// SETTINGS_MAX_CONCURRENT_STREAMS as the server stated it last.
  var streamLimit: Int {
    let stated = nghttp2_session_get_remote_settings(session, NGHTTP2_SETTINGS_MAX_CONCURRENT_STREAMS)
    guard nghttp2_session_check_request_allowed(session) != 0 else { return 0 }
    return Int(min(stated, 100_000))
  }

  // MARK: out

  /// Opens a stream.
  package func submit(_ request: HTTP2Request, deadline: Double, _ completion: @escaping HTTP2Completion) {
    let stream = Stream(request: request, deadline: deadline, completion: completion)
    var provider = nghttp2_data_provider()
    provider.read_callback = { _, identifier, buffer, capacity, flags, _, user in
      guard let buffer, let flags, let me = HTTP2ClientSession.from(user) else {
        return Int(NGHTTP2_ERR_CALLBACK_FAILURE.rawValue)
      }
      return me.copyBody(identifier, buffer, capacity, flags)
    }
    let identifier = request.values.withUnsafeBufferPointer { values -> Int32 in
      fillVectors(request.fields, values)
      return vectors.withUnsafeBufferPointer {
        nghttp2_submit_request(session, nil, $0.baseAddress, $0.count, &provider, nil)
      }
    }
    if identifier > 0 {
      streams[identifier] = stream
    } else {
      completion(.notProcessed(.invalidRequest(String(cString: nghttp2_strerror(identifier)))))
    }
  }

  private func fillVectors(_ fields: [HTTP2Request.Field], _ values: UnsafeBufferPointer<UInt8>) {
    vectors.removeAll(keepingCapacity: true)
    for field in fields {
      var flags = UInt8(NGHTTP2_NV_FLAG_NO_COPY_NAME.rawValue)
      switch field.indexing {
      case .automatic: break
      case .never: flags |= UInt8(NGHTTP2_NV_FLAG_NO_INDEX.rawValue)
      case .firstOnly:
        if !indexedNames.insert(field.name.utf8Start).inserted { flags |= UInt8(NGHTTP2_NV_FLAG_NO_INDEX.rawValue) }
      }
      vectors.append(
        nghttp2_nv(
          name: UnsafeMutablePointer(mutating: field.name.utf8Start),
          value: UnsafeMutablePointer(mutating: values.baseAddress?.advanced(by: Int(field.valueStart))),
          namelen: field.name.utf8CodeUnitCount, valuelen: Int(field.valueLength), flags: flags))
    }
  }

  private func copyBody(
    _ identifier: Int32, _ buffer: UnsafeMutablePointer<UInt8>, _ capacity: Int, _ flags: UnsafeMutablePointer<UInt32>
  ) -> Int {
    guard let stream = streams[identifier] else { return Int(NGHTTP2_ERR_TEMPORAL_CALLBACK_FAILURE.rawValue) }
    let count = min(capacity, stream.request.body.count - stream.bodySent)
    stream.request.body.withUnsafeBufferPointer { body in
      if count > 0, let base = body.baseAddress { memcpy(buffer, base + stream.bodySent, count) }
    }
    stream.bodySent += count
    if stream.bodySent == stream.request.body.count {
      flags.pointee |= NGHTTP2_DATA_FLAG_EOF.rawValue
      justProduced.append(stream)
    }
    return count
  }

  /// Serialises frames up to about one TLS record; words when the session is broken.
  package func produce(into output: inout [UInt8], alreadyProduced: Int) -> String? {
    while output.count < Channel.recordBytes - 1_024 {
      var bytes: UnsafePointer<UInt8>?
      let count = nghttp2_session_mem_send(session, &bytes)
      guard count >= 0 else { return String(cString: nghttp2_strerror(Int32(count))) }
      guard count > 0 else { break }
      output.append(contentsOf: UnsafeBufferPointer(start: bytes, count: count))
      for stream in justProduced { stream.endOffset = alreadyProduced + output.count }
      justProduced.removeAll(keepingCapacity: true)
    }
    return nil
  }

  func ping() { nghttp2_submit_ping(session, none, nil) }

  func terminate() { nghttp2_session_terminate_session(session, NGHTTP2_NO_ERROR.rawValue) }

  // MARK: in

  /// Words when the peer broke the protocol.
  func receive(_ bytes: UnsafeBufferPointer<UInt8>) -> String? {
    let result = nghttp2_session_mem_recv(session, bytes.baseAddress, bytes.count)
    return result < 0 ? String(cString: nghttp2_strerror(Int32(result))) : nil
  }

  /// Requests that ended since the last call.
  func takeFinished() -> [(HTTP2Completion, HTTP2Outcome)] {
    defer { finished.removeAll(keepingCapacity: true) }
    return finished
  }

  /// The debug text of a GOAWAY that came since the last call.
  func takeGoAway() -> String? {
    defer { goAway = nil }
    return goAway
  }

  /// Resets the streams that are over their time.
  func expire(now: Double, written: Int) -> [(HTTP2Completion, HTTP2Outcome)] {
    var expired: [(HTTP2Completion, HTTP2Outcome)] = []
    for (identifier, stream) in streams where stream.deadline <= now {
      streams[identifier] = nil
      nghttp2_submit_rst_stream(session, none, identifier, NGHTTP2_CANCEL.rawValue)
      let failure = HTTP2Failure.timedOut(seconds: stream.request.timeoutSeconds)
      if let completion = stream.takeCompletion() { expired.append((completion, stream.outcome(failure, written))) }
    }
    return expired
  }

  /// Ends every stream, for a connection that is gone.
  func finishAll(written: Int, _ failure: HTTP2Failure) -> [(HTTP2Completion, HTTP2Outcome)] {
    var all = takeFinished()
    for (identifier, stream) in streams {
      guard let completion = stream.takeCompletion() else { continue }
      all.append(
        (completion, identifier > lastProcessedStream ? .notProcessed(failure) : stream.outcome(failure, written)))
    }
    streams.removeAll()
    return all
  }

  private func closed(_ identifier: Int32, _ errorCode: UInt32) {
    guard let stream = streams.removeValue(forKey: identifier), let completion = stream.takeCompletion() else { return }
    let outcome: HTTP2Outcome
    if errorCode == NGHTTP2_NO_ERROR.rawValue && stream.response.status != 0 {
      outcome = .response(stream.response)
    } else if errorCode == NGHTTP2_REFUSED_STREAM.rawValue {
      outcome = .notProcessed(identifier > lastProcessedStream ? .goingAway(goAway ?? "") : .refused)
    } else {
      outcome = .ambiguous(.reset(errorCode: errorCode))
    }
    finished.append((completion, outcome))
  }

  private func notSent(_ identifier: Int32, _ reason: Int32) {
    guard let stream = streams.removeValue(forKey: identifier), let completion = stream.takeCompletion() else { return }
    finished.append((completion, .notProcessed(.closed(String(cString: nghttp2_strerror(reason))))))
  }

  private func header(_ identifier: Int32, _ name: UnsafeBufferPointer<UInt8>, _ value: UnsafeBufferPointer<UInt8>) {
    guard let stream = streams[identifier] else { return }
    if name.first == UInt8(ascii: ":") {
      // `:status` is the only pseudo-header of an answer; nghttp2 has checked that it is three digits. A 1xx is replaced by the final one.
      stream.response.status = value.reduce(0) { $0 * 10 + Int($1) - 48 }
    } else if stream.response.headerBytes.count < Self.keptHeaderBytes {
      stream.response.headerBytes.append(contentsOf: name)
      stream.response.headerBytes.append(0)
      stream.response.headerBytes.append(contentsOf: value)
      stream.response.headerBytes.append(0)
    }
  }

  private func body(_ identifier: Int32, _ bytes: UnsafeBufferPointer<UInt8>) {
    guard let stream = streams[identifier], stream.response.body.count < Self.keptBodyBytes else { return }
    stream.response.body.append(contentsOf: bytes)
  }

  /// An answer's header and body beyond these are dropped; APNs answers are far below 1 KiB.
  private static let keptHeaderBytes = 8_192
  private static let keptBodyBytes = 65_536
}

extension HTTP2ClientSession.Stream {
  func takeCompletion() -> HTTP2Completion? {
    defer { completion = nil }
    return completion
  }

  /// Certain only when the last byte has not been given to the kernel.
  func outcome(_ failure: HTTP2Failure, _ written: Int) -> HTTP2Outcome {
    guard let endOffset, endOffset <= written else { return .notProcessed(failure) }
    return .ambiguous(failure)
  }
}

// MARK: nghttp2's callbacks

extension HTTP2ClientSession {
  private static func from(_ user: UnsafeMutableRawPointer?) -> HTTP2ClientSession? {
    user.map { Unmanaged<HTTP2ClientSession>.fromOpaque($0).takeUnretainedValue() }
  }

  private static func install(_ callbacks: OpaquePointer?) {
    nghttp2_session_callbacks_set_on_header_callback(callbacks) {
      _, frame, name, nameLength, value, valueLength, _, user in
      guard let frame, let me = HTTP2ClientSession.from(user) else { return 0 }
      me.header(
        frame.pointee.hd.stream_id, UnsafeBufferPointer(start: name, count: nameLength),
        UnsafeBufferPointer(start: value, count: valueLength))
      return 0
    }
    nghttp2_session_callbacks_set_on_data_chunk_recv_callback(callbacks) { _, _, identifier, bytes, count, user in
      HTTP2ClientSession.from(user)?.body(identifier, UnsafeBufferPointer(start: bytes, count: count))
      return 0
    }
    nghttp2_session_callbacks_set_on_stream_close_callback(callbacks) { _, identifier, errorCode, user in
      HTTP2ClientSession.from(user)?.closed(identifier, errorCode)
      return 0
    }
    nghttp2_session_callbacks_set_on_frame_not_send_callback(callbacks) { _, frame, reason, user in
      guard let frame, UInt32(frame.pointee.hd.type) == NGHTTP2_HEADERS.rawValue else { return 0 }
      HTTP2ClientSession.from(user)?.notSent(frame.pointee.hd.stream_id, reason)
      return 0
    }
    nghttp2_session_callbacks_set_on_frame_recv_callback(callbacks) { _, frame, user in
      guard let frame, let me = HTTP2ClientSession.from(user) else { return 0 }
      switch UInt32(frame.pointee.hd.type) {
      case NGHTTP2_SETTINGS.rawValue: me.hasSettings = true
      case NGHTTP2_GOAWAY.rawValue: me.received(frame.pointee.goaway)
      default: break
      }
      return 0
    }
  }

  private func received(_ frame: nghttp2_goaway) {
    lastProcessedStream = min(lastProcessedStream, frame.last_stream_id)
    let text = UnsafeBufferPointer(start: frame.opaque_data, count: min(frame.opaque_data_len, 1_024))
    goAway = String(decoding: text, as: UTF8.self)
  }
}
