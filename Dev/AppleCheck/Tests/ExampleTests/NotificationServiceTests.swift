import AloudKit
import Foundation
import Testing
import UserNotifications

@testable import TillNotifications

/// The example's extension as it stands: a push goes in, a sound file comes out.
struct ExampleExtensionTests {
  @Test func `seven lines say a payment`() async throws {
    let group = FileManager.default.temporaryDirectory.appendingPathComponent("till-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: group) }
    let voices = group.appendingPathComponent("Library/Aloud/Voices")
    try FileManager.default.createDirectory(at: voices, withIntermediateDirectories: true)
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    try FileManager.default.copyItem(
      at: root.appendingPathComponent("Voices/zh-CN.voicepack"), to: voices.appendingPathComponent("zh-CN.voicepack"))
    FileManager.shimGroups["group.com.example.till"] = group
    defer { FileManager.shimGroups["group.com.example.till"] = nil }

    let content = UNMutableNotificationContent()
    content.title = "微信收款"
    content.body = "收到 28.50 元"
    let now = Int(Date().timeIntervalSince1970)
    content.userInfo = [
      "aps": ["alert": ["title": "微信收款"], "mutable-content": 1],
      "aloud": [
        "v": 1, "id": "evt_till", "kind": "payment.received", "locale": "zh-CN", "amount": "28.50", "currency": "CNY",
        "at": now, "until": now + 120, "route": "clips",
      ],
    ]
    let service = NotificationService()
    let sound: String? = await withCheckedContinuation { continuation in
      service.didReceive(UNNotificationRequest(identifier: "r", content: content, trigger: nil)) {
        continuation.resume(returning: $0.sound?.shimName)
      }
    }
    let name = try #require(sound)
    #expect(name.hasPrefix("aloud-") && name.hasSuffix(".caf"))
    let file = group.appendingPathComponent("Library/Sounds").appendingPathComponent(name)
    #expect(FileManager.default.fileExists(atPath: file.path))
    withExtendedLifetime(service) {}
  }
}
