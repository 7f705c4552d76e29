internal import CLinux
internal import CPostgres
internal import Store

/// libpq's functions, found when the first PostgreSQL store is opened: linking it would load dozens of shared objects
/// into every command (docs/decisions/0003-libraries-on-demand.md).
struct LibPQ: Sendable {
  typealias Connection = OpaquePointer
  typealias Answer = OpaquePointer
  typealias Text = UnsafePointer<CChar>

  let connect: @convention(c) (Text?) -> Connection?
  let status: @convention(c) (Connection?) -> ConnStatusType
  let connectionError: @convention(c) (Connection?) -> UnsafeMutablePointer<CChar>?
  let finish: @convention(c) (Connection?) -> Void
  let execute: @convention(c) (Connection?, Text?) -> Answer?
  let prepare: @convention(c) (Connection?, Text?, Text?, Int32, UnsafePointer<Oid>?) -> Answer?
  let setNonBlocking: @convention(c) (Connection?, Int32) -> Int32
  let enterPipeline: @convention(c) (Connection?) -> Int32
  let exitPipeline: @convention(c) (Connection?) -> Int32
  let sendPrepared:
    @convention(c) (
      Connection?, Text?, Int32, UnsafePointer<Text?>?, UnsafePointer<Int32>?, UnsafePointer<Int32>?, Int32
    ) -> Int32
  let sync: @convention(c) (Connection?) -> Int32
  let flush: @convention(c) (Connection?) -> Int32
  let nextAnswer: @convention(c) (Connection?) -> Answer?
  let answerStatus: @convention(c) (Answer?) -> ExecStatusType
  let errorField: @convention(c) (Answer?, Int32) -> UnsafeMutablePointer<CChar>?
  let clear: @convention(c) (Answer?) -> Void
  let rowCount: @convention(c) (Answer?) -> Int32
  let value: @convention(c) (Answer?, Int32, Int32) -> UnsafeMutablePointer<CChar>?
  let length: @convention(c) (Answer?, Int32, Int32) -> Int32
  let isNull: @convention(c) (Answer?, Int32, Int32) -> Int32
  let changedRows: @convention(c) (Answer?) -> UnsafeMutablePointer<CChar>?
  let socket: @convention(c) (Connection?) -> Int32
  let backend: @convention(c) (Connection?) -> Int32
  let consumeInput: @convention(c) (Connection?) -> Int32
  let notification: @convention(c) (Connection?) -> UnsafeMutablePointer<PGnotify>?
  let free: @convention(c) (UnsafeMutableRawPointer?) -> Void

  /// The library, loaded once; an error text when it is missing.
  static let loaded: Result<LibPQ, StoreError> = {
    do throws(StoreError) {
      return .success(try LibPQ())
    } catch {
      return .failure(error)
    }
  }()

  private init() throws(StoreError) {
    guard let library = dlopen("libpq.so.5", RTLD_NOW | RTLD_LOCAL) else {
      throw .cannotOpen(
        reason: "PostgreSQL's client library libpq.so.5 cannot be loaded. Install it: apt-get install libpq5")
    }
    // Each cast states the type that libpq-fe.h of version 15 declares for the name beside it.
    connect = unsafeBitCast(try LibPQ.find("PQconnectdb", library), to: type(of: connect))
    status = unsafeBitCast(try LibPQ.find("PQstatus", library), to: type(of: status))
    connectionError = unsafeBitCast(try LibPQ.find("PQerrorMessage", library), to: type(of: connectionError))
    finish = unsafeBitCast(try LibPQ.find("PQfinish", library), to: type(of: finish))
    execute = unsafeBitCast(try LibPQ.find("PQexec", library), to: type(of: execute))
    prepare = unsafeBitCast(try LibPQ.find("PQprepare", library), to: type(of: prepare))
    setNonBlocking = unsafeBitCast(try LibPQ.find("PQsetnonblocking", library), to: type(of: setNonBlocking))
    enterPipeline = unsafeBitCast(try LibPQ.find("PQenterPipelineMode", library), to: type(of: enterPipeline))
    exitPipeline = unsafeBitCast(try LibPQ.find("PQexitPipelineMode", library), to: type(of: exitPipeline))
    sendPrepared = unsafeBitCast(try LibPQ.find("PQsendQueryPrepared", library), to: type(of: sendPrepared))
    sync = unsafeBitCast(try LibPQ.find("PQpipelineSync", library), to: type(of: sync))
    flush = unsafeBitCast(try LibPQ.find("PQflush", library), to: type(of: flush))
    nextAnswer = unsafeBitCast(try LibPQ.find("PQgetResult", library), to: type(of: nextAnswer))
    answerStatus = unsafeBitCast(try LibPQ.find("PQresultStatus", library), to: type(of: answerStatus))
    errorField = unsafeBitCast(try LibPQ.find("PQresultErrorField", library), to: type(of: errorField))
    clear = unsafeBitCast(try LibPQ.find("PQclear", library), to: type(of: clear))
    rowCount = unsafeBitCast(try LibPQ.find("PQntuples", library), to: type(of: rowCount))
    value = unsafeBitCast(try LibPQ.find("PQgetvalue", library), to: type(of: value))
    length = unsafeBitCast(try LibPQ.find("PQgetlength", library), to: type(of: length))
    isNull = unsafeBitCast(try LibPQ.find("PQgetisnull", library), to: type(of: isNull))
    changedRows = unsafeBitCast(try LibPQ.find("PQcmdTuples", library), to: type(of: changedRows))
    socket = unsafeBitCast(try LibPQ.find("PQsocket", library), to: type(of: socket))
    backend = unsafeBitCast(try LibPQ.find("PQbackendPID", library), to: type(of: backend))
    consumeInput = unsafeBitCast(try LibPQ.find("PQconsumeInput", library), to: type(of: consumeInput))
    notification = unsafeBitCast(try LibPQ.find("PQnotifies", library), to: type(of: notification))
    free = unsafeBitCast(try LibPQ.find("PQfreemem", library), to: type(of: free))
  }

  private static func find(_ name: String, _ library: UnsafeMutableRawPointer) throws(StoreError)
    -> UnsafeMutableRawPointer
  {
    guard let symbol = dlsym(library, name) else {
      throw .cannotOpen(
        reason: "libpq.so.5 has no \(name): it is not the PostgreSQL client library of version 14 or later.")
    }
    return symbol
  }
}
