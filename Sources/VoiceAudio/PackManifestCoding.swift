internal import ExactJSON

// MARK: Reading

extension PackManifest {
  /// Reads `pack.json`.
  /// - Throws: ``VoicePackError`` that names the member at fault.
  public init(json bytes: [UInt8]) throws(VoicePackError) {
    var head = JSONObject()
    var clips: [Clip]?
    do {
      var stream = JSONStream(bytes)
      guard stream.beginObject() else {
        throw VoicePackError(.badManifest, "pack.json holds a \(stream.kindName); it must be an object.")
      }
      while let key = try stream.nextMember() {
        guard key == "clips" else {
          head[key] = try stream.value()
          continue
        }
        clips = try PackManifest.clips(&stream)
      }
      try stream.finish()
    } catch let error as JSONError {
      throw VoicePackError(.badManifest, "pack.json, \(error)")
    } catch let error as VoicePackError {
      throw error
    } catch {
      throw VoicePackError(.badManifest, "pack.json: \(error)")
    }
    let reader = ManifestReader(object: .object(head), path: "")
    let format = try reader.integer("format")
    guard format == PackManifest.format else {
      throw VoicePackError(
        .unknownFormat, "The pack has format \(format); this version reads format \(PackManifest.format).")
    }
    let codecName = try reader.text("codec")
    guard let codec = AudioCodec(rawValue: codecName), codec == .lpcm || codec == .ima4 else {
      throw VoicePackError(.badManifest, "pack.json: the codec \"\(codecName)\" is not \"lpcm\" or \"ima4\".")
    }
    let pauses = try reader.optionalObject("pauses")
    let defaults = Pauses()
    self.init(
      id: try reader.text("id"), version: try reader.text("version"), locale: try reader.text("locale"),
      voice: try reader.text("voice"), licence: try reader.text("licence"),
      attribution: try reader.optionalText("attribution") ?? "", sampleRate: try reader.integer("sampleRate"),
      codec: codec, loudness: try reader.optionalNumber("loudness", -70...0) ?? -16,
      pauses: Pauses(
        between: try pauses?.optionalNumber("between", 0...5) ?? defaults.between,
        afterBrand: try pauses?.optionalNumber("afterBrand", 0...5),
        beforeAmount: try pauses?.optionalNumber("beforeAmount", 0...5),
        afterChime: try pauses?.optionalNumber("afterChime", 0...5) ?? defaults.afterChime),
      overlapSeconds: try reader.optionalNumber("overlap", 0...0.1) ?? 0.005, clips: clips ?? [])
    guard clips != nil else {
      throw VoicePackError(.badManifest, "pack.json: clips is missing; it must be an object with a member a clip.")
    }
  }

  /// Reads the clips one by one: a pack has hundreds, and a tree of them all would take longer than everything else.
  private static func clips(_ stream: inout JSONStream) throws -> [Clip] {
    guard stream.beginObject() else {
      throw VoicePackError(.badManifest, "pack.json: clips is \(stream.kindName); it must be an object.")
    }
    var clips: [Clip] = []
    // By hash, because Swift compares texts by their normal form, which takes its time.
    var hashes: Set<UInt64> = []
    while let name = try stream.nextMember() {
      let isNew = hashes.insert(TokenText.hash(name.utf8)).inserted
      guard isNew || !clips.contains(where: { $0.name == name }) else {
        throw VoicePackError(.badManifest, "pack.json: there are two clips called \"\(name)\".")
      }
      clips.append(try clip(name, &stream))
    }
    return clips
  }

