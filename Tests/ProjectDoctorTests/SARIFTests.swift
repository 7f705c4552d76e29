import ExactJSON
import ProjectDoctor
import Testing

/// What the schema of SARIF 2.1.0 requires of the parts that the doctor writes, by hand from the standard's sections.
///
/// Source: https://docs.oasis-open.org/sarif/sarif/v2.1.0/os/sarif-v2.1.0-os.html
private struct SARIFSchema {
  private(set) var faults: [String] = []

  static func faults(in log: JSON) -> [String] {
    var schema = SARIFSchema()
    schema.checkLog(log)
    return schema.faults
  }

  private mutating func require(_ holds: Bool, _ what: String) { if !holds { faults.append(what) } }

  /// Only the members that the section names may stand there, and all of the required ones must.
  private mutating func object(_ value: JSON?, _ name: String, required: Set<String>, optional: Set<String> = []) {
    let keys = Set(value?.objectValue?.keys ?? [])
    require(value?.objectValue != nil, "\(name) is no object")
    require(required.isSubset(of: keys), "\(name) lacks \(required.subtracting(keys))")
    require(keys.isSubset(of: required.union(optional)), "\(name) has \(keys.subtracting(required.union(optional)))")
  }

  private mutating func checkLog(_ log: JSON) {
    object(log, "log", required: ["version", "runs"], optional: ["$schema"])
    require(log["version"]?.stringValue == "2.1.0", "3.13.2 version")
    for run in log["runs"]?.arrayValue ?? [] { checkRun(run) }
  }

  private mutating func checkRun(_ run: JSON) {
    object(run, "run", required: ["tool", "results"], optional: ["columnKind", "language"])
    require(["utf16CodeUnits", "unicodeCodePoints"].contains(run["columnKind"]?.stringValue), "3.14.17 columnKind")
    let driver = run["tool"]?["driver"]
    object(run["tool"], "tool", required: ["driver"])
    object(driver, "driver", required: ["name"], optional: ["version", "rules"])
    let rules = driver?["rules"]?.arrayValue ?? []
    for rule in rules {
      object(
        rule, "rule", required: ["id"],
        optional: ["shortDescription", "help", "helpUri", "defaultConfiguration"])
      require(rule["shortDescription"]?["text"]?.stringValue?.isEmpty == false, "3.49.9 shortDescription")
      require(rule["helpUri"]?.stringValue?.hasPrefix("https://") == true, "3.49.12 helpUri")
    }
    require(Set(rules.compactMap { $0["id"]?.stringValue }).count == rules.count, "3.19.23 unique rules")
    for result in run["results"]?.arrayValue ?? [] { checkResult(result, rules) }
  }

  private mutating func checkResult(_ result: JSON, _ rules: [JSON]) {
    object(
      result, "result", required: ["message"],
      optional: ["ruleId", "ruleIndex", "level", "locations", "suppressions"])
    require(["none", "note", "warning", "error"].contains(result["level"]?.stringValue), "3.27.10 level")
    require(result["message"]?["text"]?.stringValue?.isEmpty == false, "3.11 message")
    if let index = result["ruleIndex"]?.intValue {
      require(rules.indices.contains(index) && rules[index]["id"] == result["ruleId"], "3.27.6 ruleIndex")
    }
    for location in result["locations"]?.arrayValue ?? [] {
      let physical = location["physicalLocation"]
      object(physical, "physicalLocation", required: ["artifactLocation"], optional: ["region"])
      let uri = physical?["artifactLocation"]?["uri"]?.stringValue ?? ""
      let isURI = uri.utf8.allSatisfy { $0 > 32 && $0 < 127 && !"\"<>\\^`{|}()".utf8.contains($0) }
      require(!uri.isEmpty && isURI && !uri.split(separator: "/")[0].contains(":"), "3.4.3 uri “\(uri)”")
      if let region = physical?["region"] {
        object(region, "region", required: ["startLine"], optional: ["startColumn"])
        require((region["startLine"]?.intValue ?? 0) > 0, "3.30.5 startLine")
        require((region["startColumn"]?.intValue ?? 1) > 0, "3.30.6 startColumn")
      }
    }
    for suppression in result["suppressions"]?.arrayValue ?? [] {
      object(suppression, "suppression", required: ["kind"], optional: ["justification"])
      require(["inSource", "external"].contains(suppression["kind"]?.stringValue), "3.35.3 kind")
    }
  }
}

struct SARIFTests {
  @Test(arguments: [false, true])
  func `a log with every rule, odd paths and silenced findings meets the schema`(_ isChinese: Bool) {
    var findings = RuleCode.allCases.enumerated().map { index, code in
      Finding(code, Place("dir \(index)/文件:\(index).plist", line: index + 1, column: index % 3 + 1), "<\(code)>")
    }
    findings += [
      Finding(.notEmbedded, Place("a:b/%20?#.txt")), Finding(.invalidJSON, Place("(standard input)", line: 1)),
    ]
    let report = Report(subject: "x", findings: findings)
      .silenced(by: SilenceFile("ALD101: known\nALD402 a*: known\n"))
    let log = report.sarif(toolVersion: "1.2.3", isChinese: isChinese)
    #expect(SARIFSchema.faults(in: log) == [])
    let results = log["runs"]?[0]?["results"]?.arrayValue ?? []
    #expect(results.count == findings.count)
    #expect(results.count { $0["suppressions"] != nil } == 3)
    #expect(results[0]["message"]?["text"]?.stringValue?.unicodeScalars.contains { $0.value > 0x4E00 } == isChinese)
  }

  @Test func `an empty report is a log as well`() {
    #expect(SARIFSchema.faults(in: Report(subject: "x", findings: []).sarif(toolVersion: "1")) == [])
  }
}
