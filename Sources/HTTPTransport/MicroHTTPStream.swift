internal import CMicroHTTPD
internal import CLinux
internal import Glibc

/// The body of a streamed answer: a task writes, the library's thread reads, and the connection is suspended while there is nothing.
final class MicroHTTPStream: HTTPBodyWriter, @unchecked Sendable {
  // Sendable: everything that changes is in `state`.
  private struct State {
    var buffer: [UInt8] = []
    var start = 0
    var isSuspended = false
    var hasEnded = false
    var isClosed = false
    var waiting: [CheckedContinuation<Bool, Never>] = []
  }

  private let daemon: MicroHTTPDaemon
  private let connection: OpaquePointer
  private let limit: Int
  private let state = Locked(State())

  init(daemon: MicroHTTPDaemon, connection: OpaquePointer, limit: Int) {
    self.daemon = daemon
    self.connection = connection
    self.limit = limit
  }

  var isClosed: Bool { state.withLock { $0.isClosed || $0.hasEnded } }

  func write(_ bytes: [UInt8]) async -> Bool {
    await withCheckedContinuation { continuation in
      let (answer, mustResume) = state.withLock { state -> (Bool?, Bool) in
        guard !state.isClosed, !state.hasEnded else { return (false, false) }
        state.buffer.append(contentsOf: bytes)
        let wakes = state.isSuspended
        state.isSuspended = false
        if state.buffer.count - state.start <= limit { return (true, wakes) }
        state.waiting.append(continuation)
        return (nil, wakes)
      }
      if mustResume { daemon.resume(connection) }
      if let answer { continuation.resume(returning: answer) }
    }
  }

  /// No more bytes will come; what is buffered is still sent.
  func end() {
    let (waiting, mustResume) = state.withLock { state -> ([CheckedContinuation<Bool, Never>], Bool) in
      let wakes = state.isSuspended && !state.isClosed
      state.isSuspended = false
      state.hasEnded = true
      defer { state.waiting = [] }
      return (state.waiting, wakes)
    }
    for continuation in waiting { continuation.resume(returning: false) }
    if mustResume { daemon.resume(connection) }
  }

  /// The client has gone.
  func close() {
    let waiting = state.withLock { state in
      state.isClosed = true
      state.isSuspended = false
      defer { state.waiting = [] }
      return state.waiting
    }
    for continuation in waiting { continuation.resume(returning: false) }
  }

  func makeResponse() -> OpaquePointer? {
    let raw = Unmanaged.passRetained(self).toOpaque()
    let made = mhd_stream_response(
      daemon.library.table,
      { context, _, buffer, capacity in
        guard let context, let buffer else { return mhd_end_of_stream() }
        return Unmanaged<MicroHTTPStream>.fromOpaque(context).takeUnretainedValue().read(into: buffer, capacity)
      }, raw, { context in if let context { Unmanaged<MicroHTTPStream>.fromOpaque(context).release() } })
    if made == nil { Unmanaged<MicroHTTPStream>.fromOpaque(raw).release() }
    return made
  }

  /// The library's thread: bytes, or 0 after suspending the connection, or the end.
  private func read(into target: UnsafeMutablePointer<CChar>, _ capacity: Int) -> Int {
    let (count, relieved) = state.withLock { state -> (Int, [CheckedContinuation<Bool, Never>]) in
      let available = state.buffer.count - state.start
      guard available > 0 else {
        if state.hasEnded || state.isClosed { return (mhd_end_of_stream(), []) }
        state.isSuspended = true
        daemon.library.table.pointee.suspend_connection(connection)
        return (0, [])
      }
      let count = min(available, capacity)
      state.buffer.withUnsafeBufferPointer { bytes in
        if let base = bytes.baseAddress { memcpy(target, base + state.start, count) }
      }
      state.start += count
      if state.start == state.buffer.count {
        state.buffer.removeAll(keepingCapacity: state.buffer.count <= 65_536)
        state.start = 0
      }
      guard state.buffer.count - state.start <= limit / 2 else { return (count, []) }
      defer { state.waiting = [] }
      return (count, state.waiting)
    }
    for continuation in relieved { continuation.resume(returning: true) }
    return count
  }
}