  private static func clip(_ name: String, _ stream: inout JSONStream) throws -> Clip {
    // Put together only where it is needed: most clips have nothing to complain about.
    var path: String { "clips." + name + "." }
    guard stream.beginObject() else {
      throw VoicePackError(.badManifest, "pack.json: clips.\(name) is \(stream.kindName); it must be an object.")
    }
    var words: [String]?
    var start: Int?
    var length: Int?
    var rest = JSONObject()
    while let key = try stream.nextMember() {
      switch key {
      case "start" where start == nil: start = try integer(&stream, name, key)
      case "length" where length == nil: length = try integer(&stream, name, key)
      case "words" where words == nil: words = try texts(&stream, name, key)
      default: rest[key] = try stream.value()
      }
    }
    var takes: [Take] = []
    if start != nil || length != nil || rest["variants"] == nil {
      guard let start, let length else {
        throw VoicePackError(
          .badManifest, "pack.json: \(path)\(start == nil ? "start" : "length") is missing; it must be a whole number.")
      }
      takes = [
        rest.isEmpty
          ? Take(start: start, length: length)
          : try take(ManifestReader(object: .object(rest), path: path), start: start, length: length)
      ]
    }
    if !rest.isEmpty {
      let variants = try ManifestReader(object: .object(rest), path: path).optionalArray("variants") ?? []
      for (place, variant) in variants.enumerated() {
        let reader = ManifestReader(object: variant, path: "\(path)variants[\(place)].")
        takes.append(try take(reader, start: try reader.integer("start"), length: try reader.integer("length")))
      }
    }
    guard words?.isEmpty != true, !takes.isEmpty else {
      throw VoicePackError(.badManifest, "pack.json: the clip \"\(name)\" has no words or no sound.")
    }
    return Clip(name: name, words: words ?? [name], takes: takes)
  }

  private static func integer(_ stream: inout JSONStream, _ name: String, _ key: String) throws -> Int {
    let kind = stream.kindName
    guard let value = try stream.int() else {
      throw VoicePackError(.badManifest, "pack.json: clips.\(name).\(key) is \(kind); it must be a whole number.")
    }
    return value
  }

  private static func texts(_ stream: inout JSONStream, _ name: String, _ key: String) throws -> [String] {
    var texts: [String] = []
    if stream.beginArray() {
      while try stream.nextElement() {
        guard let text = try stream.string() else {
          throw VoicePackError(
            .badManifest, "pack.json: clips.\(name).\(key) holds \(stream.kindName); it must hold texts only.")
        }
        texts.append(text)
      }
      return texts
    }
    throw VoicePackError(
      .badManifest, "pack.json: clips.\(name).\(key) is \(stream.kindName); it must be a list of texts.")
  }

  private static func take(_ reader: ManifestReader, start: Int, length: Int) throws(VoicePackError) -> Take {
    var take = Take(start: start, length: length)
    take.cost = try reader.optionalNumber("cost", -0.9...100) ?? 0
    guard let context = try reader.optionalObject("context") else { return take }
    take.before = try context.optionalTexts("before") ?? []
    take.after = try context.optionalTexts("after") ?? []
    if let name = try context.optionalText("position") {
      guard let position = Position(rawValue: name) else {
        throw VoicePackError(
          .badManifest, "pack.json: \(context.path)position is \"\(name)\" and must be \"head\" or \"tail\".")
      }
      take.position = position
    }
    return take
  }
}

/// Reads members of one object of the manifest and names them in its errors.
private struct ManifestReader {
  let object: JSON
  let path: String

  private func wrong(_ key: String, _ wanted: String) -> VoicePackError {
    let found = object[key].map { "is \($0.kindName)" } ?? "is missing"
    return VoicePackError(.badManifest, "pack.json: \(path)\(key) \(found); it must be \(wanted).")
  }

  func integer(_ key: String) throws(VoicePackError) -> Int {
    guard let value = object[key]?.intValue else { throw wrong(key, "a whole number") }
    return value
  }

  func text(_ key: String) throws(VoicePackError) -> String {
    guard let value = object[key]?.stringValue else { throw wrong(key, "text") }
    return value
  }

  func optionalText(_ key: String) throws(VoicePackError) -> String? {
    guard let value = object[key], !value.isNull else { return nil }
    guard let text = value.stringValue else { throw wrong(key, "text") }
    return text
  }

  func optionalNumber(_ key: String, _ range: ClosedRange<Double>) throws(VoicePackError) -> Double? {
    guard let value = object[key], !value.isNull else { return nil }
    guard let text = value.numberValue?.text, let number = Double(text), range.contains(number) else {
      throw wrong(key, "a number from \(range.lowerBound) to \(range.upperBound)")
    }
    return number
  }

