#if canImport(UserNotifications)
  import Announcing
  import CryptoKit
  import Foundation
  import PushPayload
  import VoiceAudio

  #if canImport(FoundationNetworking)
    import FoundationNetworking
  #endif

  /// Fetches a rendered sound: https, from the configured server only, bounded in size and time, its hash checked, parsed before use.
  struct SoundDownload: Sendable {
    /// How long it may take, in seconds; the extension has 30 in all.
    static let longestSeconds = 10.0
    /// How large it may be: 29 s of 16-bit mono at 48 kHz and some room for headers.
    static let largestBytes = 2_900_000

    /// The configured server; sounds come from its origin.
    let server: String?
    /// Fetches the bytes at an address, at most so many; throws when there are more.
    let fetch: @Sendable (URL, Int) async throws -> [UInt8]

    /// What went wrong, as a reason that a person can look up.
    struct Failure: Error, Equatable { let code: ReasonCode }

    /// Makes a download over the network, or over `fetch` in a test.
    init(server: String?, fetch: @escaping @Sendable (URL, Int) async throws -> [UInt8] = SoundDownload.fetchOnce) {
      self.server = server
      self.fetch = fetch
    }

    /// Fetches and checks the sound.
    ///
    /// - Returns: A sound file that iOS will play.
    /// - Throws: ``Failure``.
    func file(for reference: SoundReference) async throws -> [UInt8] {
      guard let url = URL(string: reference.url), SoundDownload.isTrusted(url, server: server) else {
        throw Failure(code: .downloadRefused)
      }
      if let bytes = reference.bytes, bytes > SoundDownload.largestBytes { throw Failure(code: .downloadTooLarge) }
      let bytes = try await fetched(url)
      if let wanted = reference.sha256 {
        let hash = SHA256.hash(data: bytes).map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
        guard hash == wanted.lowercased() else { throw Failure(code: .downloadHashWrong) }
      }
      guard let sound = try? SoundFile.decode(bytes), sound.pcm.seconds > 0 else {
        throw Failure(code: .downloadNotSound)
      }
      guard sound.pcm.seconds <= 29 else { throw Failure(code: .sentenceTooLong) }
      return bytes
    }

    private func fetched(_ url: URL) async throws -> [UInt8] {
      do {
        let bytes = try await fetch(url, SoundDownload.largestBytes)
        guard bytes.count <= SoundDownload.largestBytes else { throw Failure(code: .downloadTooLarge) }
        return bytes
      } catch let failure as Failure {
        throw failure
      } catch let error as URLError where error.code == .timedOut {
        throw Failure(code: .downloadTimedOut)
      } catch let error as URLError where error.code == .notConnectedToInternet {
        throw Failure(code: .noNetwork)
      } catch {
        throw Failure(code: .downloadFailed)
      }
    }

    /// Whether `url` is https and has the server's host and port.
    static func isTrusted(_ url: URL, server: String?) -> Bool {
      guard let server, let home = URL(string: server), url.scheme == "https", home.scheme == "https" else {
        return false
      }
      guard let host = url.host?.lowercased(), host == home.host?.lowercased(), url.user == nil else { return false }
      return (url.port ?? 443) == (home.port ?? 443)
    }

    private static func fetchOnce(_ url: URL, _ limit: Int) async throws -> [UInt8] {
      let configuration = URLSessionConfiguration.ephemeral
      configuration.timeoutIntervalForResource = longestSeconds
      configuration.timeoutIntervalForRequest = longestSeconds
      let bounded = BoundedFetch(limit: limit)
      let session = URLSession(configuration: configuration, delegate: bounded, delegateQueue: nil)
      defer { session.finishTasksAndInvalidate() }
      return try await bounded.run(session.dataTask(with: url))
    }
  }

  /// Collects the answer of one request up to a limit; follows no redirect, so that the origin stays the one that was checked.
  private final class BoundedFetch: NSObject, URLSessionDataDelegate, @unchecked Sendable {
    // The session calls its delegate on one serial queue; the continuation is set before the task is resumed.
    private let limit: Int
    private var bytes: [UInt8] = []
    private var failure: (any Error)?
    private var continuation: CheckedContinuation<[UInt8], any Error>?

    init(limit: Int) { self.limit = limit }

    func run(_ task: URLSessionDataTask) async throws -> [UInt8] {
      try await withTaskCancellationHandler {
        try await withCheckedThrowingContinuation { continuation in
          self.continuation = continuation
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
      let status = (response as? HTTPURLResponse)?.statusCode ?? 0
      if status != 200 { failure = SoundDownload.Failure(code: .downloadFailed) }
      if response.expectedContentLength > Int64(limit) { failure = SoundDownload.Failure(code: .downloadTooLarge) }
      completionHandler(failure == nil ? .allow : .cancel)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
      bytes += data
      guard bytes.count > limit else { return }
      failure = SoundDownload.Failure(code: .downloadTooLarge)
      dataTask.cancel()
    }

    func urlSession(
      _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
      newRequest request: URLRequest, completionHandler: @escaping (URLRequest?) -> Void
    ) { completionHandler(nil) }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
      if let error = failure ?? error {
        continuation?.resume(throwing: error)
      } else {
        continuation?.resume(returning: bytes)
      }
      continuation = nil
    }
  }
#endif
