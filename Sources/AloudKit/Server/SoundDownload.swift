#if canImport(UserNotifications)
  import Announcing
  import CryptoKit
  import Foundation
  import PushPayload
  import VoiceAudio

  /// Fetches a rendered sound: https, from the configured server only, bounded in size and time, its hash checked, parsed before use.
  struct SoundDownload: Sendable {
    /// How long it may take, in seconds; the extension has 30 in all.
    static let longestSeconds = 10.0
    /// How large it may be: 29 s of 16-bit mono at 48 kHz and some room for headers.
    static let largestBytes = 2_900_000

    /// The configured server; sounds come from its origin.
    let server: String?
    /// The network.
    let http: PhoneHTTP

    /// Fetches and checks the sound.
    ///
    /// - Returns: A sound file that iOS will play, and its length in seconds.
    /// - Throws: `SoundFailure`.
    func file(for reference: SoundReference) async throws(SoundFailure) -> (bytes: [UInt8], seconds: Double) {
      guard let url = URL(string: reference.url), SoundDownload.isTrusted(url, server: server) else {
        throw SoundFailure(.downloadRefused)
      }
      if let bytes = reference.bytes, bytes > SoundDownload.largestBytes { throw SoundFailure(.downloadTooLarge) }
      let bytes = try await fetched(url)
      if let wanted = reference.sha256 {
        let hash = SHA256.hash(data: bytes).map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
        guard hash == wanted.lowercased() else { throw SoundFailure(.downloadHashWrong) }
      }
      guard let sound = try? SoundFile.decode(bytes), sound.pcm.seconds > 0 else {
        throw SoundFailure(.downloadNotSound)
      }
      guard sound.pcm.seconds <= 29 else { throw SoundFailure(.sentenceTooLong) }
      return (bytes, sound.pcm.seconds)
    }

    private func fetched(_ url: URL) async throws(SoundFailure) -> [UInt8] {
      let request = PhoneHTTP.Request(
        url: url, largestBytes: SoundDownload.largestBytes, seconds: SoundDownload.longestSeconds)
      do {
        let answer = try await http.send(request)
        guard answer.status == 200 else { throw SoundFailure(.downloadFailed) }
        guard answer.body.count <= SoundDownload.largestBytes else { throw SoundFailure(.downloadTooLarge) }
        return answer.body
      } catch let failure as SoundFailure {
        throw failure
      } catch PhoneHTTP.Failure.timedOut {
        throw SoundFailure(.downloadTimedOut)
      } catch PhoneHTTP.Failure.offline {
        throw SoundFailure(.noNetwork)
      } catch PhoneHTTP.Failure.tooLarge {
        throw SoundFailure(.downloadTooLarge)
      } catch {
        throw SoundFailure(.downloadFailed)
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
  }
#endif
