import AudioTools
import HTTPTransport
import PhoneSandbox
import Testing

/// Senders of other people against the sandbox, as they are.
struct SandboxPeerTests {
  @Test func `h2load pushes three thousand times and each push is taken`() async throws {
    let authority = try CertificateAuthority()
    let signing = try SigningKey.generate()
    let key = ProviderKey(keyID: "SANDBOX001", teamID: "ALOUDTEAM1", key: try signing.verifyingKey())
    let sandbox = APNsSandbox(APNsSandboxConfiguration(identity: try authority.issue(), keys: [key]))
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
    #expect(output.contains("3000 succeeded, 0 failed, 0 errored, 0 timeout"), "\(output)")
    #expect(output.contains("3000 2xx, 0 3xx, 0 4xx, 0 5xx"), "\(output)")
    #expect(received.withLock { $0 } == 3_000 && sandbox.counts.taken == 3_000 && sandbox.counts.connections == 3)
    await sandbox.stop()
  }

  private func wallClock() -> Double { APNsSandboxConfiguration.wallClock() }
}
