#if canImport(UserNotifications)
  package import Foundation
  import UserNotifications
  import VoiceAudio

  #if canImport(FoundationNetworking)
    import FoundationNetworking
  #endif

  /// Sends one request and collects a bounded answer; over the network, or as a test says.
  package struct PhoneHTTP: Sendable {
    /// A request.
    package struct Request: Sendable {
      package var method = "GET"
      package var url: URL
      package var headers: [String: String] = [:]
      package var body: [UInt8]?
      /// The most that is taken of an answer, in bytes.
      package var largestBytes = 1_000_000
      /// How long it may take in all, in seconds.
      package var seconds = 10.0
    }

    /// An answer.
    package struct Answer: Sendable {
      package var status: Int
      package var body: [UInt8]

      package init(status: Int, body: [UInt8] = []) { (self.status, self.body) = (status, body) }
    }

    /// Why there is no answer.
    package enum Failure: Error, Sendable { case timedOut, offline, tooLarge, failed }

    /// Sends a request; throws ``Failure``.
    package let send: @Sendable (Request) async throws -> Answer

    package init(send: @escaping @Sendable (Request) async throws -> Answer) { self.send = send }

    /// The network.
    ///
    /// No cookie, no cache, no redirect: an answer comes from the address that was asked.
    package static let live = PhoneHTTP { request in
      let configuration = URLSessionConfiguration.ephemeral
      configuration.timeoutIntervalForResource = request.seconds
      configuration.timeoutIntervalForRequest = request.seconds
      let fetch = BoundedFetch(limit: request.largestBytes)
      let session = URLSession(configuration: configuration, delegate: fetch, delegateQueue: nil)
      defer { session.finishTasksAndInvalidate() }
      do {
        return try await fetch.run(session.dataTask(with: URLRequest(request)))
      } catch let failure as Failure {
        throw failure
      } catch let error as URLError {
        switch error.code {
        case .timedOut: throw Failure.timedOut
        case .notConnectedToInternet, .networkConnectionLost, .dataNotAllowed: throw Failure.offline
        default: throw Failure.failed
        }
      }
    }
  }

  extension URLRequest {
    init(_ request: PhoneHTTP.Request) {
      self.init(url: request.url)
      httpMethod = request.method
      for (name, value) in request.headers { setValue(value, forHTTPHeaderField: name) }
      httpBody = request.body.map { Data($0) }
    }
  }

  /// Collects the answer of one request up to a limit; follows no redirect, so that the origin stays the one that was checked.
  private final class BoundedFetch: NSObject, URLSessionDataDelegate, Sendable {
    private struct Progress {
      var status = 0
      var bytes: [UInt8] = []
      var failure: PhoneHTTP.Failure?
      var continuation: CheckedContinuation<PhoneHTTP.Answer, any Error>?
    }

    private let limit: Int
    private let progress = Guarded(Progress())

    init(limit: Int) { self.limit = limit }

    func run(_ task: URLSessionDataTask) async throws -> PhoneHTTP.Answer {
      try await withTaskCancellationHandler {
        try await withCheckedThrowingContinuation { continuation in
          progress.withLock { $0.continuation = continuation }
          task.resume()
        }
      } onCancel: {
        task.cancel()
      }
    }

    func urlSession(
      _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
      completionHandler: @escaping (URLSession.ResponseDisposition) -> Void
    ) {
      let isTooLarge = progress.withLock { progress in
        progress.status = (response as? HTTPURLResponse)?.statusCode ?? 0
        if response.expectedContentLength > Int64(limit) { progress.failure = .tooLarge }
        return progress.failure != nil
      }
      completionHandler(isTooLarge ? .cancel : .allow)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
      let isTooLarge = progress.withLock { progress in
        progress.bytes += data
        if progress.bytes.count > limit { progress.failure = .tooLarge }
        return progress.failure != nil
      }
      if isTooLarge { dataTask.cancel() }
    }

    func urlSession(
      _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
      newRequest request: URLRequest, completionHandler: @escaping (URLRequest?) -> Void
    ) { completionHandler(nil) }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
      let done = progress.withLock { progress in
        defer { progress.continuation = nil }
        return progress
      }
      if let error = done.failure ?? error {
        done.continuation?.resume(throwing: error)
      } else {
        done.continuation?.resume(returning: PhoneHTTP.Answer(status: done.status, body: done.bytes))
      }
    }
  }
#endif
