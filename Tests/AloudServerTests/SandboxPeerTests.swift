import AudioTools
import HTTPTransport
import PhoneSandbox
import Testing

/// Senders of other people against the sandbox, as they are.
struct SandboxPeerTests {
  @Test(arguments: [1, 1_000])
  func `what h2load is told was taken was taken once, and nothing else`(initialStreams: Int) async throws {
    let authority = try CertificateAuthority()
    let signing = try SigningKey.generate()
    let key = ProviderKey(keyID: "SANDBOX001", teamID: "ALOUDTEAM1", key: try signing.verifyingKey())
    var configuration = APNsSandboxConfiguration(identity: try authority.issue(), keys: [key])
    configuration.initialStreams = initialStreams
    let sandbox = APNsSandbox(configuration)
    let received = Locked(0)
    sandbox.register(token: "a10d", topic: "com.example.till") { _ in received.withLock { $0 += 1 } }
    let port = try await sandbox.start()
    let folder = try TestFolder()
    let payload = try folder.write(#"{"aps":{"alert":"x"}}"#, "payload.json")
    let parts = [#"{"alg":"ES256","kid":"SANDBOX001"}"#, #"{"iss":"ALOUDTEAM1","iat":\#(Int(wallClock()))}"#]
    let body = parts.map { Crypto.base64URL(Array($0.utf8)) }.joined(separator: ".")
    let token = body + "." + Crypto.base64URL(try signing.sign(Array(body.utf8)))
    let command = [
      "h2load", "-n", "3000", "-c", "3", "-m", "100", "-d", payload, "-H", "authorization: bearer \(token)", "-H",
      "apns-topic: com.example.till", "-H", "apns-push-type: alert", "https://127.0.0.1:\(port)/3/device/a10d",
    ]
    let result = try await Thread.run("h2load") { Result { try ChildProcess.run(command, seconds: 60) } }.get()
    let output = String(decoding: result.output, as: UTF8.self)
    let line = output.split(separator: "\n").first { $0.hasPrefix("status codes: ") }
    let succeeded = try #require(line?.split(separator: " ").dropFirst(2).first.flatMap { Int($0) }, "\(output)")
    #expect(received.withLock { $0 } == succeeded && sandbox.counts.taken == succeeded)
    #expect(sandbox.counts.connections == 3 && sandbox.counts.refused.isEmpty)
    // h2load opens its streams before it has read SETTINGS: with Apple's one stream the others of each connection are refused.
    #expect(initialStreams > 1 ? succeeded == 3_000 : (3_000 - 3 * 99...3_000).contains(succeeded), "\(output)")
    await sandbox.stop()
  }

  private func wallClock() -> Double { APNsSandboxConfiguration.wallClock() }
}
