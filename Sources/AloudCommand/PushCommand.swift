import AloudServer
import Announcing
import ExactJSON
import Glibc
import PushPayload

extension Subcommand {
  /// `aloud push`: one push, straight to APNs or a sandbox.
  static let push = Subcommand(
    "push", summary: "Send one push to one phone, without a server",
    discussion: """
      aloud push TOKEN --amount "CNY 28.50" --apns-key AuthKey.p8 --key-id ID --team-id ID --topic com.example.till
      Makes the payload that the server would make, checks it, and sends it. --dry-run prints it instead. Exit 1: refused.
      """,
    options: [
      .value("kind", short: "k", "KIND", default: "payment.received", "What happened"),
      .value("amount", short: "a", "AMOUNT", "Currency and amount, such as “CNY 28.50”"),
      .value("brand", short: "b", "NAME", "The service that is named first"),
      .value("from", short: "f", "NAME", "Who paid, asks or calls"),
      .value("text", short: "t", "TEXT", "Free text"),
      .value("locale", short: "l", "TAG", default: "zh-CN", "The language of the banner"),
      .value("id", "ID", "The event's id (default: a new one)"),
      .value("route", "ROUTE", default: "clips", "clips, bundled, speak or chime"),
      .value("payload", "FILE", "Send this payload instead"),
      .flag("dry-run", "Print payload and headers, and send nothing"),
    ] + serverOptions.filter { $0.name.hasPrefix("apns-") || shortNames.contains($0.name) || $0.name == "config" },
    operands: [Operand("TOKEN", help: "The device token in hexadecimal")],
    body: .asynchronous { call in try await pushOnce(call) })

  private static func pushOnce(_ call: Invocation) async throws -> ExitCode {
    let configuration = try serverConfiguration(try settingValues(call))
    let notification = try notification(call, topic: configuration.apns?.topic ?? "")
    let findings = notification.findings.filter { $0.code != .badTopic || configuration.apns != nil }
    for finding in findings { call.io.complain("aloud push: \(finding.message)") }
    if call.arguments.flag("dry-run") {
      for field in notification.headers.fields { call.io.print("\(field.name): \(field.value)") }
      call.io.print("\n" + notification.payload.serialized(pretty: true))
      return findings.isEmpty ? .success : .findings
    }
    let result = try await DirectPush.send(
      notification, token: call.arguments.operands[0].lowercased(), configuration: configuration)
    call.io.print(result.text)
    return result.isAccepted ? .success : .findings
  }

  private static func notification(_ call: Invocation, topic: String) throws -> PushNotification {
    let now = time(nil)
    var event = SpokenEvent(id: call.arguments.value("id") ?? "cli-\(now)-\(getpid())", kind: "payment.received")
    if let path = call.arguments.value("payload") {
      let payload = try JSON.parse(try FileBytes.read(path: path))
      event.id = payload["aloud"]?["id"]?.stringValue ?? event.id
      return PushNotification(payload: payload, headers: .alert(topic: topic, event: event, expiration: now + 3_600))
    }
    event.kind = call.arguments.value("kind") ?? event.kind
    event.locale = call.arguments.value("locale")
    (event.brand, event.from) = (call.arguments.value("brand"), call.arguments.value("from"))
    event.text = call.arguments.value("text")
    (event.at, event.until) = (now, now + 300)
    event.route = call.arguments.value("route").flatMap(Route.init(rawValue:))
    if let amount = call.arguments.value("amount") {
      let parts = amount.split(separator: " ", maxSplits: 1).map(String.init)
      guard parts.count == 2 else {
        throw CommandFailure("--amount takes currency and amount, such as “CNY 28.50”.", code: .usage)
      }
      (event.currency, event.amount) = (parts[0].uppercased(), parts[1])
    }
    let phrase = try PhraseBook(tag: event.locale ?? "zh-CN").phrase(for: event)
    let alert = AlertText(
      title: phrase.title, body: phrase.body, fallbackSound: "fallback.caf", threadID: event.group ?? event.kind)
    return PushNotification(
      payload: try PayloadBuilder.alert(event, alert: alert),
      headers: .alert(topic: topic, event: event, expiration: now + 3_600))
  }
}
