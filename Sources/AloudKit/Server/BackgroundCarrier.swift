#if canImport(UserNotifications)
  import Foundation
  import UserNotifications
  import VoiceAudio

  #if canImport(FoundationNetworking)
    import FoundationNetworking
  #endif

  /// Sends letters through the system's transfer daemon, which goes on when the extension has ended.
  ///
  /// Files and session belong to the App Group, as the system wants for an extension
  /// (https://developer.apple.com/documentation/foundation/urlsessionconfiguration/sharedcontaineridentifier). App and extension have
  /// a session each: two processes may not use one at the same time.
  final class BackgroundCarrier: NSObject, ReceiptCarrier, URLSessionDataDelegate {
    private struct Waiting {
      var session: URLSession?
      var finished: (@Sendable () -> Void)?
    }

    private let identifier: String
    private let appGroup: String
    private let answered: @Sendable (_ name: String, _ status: Int?) -> Void
    private let waiting = Guarded(Waiting())

    private init(
      identifier: String, appGroup: String, answered: @escaping @Sendable (_ name: String, _ status: Int?) -> Void
    ) {
      (self.identifier, self.appGroup, self.answered) = (identifier, appGroup, answered)
    }

    /// The identifier of a process's session.
    static func identifier(_ appGroup: String, _ process: PhoneProcess) -> String {
      "\(appGroup).aloud.receipts.\(process.rawValue)"
    }

    // The system allows one session of an identifier in a process, for as long as the process lives.
    private static let carriers = Guarded<[String: BackgroundCarrier]>([:])

    /// The one carrier of this process for an identifier.
    static func shared(
      _ identifier: String, appGroup: String,
      answered: @escaping @Sendable (_ name: String, _ status: Int?) -> Void
    ) -> BackgroundCarrier {
      carriers.withLock { carriers in
        if let known = carriers[identifier] { return known }
        let carrier = BackgroundCarrier(identifier: identifier, appGroup: appGroup, answered: answered)
        carriers[identifier] = carrier
        return carrier
      }
    }

    func send(_ upload: ReceiptUpload) {
      var request = URLRequest(url: upload.url)
      request.httpMethod = "POST"
      for (name, value) in upload.headers { request.setValue(value, forHTTPHeaderField: name) }
      let task = session().uploadTask(with: request, fromFile: upload.body)
      task.taskDescription = upload.name
      task.resume()
    }

    /// Takes the events of a session that the system has finished while nobody ran.
    ///
    /// - Parameter finished: Called when all events are in.
    func takeEvents(_ finished: @escaping @Sendable () -> Void) {
      waiting.withLock { $0.finished = finished }
      _ = session()
    }

    private func session() -> URLSession {
      waiting.withLock { waiting in
        if let session = waiting.session { return session }
        let configuration = URLSessionConfiguration.background(withIdentifier: identifier)
        configuration.sharedContainerIdentifier = appGroup
        configuration.timeoutIntervalForResource = 86_400
        let session = URLSession(configuration: configuration, delegate: self, delegateQueue: nil)
        waiting.session = session
        return session
      }
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
      guard let name = task.taskDescription else { return }
      answered(name, error == nil ? (task.response as? HTTPURLResponse)?.statusCode : nil)
    }

    /// All events of the background session are in (`URLSessionDelegate`).
    func urlSessionDidFinishEvents(forBackgroundURLSession session: URLSession) {
      let finished = waiting.withLock { waiting in
        defer { waiting.finished = nil }
        return waiting.finished
      }
      finished?()
    }
  }
#endif
