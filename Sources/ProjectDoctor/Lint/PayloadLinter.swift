import ExactJSON
import PushPayload

/// Checks payloads, alone or with the request that carries them.
package struct PayloadLinter: Sendable {
  /// The time, in UNIX seconds, against which expiry is judged.
  package var now: Int
  /// Reads a file that a request names as its body, as `curl -d @body.json` does; `nil` if it is not there.
  package var readFile: @Sendable (String) -> [UInt8]?

  /// Makes a linter; without `readFile` a body in another file is reported as not read.
  package init(now: Int, readFile: @escaping @Sendable (String) -> [UInt8]? = { _ in nil }) {
    (self.now, self.readFile) = (now, readFile)
  }

  /// Every finding in a file or standard input: one JSON text, JSON lines, `curl` commands or an .http file.
  package func lint(_ bytes: [UInt8], file: String) -> Report {
    let text = LintText(bytes, file: file)
    let inputs = PushInputReader.read(text.bytes, file: file)
    var findings = inputs.contains { $0.request == nil } ? text.findings : []
    for input in inputs {
      var body = text
      if let name = input.bodyFile, let bytes = readFile(name) {
        body = LintText(bytes, file: name.hasPrefix("./") ? String(name.dropFirst(2)) : name)
        findings += body.findings
      }
      var check = PayloadCheck(input: input, text: text, body: body, now: now)
      findings += check.run()
    }
    if inputs.isEmpty { findings.append(Finding(.invalidJSON, Place(file, line: 1))) }
    return Report(subject: file, findings: findings)
  }
}

/// A file as UTF-8 without a byte order mark, with what was found on the way.
struct LintText: Sendable {
  let file: String
  let bytes: [UInt8]
  /// What is wrong with the encoding.
  private(set) var findings: [Finding] = []
  /// How many bytes of the file lie before `bytes`, or `nil` if the file is in another encoding.
  private let shift: Int?
  private let lines: LineIndex

  init(_ raw: [UInt8], file: String) {
    self.file = file
    let place = Place(file, line: 1, column: 1)
    if raw.starts(with: [0xEF, 0xBB, 0xBF]) {
      (bytes, shift) = (Array(raw.dropFirst(3)), 3)
      let fix = Fix(0..<3, "")
      findings = [
        Finding(
          .invalidJSON, place, "byte order mark; save it as UTF-8 without BOM", "开头有 BOM，请存为不带 BOM 的 UTF-8", fix: fix)
      ]
    } else if TextDecoding.isWide(raw) {
      (bytes, shift) = (Array(TextDecoding.decode(raw).utf8), nil)
      findings = [Finding(.invalidJSON, place, "UTF-16 or UTF-32; save it as UTF-8", "编码是 UTF-16 或 UTF-32，请存为 UTF-8")]
    } else {
      (bytes, shift) = (raw, 0)
    }
    lines = LineIndex(bytes)
  }

  /// The place of a byte.
  func place(_ offset: Int) -> Place {
    let offset = max(0, min(offset, bytes.count))
    let column = bytes[lines.start(ofLineAt: offset)..<offset].count { $0 & 0xC0 != 0x80 } + 1
    return Place(file, line: lines.line(at: offset), column: column)
  }

  /// A change of the file's own bytes.
  func fix(_ range: Range<Int>, _ replacement: String) -> Fix? {
    shift.map { Fix((range.lowerBound + $0)..<(range.upperBound + $0), replacement) }
  }
}

/// The check of one push; collects findings with their places in the file.
struct PayloadCheck {
  let input: PushInput
  /// The file that shows the push.
  let text: LintText
  /// The file that holds the payload: the same one, as a rule.
  let body: LintText
  let now: Int
  /// The payload's bytes, with slips repaired in place.
  private(set) var payload: [UInt8]
  private let origin: PayloadOrigin
  var findings: [Finding] = []
  var document: JSONDocument?

  init(input: PushInput, text: LintText, body: LintText, now: Int) {
    (self.input, self.text, self.body, self.now) = (input, text, body, now)
    let isElsewhere = input.bodyFile != nil && body.file != text.file
    payload = isElsewhere ? body.bytes : input.payload
    origin = isElsewhere ? .asItIs(0) : input.origin
  }

  /// The file that shows the push.
  var file: String { text.file }

  mutating func run() -> [Finding] {
    if payload.contains(where: { $0 > 32 }) {
      parse()
      if let document { checkPayload(document) }
    } else if let name = input.bodyFile {
      findings.append(Finding(.incomplete, Place(file, line: input.line), "@\(name)"))
    } else {
      findings.append(Finding(.invalidJSON, Place(file, line: input.line), "0 bytes"))
    }
    if let request = input.request { checkRequest(request) }
    return findings
  }

  // Each repair reads the text once more, so large ones get fewer.
  private mutating func parse() {
    var repairs = max(1, min(50, 4_000_000 / max(1, payload.count)))
    while document == nil {
      do {
        document = try JSONDocument(parsing: payload)
      } catch {
        let repair = repairs > 0 ? JSONRepair.of(error, in: payload) : nil
        let detail = error.message + (error.hint.map { " " + $0 } ?? "")
        findings.append(
          Finding(
            .invalidJSON, place(offset: error.offset), detail, error.chinese(in: payload),
            fix: repair.flatMap { fix($0.range, $0.replacement) }))
        guard let repair else { return }
        payload = repair.bytes
        repairs -= 1
      }
    }
  }

  private mutating func checkPayload(_ document: JSONDocument) {
    for duplicate in document.duplicateKeys.prefix(50) {
      findings.append(
        Finding(.duplicateKey, place(offset: duplicate.offset), PayloadCheck.name(duplicate.path)))
    }
    checkSize(document)
    guard document.root["aps"]?.objectValue != nil else {
      let range = document.range(of: [.key("aps")]) ?? document.range(of: [])
      findings.append(Finding(.noAPS, place(offset: range?.lowerBound ?? 0)))
      return
    }
    let aps = APSReading(document)
    checkKeys(aps)
    checkTypes(aps)
    checkSound(aps)
    checkMeaning(aps, document)
  }

  private mutating func checkSize(_ document: JSONDocument) {
    // Alone the payload is taken as a sender writes it, without line breaks; in a request as it stands.
    let size = input.request == nil ? document.root.serializedBytes().count : payload.count
    let type = input.request?.value("apns-push-type").flatMap(PushType.init(rawValue:)) ?? .alert
    guard size > type.maximumPayloadBytes else { return }
    let advice = SizeAdvice(document.root, size: size, limit: type.maximumPayloadBytes)
    findings.append(Finding(.tooLarge, place(offset: 0), advice.english, advice.chinese))
  }

  /// The place of a byte of the payload.
  func place(offset: Int) -> Place { body.place(origin.place(offset)) }

  /// The place of a key, or of the payload.
  func place(key path: [JSONPathElement]) -> Place {
    place(offset: document?.keyOffset(of: path) ?? document?.range(of: path)?.lowerBound ?? 0)
  }

  /// A fix of a part of the payload, if the payload stands in the file as it is.
  func fix(_ range: Range<Int>?, _ replacement: String) -> Fix? {
    guard let range, case .asItIs(let base) = origin else { return nil }
    return body.fix((base + range.lowerBound)..<(base + range.upperBound), replacement)
  }

  /// A path as people write it: `aps.alert.title`.
  static func name(_ path: [JSONPathElement]) -> String {
    path.map { element in
      switch element {
      case .key(let key): key
      case .index(let index): String(index)
      }
    }.joined(separator: ".")
  }
}