  func optionalArray(_ key: String) throws(VoicePackError) -> [JSON]? {
    guard let value = object[key], !value.isNull else { return nil }
    guard let array = value.arrayValue else { throw wrong(key, "a list") }
    return array
  }

  func optionalTexts(_ key: String) throws(VoicePackError) -> [String]? {
    guard let array = try optionalArray(key) else { return nil }
    let texts = array.compactMap(\.stringValue)
    guard texts.count == array.count else { throw wrong(key, "a list of texts") }
    return texts
  }

  func optionalObject(_ key: String) throws(VoicePackError) -> ManifestReader? {
    guard let value = object[key], !value.isNull else { return nil }
    guard value.objectValue != nil else { throw wrong(key, "an object") }
    return ManifestReader(object: value, path: path + key + ".")
  }
}

// MARK: Writing

extension PackManifest {
  /// The text of `pack.json`, one clip a line, ending in a line feed.
  public var json: String {
    var head = JSONObject([
      ("format", .int(PackManifest.format)), ("id", .string(id)), ("version", .string(version)),
      ("locale", .string(locale)), ("voice", .string(voice)), ("licence", .string(licence)),
      ("attribution", .string(attribution)), ("sampleRate", .int(sampleRate)), ("codec", .string(codec.rawValue)),
      ("loudness", PackManifest.number(loudness)), ("overlap", PackManifest.number(overlapSeconds)),
    ])
    var silence = JSONObject([("between", PackManifest.number(pauses.between))])
    silence["afterBrand"] = pauses.afterBrand.map(PackManifest.number)
    silence["beforeAmount"] = pauses.beforeAmount.map(PackManifest.number)
    silence["afterChime"] = PackManifest.number(pauses.afterChime)
    head["pauses"] = .object(silence)
    let lines = head.members.map { "  \(JSON.string($0.key).serialized()): \($0.value.serialized())" }
    let clipLines = clips.map { "    \(JSON.string($0.name).serialized()): \($0.json.serialized())" }
    return "{\n" + lines.joined(separator: ",\n") + ",\n  \"clips\": {\n" + clipLines.joined(separator: ",\n")
      + "\n  }\n}\n"
  }

  /// A number in at most four decimals.
  static func number(_ value: Double) -> JSON {
    let scaled = Int(value * 10_000 + (value < 0 ? -0.5 : 0.5))
    let magnitude = String(scaled.magnitude)
    let digits = String(repeating: "0", count: max(0, 5 - magnitude.count)) + magnitude
    var text = digits.dropLast(4) + "." + digits.suffix(4)
    while text.last == "0" { text.removeLast() }
    if text.last == "." { text.removeLast() }
    return JSONNumber(literal: (scaled < 0 ? "-" : "") + text).map { .number($0) } ?? 0
  }
}

extension PackManifest.Clip {
  fileprivate var json: JSON {
    var object = JSONObject([("words", .array(words.map { .string($0) }))])
    let isPlain = { (take: PackManifest.Take) in take.before.isEmpty && take.after.isEmpty && take.position == nil }
    let plain = takes.firstIndex(where: isPlain)
    if let plain { for (key, value) in takes[plain].json(withContext: false) { object[key] = value } }
    let others = takes.indices.filter { $0 != plain }.map { JSON.object(takes[$0].json(withContext: true)) }
    if !others.isEmpty { object["variants"] = .array(others) }
    return .object(object)
  }
}

extension PackManifest.Take {
  fileprivate func json(withContext: Bool) -> JSONObject {
    var object = JSONObject([("start", .int(start)), ("length", .int(length))])
    if cost != 0 { object["cost"] = PackManifest.number(cost) }
    guard withContext else { return object }
    var context = JSONObject()
    if !before.isEmpty { context["before"] = .array(before.map { .string($0) }) }
    if !after.isEmpty { context["after"] = .array(after.map { .string($0) }) }
    context["position"] = position.map { .string($0.rawValue) }
    object["context"] = .object(context)
    return object
  }
}
