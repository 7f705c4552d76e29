import AloudServer
import ExactJSON
import HTTPTransport
import Store
import TestSupport
import Testing

/// Requests that are slow, cut, too large or not what they say: each is refused in words, and the server goes on.
struct HostileRequestTests {
  private func head(_ test: TestServer, _ method: String, _ path: String, _ more: String = "") -> String {
    "\(method) \(path) HTTP/1.1\r\nHost: x\r\n\(test.http.headers[0].0): \(test.http.headers[0].1)\r\n\(more)"
  }

  /// A request with a body that is said to be JSON.
  private func post(_ test: TestServer, _ body: [UInt8]) async throws -> PlainHTTP.Answer {
    let more = "Content-Type: application/json\r\nContent-Length: \(body.count)\r\nConnection: close\r\n\r\n"
    return try await test.http.raw(Array(head(test, "POST", "/v1/events", more).utf8) + body, closesWriting: false)
  }

  @Test func `clients that never finish are cut off and hinder nobody`() async throws {
    let test = try await TestServer.start { $0.requestSeconds = 1 }
    _ = try await test.register()
    let halves = [
      "POST /v1/ev", head(test, "POST", "/v1/events"), head(test, "GET", "/v1/events", "X-Half"),
      head(test, "POST", "/v1/events", "Content-Type: application/json\r\nContent-Length: 500\r\n\r\n{\"id\":\"e1\""),
      head(test, "POST", "/v1/events", "Transfer-Encoding: chunked\r\n\r\n5\r\n{\"i"),
    ]
    let ended = Locked(0)
    await withTaskGroup(of: Void.self) { group in
      for number in 0..<40 {
        group.addTask {
          // Whatever the answer is, or none: what counts is that the server ends it.
          _ = try? await test.http.raw(Array(halves[number % halves.count].utf8), closesWriting: false)
          ended.withLock { $0 += 1 }
        }
      }
      group.addTask {
        let answer = try? await test.http.send("POST", "/v1/events", TestServer.payment("e2"))
        #expect(answer?.status == 202)
      }
    }
    #expect(ended.withLock { $0 } == 40)
    #expect(try await test.store.recentEvents(before: nil, limit: 10).map(\.id) == ["e2"])
    await test.stop()
  }

  @Test func `bytes that are no UTF-8 are refused in the body, the path and the query`() async throws {
    let test = try await TestServer.start()
    _ = try await test.register()
    for bad: [UInt8] in [[0xFF], [0xC0, 0x80], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80], [0xE2, 0x82]] {
      let body = Array(#"{"to":{"user":"shop"},"kind":"text","text":""#.utf8) + bad + Array(#""}"#.utf8)
      let answer = try await post(test, body)
      #expect(answer.status == 400 && answer.headers["content-type"] == Problem.mediaType, "\(bad)")
    }
    for target in ["/v1/events/%ff", "/v1/events?before=%c0%80", "/v1/events/%00", "/v1/events/\u{1F}x"] {
      let bytes = Array(head(test, "GET", target, "Connection: close\r\n\r\n").utf8)
      let answer = try? await test.http.raw(bytes, closesWriting: false)
      #expect(answer.map { (400..<500).contains($0.status) } ?? true, "\(target)")
    }
    #expect(try await test.store.recentEvents(before: nil, limit: 10).isEmpty)
    await test.stop()
  }

  @Test func `JSON that is deep, endless or doubled is refused without being followed`() async throws {
    let test = try await TestServer.start()
    _ = try await test.register()
    let deep = String(repeating: "[", count: 500_000)
    let bodies = [
      deep, String(repeating: #"{"a":"#, count: 100_000),
      #"{"to":"# + deep + String(repeating: "]", count: 500_000) + "}",
      "[1" + String(repeating: "0", count: 1_000_000) + "]",
      "{\"kind\":\"" + String(repeating: "x", count: 1_000_000) + "\"}",
      #"{"kind":"text","kind":"alarm"}"#, "", "\u{FEFF}{}", "nul", "{\"amount\":1e999999999}", "{} {}",
    ]
    for body in bodies {
      let answer = try await post(test, Array(body.utf8))
      #expect([400, 422].contains(answer.status), "\(body.prefix(20)): \(answer.text.prefix(200))")
      #expect(answer.body.count < 4_096, "An answer does not repeat what was sent")
    }
    await test.stop()
  }

  @Test func `a head that is too large is refused, and so are heads that do not say what follows`() async throws {
    let test = try await TestServer.start { $0.headerLimit = 8 << 10 }
    let heads = [
      "X-Long: \(String(repeating: "x", count: 60_000))\r\n",
      (0..<3_000).map { "X-\($0): y\r\n" }.joined(),
      "Content-Length: -1\r\n", "Content-Length: 99999999999999999999\r\n", "Content-Length: 5x\r\n",
      "Transfer-Encoding: chunked\r\nContent-Type: application/json\r\n\r\nzz\r\n{}",
    ]
    for more in heads {
      let bytes = Array(head(test, "POST", "/v1/events", more + "Connection: close\r\n\r\n").utf8)
      // The library closes at once on some of them; an answer, if there is one, is a refusal.
      let answer = try? await test.http.raw(bytes)
      #expect(answer.map { (400..<500).contains($0.status) } ?? true, "\(more.prefix(30)): \(answer?.status ?? 0)")
    }
    #expect(try await test.http.send("GET", "/healthz").status == 200)
    await test.stop()
  }

  @Test(arguments: [11, 12, 13] as [UInt64])
  func `a damaged request is never the server's failure`(seed: UInt64) async throws {
    let test = try await TestServer.start { $0.requestSeconds = 1 }
    _ = try await test.register()
    var chance = SeededChance(seed: seed)
    let body = TestServer.payment("e1")
    let good = Array(
      head(
        test, "POST", "/v1/events",
        "Content-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\nConnection: close\r\n\r\n\(body)"
      ).utf8)
    for _ in 0..<60 {
      var bytes = good
      for _ in 0..<Int.random(in: 1...4, using: &chance) {
        let place = Int.random(in: 0..<bytes.count, using: &chance)
        switch Int.random(in: 0..<4, using: &chance) {
        case 0: bytes[place] = UInt8.random(in: 0...255, using: &chance)
        case 1: bytes.remove(at: place)
        case 2: bytes.insert(contentsOf: bytes[place..<min(bytes.count, place + 9)], at: place)
        default: bytes.removeSubrange(place..<min(bytes.count, place + 5))
        }
      }
      // 501 and 505 are the library's words for a method or a version of HTTP that nobody speaks.
      let answer = try? await test.http.raw(bytes)
      #expect(answer.map { $0.status < 500 || [501, 505].contains($0.status) } ?? true, "\(answer?.text ?? "")")
    }
    #expect(try await test.http.send("GET", "/healthz").status == 200)
    #expect(!test.lines.withLock { $0.joined() }.contains("request failed"))
    await test.stop()
  }
}
