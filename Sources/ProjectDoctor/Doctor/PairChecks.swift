/// The rules between an app and the service extension inside it.
enum PairChecks {
  /// Everything found for one configuration.
  static func run(app: Unit, service: Unit) -> [Finding] {
    var findings: [Finding] = []
    let place = service.fallbackPlace
    func add(_ code: RuleCode, _ detail: String, at place: Place) {
      let named = service.configuration.map { "\($0): \(detail)" } ?? detail
      findings.append(Finding(code, place, named))
    }
    if let appID = app.bundleID, let serviceID = service.bundleID, !appID.contains("$"), !serviceID.contains("$"),
      !serviceID.hasPrefix(appID + ".")
    {
      add(.bundlePrefix, "\(appID) / \(serviceID)", at: place)
    }
    if let low = Version(app.deployment), let high = Version(service.deployment), low < high {
      add(.deploymentTarget, "\(high.text) > \(low.text)", at: place)
    }
    for (own, other) in [(app.version, service.version), (app.build, service.build)] {
      guard let own, let other, own != other, !own.contains("$"), !other.contains("$") else { continue }
      add(.versionMismatch, "\(own) / \(other)", at: place)
    }
    let (groups, others) = (Set(app.groups), Set(service.groups))
    let needed = !groups.isEmpty || !others.isEmpty
    if needed, groups.isDisjoint(with: others), !others.isEmpty || usesGroup(service) {
      let names = [groups, others].map { $0.isEmpty ? "–" : $0.sorted().joined(separator: ", ") }
      let place = service.entitlements.map { $0.place("com.apple.security.application-groups") } ?? place
      add(.groupMismatch, names.joined(separator: " / "), at: place)
    }
    return findings
  }

  private static func usesGroup(_ unit: Unit) -> Bool {
    unit.sources.contains {
      $0.text.hasAny([
        "containerURL", "containerURLForSecurityApplicationGroupIdentifier", "suiteName", "initWithSuiteName",
      ])
    }
  }

  /// Merges findings that differ only by the configuration in front of their detail.
  static func merged(_ findings: [Finding]) -> [Finding] {
    var order: [Finding] = []
    var names: [Finding: [String]] = [:]
    for finding in findings {
      var plain = finding
      let parts = finding.detail.split(separator: ":", maxSplits: 1).map(String.init)
      guard parts.count == 2 else {
        order.append(finding)
        continue
      }
      plain.detail = parts[1].trimmed
      if names[plain] == nil { order.append(plain) }
      names[plain, default: []].append(parts[0])
    }
    return order.map { finding in
      guard let configurations = names[finding] else { return finding }
      var named = finding
      named.detail = "\(configurations.joined(separator: ", ")): \(finding.detail)"
      return named
    }
  }
}

/// A version of iOS, compared part by part.
struct Version: Comparable {
  let text: String
  private let parts: [Int]

  init?(_ text: String?) {
    guard let text else { return nil }
    self.text = text
    parts = text.split(separator: ".").compactMap { Int($0) }
    if parts.isEmpty { return nil }
  }

  static func < (lhs: Version, rhs: Version) -> Bool {
    let count = max(lhs.parts.count, rhs.parts.count)
    for index in 0..<count {
      let left = index < lhs.parts.count ? lhs.parts[index] : 0
      let right = index < rhs.parts.count ? rhs.parts[index] : 0
      if left != right { return left < right }
    }
    return false
  }
  static func == (lhs: Version, rhs: Version) -> Bool { !(lhs < rhs) && !(rhs < lhs) }
}
