import ExactJSON
import PushPayload

/// Checks payloads, alone or with the request that carries them.
package struct PayloadLinter: Sendable {
  /// The time, in UNIX seconds, against which expiry is judged.
  package var now: Int

  /// Makes a linter.
  package init(now: Int) { self.now = now }

  /// Every finding in a file or standard input: one JSON text, JSON lines, `curl` commands or an .http file.
  package func lint(_ bytes: [UInt8], file: String) -> Report {
    var findings: [Finding] = []
    let bytes = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(bytes.dropFirst(3)) : bytes
    let lines = LineIndex(bytes)
    let inputs = PushInputReader.read(bytes)
    for input in inputs {
      var check = PayloadCheck(input: input, source: bytes, lines: lines, file: file, now: now)
      findings += check.run()
    }
    if inputs.isEmpty { findings.append(Finding(.invalidJSON, Place(file, line: 1))) }
    return Report(subject: file, findings: findings)
  }
}

/// The check of one push; collects findings with their places in the file.
struct PayloadCheck {
  let input: PushInput
  let source: [UInt8]
  let lines: LineIndex
  let file: String
  let now: Int
  var findings: [Finding] = []
  var document: JSONDocument?

  init(input: PushInput, source: [UInt8], lines: LineIndex, file: String, now: Int) {
    (self.input, self.source, self.lines, self.file, self.now) = (input, source, lines, file, now)
  }

  mutating func run() -> [Finding] {
    if let note = input.note { findings.append(Finding(.incomplete, Place(file, line: input.line), note)) }
    if input.payload.contains(where: { $0 > 32 }) {
      do {
        let document = try JSONDocument(parsing: input.payload)
        self.document = document
        checkPayload(document)
      } catch {
        reject(error)
      }
    } else if input.note == nil {
      findings.append(Finding(.invalidJSON, Place(file, line: input.line), "0 bytes"))
    }
    if let request = input.request { checkRequest(request) }
    return findings
  }

  private mutating func reject(_ error: JSONError) {
    let detail = error.message + (error.hint.map { " " + $0 } ?? "")
    findings.append(Finding(.invalidJSON, place(offset: error.offset), detail))
  }

  private mutating func checkPayload(_ document: JSONDocument) {
    for duplicate in document.duplicateKeys {
      findings.append(
        Finding(.duplicateKey, place(offset: duplicate.position.offset), PayloadCheck.name(duplicate.path)))
    }
    checkSize(document)
    guard document.root["aps"]?.objectValue != nil else {
      findings.append(Finding(.noAPS, place(offset: document.range(of: [])?.lowerBound ?? 0)))
      return
    }
    let aps = APSReading(document)
    checkKeys(aps)
    checkTypes(aps)
    checkSound(aps)
    checkMeaning(aps, document)
  }

  private mutating func checkSize(_ document: JSONDocument) {
    let size = input.request == nil ? document.root.serializedBytes().count : input.payload.count
    let type = input.request?.value("apns-push-type").flatMap(PushType.init(rawValue:)) ?? .alert
    guard size > type.maximumPayloadBytes else { return }
    let parts = PayloadCheck.sizes(document.root, prefix: "").sorted { $0.1 > $1.1 }.prefix(3)
    let detail = "\(size) > \(type.maximumPayloadBytes): " + parts.map { "\($0.0) \($0.1)" }.joined(separator: ", ")
    findings.append(Finding(.tooLarge, place(offset: 0), detail))
  }

  private static func sizes(_ value: JSON, prefix: String) -> [(String, Int)] {
    guard let object = value.objectValue else { return [(prefix, value.serializedBytes().count)] }
    return object.members.flatMap { sizes($0.value, prefix: prefix.isEmpty ? $0.key : "\(prefix).\($0.key)") }
  }

  /// The place of a byte of the payload.
  func place(offset: Int) -> Place {
    guard let base = input.offset else { return Place(file, line: input.line) }
    let place = min(base + offset, source.count)
    let column = source[lines.start(ofLineAt: place)..<place].filter { $0 & 0xC0 != 0x80 }.count + 1
    return Place(file, line: lines.line(at: place), column: column)
  }

  /// The place of a key, or of the payload.
  func place(key path: [JSONPathElement]) -> Place {
    place(offset: document?.keyPosition(of: path)?.offset ?? document?.range(of: path)?.lowerBound ?? 0)
  }

  /// A fix of a part of the payload, if the payload stands in the file as it is.
  func fix(_ range: Range<Int>?, _ replacement: String) -> Fix? {
    guard let range, let base = input.offset else { return nil }
    return Fix((base + range.lowerBound)..<(base + range.upperBound), replacement)
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
