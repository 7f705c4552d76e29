import ExactJSON
import PushPayload

extension PayloadCheck {
  /// The headers and the address, alone and against the payload.
  mutating func checkRequest(_ request: PushRequestText) {
    checkAddress(request)
    guard isAPNs(request) else { return }
    let typeText = request.value("apns-push-type")
    let type = typeText.flatMap(PushType.init(rawValue:))
    if typeText == nil { add(.noPushType, request, nil) }
    if let typeText, type == nil { add(.unknownPushType, request, "apns-push-type", typeText) }
    if type == .voip { add(.voipPush, request, "apns-push-type") }
    let aps = document.map(APSReading.init)
    checkPriority(request, type, aps)
    checkMatch(request, type, aps)
    checkTopic(request, type)
    checkIdentity(request)
    checkExpiration(request, aps)
  }

  // A REST call to some other service that carries a payload has no APNs headers to check.
  private func isAPNs(_ request: PushRequestText) -> Bool {
    (request.url ?? "").contains("push.apple.com") || (request.url ?? "").contains("/3/device/")
      || request.headers.contains { $0.name.hasPrefix("apns-") }
  }

  private mutating func add(_ code: RuleCode, _ request: PushRequestText, _ header: String?, _ detail: String = "") {
    let line = header.flatMap { request.line($0) } ?? input.line
    findings.append(Finding(code, Place(file, line: line), detail))
  }

  private mutating func checkAddress(_ request: PushRequestText) {
    guard let url = request.url else { return }
    let rest = url.split(separator: "//", maxSplits: 1).last.map(String.init) ?? url
    let host = String(rest.split(separator: "/").first ?? "").split(separator: ":").first.map(String.init) ?? ""
    if host.hasSuffix("push.apple.com"), !["api.push.apple.com", "api.sandbox.push.apple.com"].contains(host) {
      let isAlias = host == "api.development.push.apple.com"
      findings.append(
        Finding(.wrongHost, Place(file, line: input.line), host, severity: isAlias ? .hint : nil))
    }
    guard isAPNs(request) else { return }
    if let method = request.method, method != "POST" { add(.wrongMethod, request, nil, method) }
    if let token = TextSearch.after("/3/device/", in: rest) {
      let isPlaceholder = token.contains("{") || token.contains("$") || token.contains("_") || token.isEmpty
      if !isPlaceholder, !token.utf8.allSatisfy({ Hex.digit($0) != nil }) { add(.badToken, request, nil, token) }
    }
  }

  private mutating func checkPriority(_ request: PushRequestText, _ type: PushType?, _ aps: APSReading?) {
    let priority = request.value("apns-priority")
    let isBackground = type == .background || (type == nil && aps?.isSilent == true)
    if let priority, !["10", "5", "1"].contains(priority) {
      add(.badPriority, request, "apns-priority", priority)
    } else if isBackground, priority != "5" {
      add(.backgroundPriority, request, "apns-priority", priority ?? "10")
    }
  }

  private mutating func checkMatch(_ request: PushRequestText, _ type: PushType?, _ aps: APSReading?) {
    guard let aps else { return }
    if type == .background, !aps.isSilent {
      add(.pushTypeMismatch, request, "apns-push-type", "background")
    } else if type == .alert, !aps.isVisible {
      add(.pushTypeMismatch, request, "apns-push-type", "alert")
    }
  }

  private mutating func checkTopic(_ request: PushRequestText, _ type: PushType?) {
    guard let topic = request.value("apns-topic"), !topic.isEmpty else { return add(.badTopic, request, nil) }
    if topic.contains("{{") || topic.contains("$") { return }
    let suffixes = PushType.allCases.map(\.topicSuffix).filter { !$0.isEmpty }
    if let type, !type.topicSuffix.isEmpty, !topic.hasSuffix(type.topicSuffix) {
      add(.badTopic, request, "apns-topic", "\(topic) → \(topic)\(type.topicSuffix)")
    } else if type == .alert || type == .background, let extra = suffixes.first(where: topic.hasSuffix) {
      add(.badTopic, request, "apns-topic", "\(topic): \(extra)")
    } else if topic.contains("/") || topic.contains(" ") {
      add(.badTopic, request, "apns-topic", topic)
    }
  }

  private mutating func checkIdentity(_ request: PushRequestText) {
    if let collapse = request.value("apns-collapse-id"), collapse.isEmpty || collapse.utf8.count > 64 {
      add(.badCollapseID, request, "apns-collapse-id", "\(collapse.utf8.count) bytes")
    }
    if let id = request.value("apns-id"), !id.contains("{{"), !id.contains("$"), !PushRules.isUUID(id) {
      add(.badMessageID, request, "apns-id", id)
    }
  }

  private mutating func checkExpiration(_ request: PushRequestText, _ aps: APSReading?) {
    guard let text = request.value("apns-expiration") else {
      if let document, let aps, !aps.isSilent, PayloadDecoder.decode(document.root, requestID: "").event != nil {
        add(.noExpiration, request, nil)
      }
      return
    }
    if text.contains("{{") || text.contains("$") { return }
    guard let seconds = Int(text), seconds == 0 || seconds >= now else {
      return add(.badExpiration, request, "apns-expiration", text)
    }
    if seconds > 100_000_000_000 { add(.badExpiration, request, "apns-expiration", "\(text) ms?") }
  }
}
