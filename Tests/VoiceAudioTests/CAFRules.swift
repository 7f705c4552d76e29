/// The rules of a CAF file, walked by code of its own so that reader and writer cannot share a mistake.
///
/// Source: Apple, Core Audio Format Specification 1.0.
enum CAFRules {
  /// Every rule that the bytes break; empty for a sound file.
  static func broken(_ bytes: [UInt8]) -> [String] {
    var findings: [String] = []
    func number(_ at: Int, _ size: Int) -> Int { bytes[at..<at + size].reduce(0) { $0 << 8 | Int($1) } }
    func name(_ at: Int) -> String { String(decoding: bytes[at..<at + 4], as: UTF8.self) }
    guard bytes.count > 8, name(0) == "caff", number(4, 2) == 1, number(6, 2) == 0 else { return ["head"] }
    var chunks: [(name: String, body: Range<Int>)] = []
    var place = 8
    while place < bytes.count {
      guard place + 12 <= bytes.count else { return findings + ["\(bytes.count - place) stray bytes"] }
      let size = number(place + 4, 8)
      guard size >= 0, place + 12 + size <= bytes.count else { return findings + ["\(name(place)) has size \(size)"] }
      if chunks.contains(where: { $0.name == name(place) }) { findings.append("two \(name(place))") }
      chunks.append((name(place), place + 12..<place + 12 + size))
      place += 12 + size
    }
    guard let description = chunks.first, description.name == "desc", description.body.count == 32 else {
      return findings + ["desc is not the first chunk of 32 bytes"]
    }
    guard let data = chunks.first(where: { $0.name == "data" })?.body, data.count > 4 else {
      return findings + ["no data"]
    }
    let start = description.body.lowerBound
    let rate = Double(bitPattern: UInt64(number(start, 8)))
    if rate < 4_000 || rate > 192_000 { findings.append("rate \(rate)") }
    let format = name(start + 8)
    let packet = (bytes: number(start + 16, 4), frames: number(start + 20, 4))
    let channels = number(start + 24, 4)
    let bits = number(start + 28, 4)
    switch format {
    case "lpcm" where packet != (channels * bits / 8, 1): findings.append("lpcm packet")
    case "ulaw" where packet != (channels, 1), "alaw" where packet != (channels, 1): findings.append("law packet")
    case "ima4" where packet != (34 * channels, 64): findings.append("ima4 packet")
    case "lpcm", "ulaw", "alaw", "ima4": break
    default: findings.append("format \(format)")
    }
    guard packet.bytes > 0 else { return findings }
    if (data.count - 4) % packet.bytes != 0 { findings.append("data is not whole packets") }
    guard let table = chunks.first(where: { $0.name == "pakt" })?.body else {
      return format == "ima4" ? findings + ["no pakt"] : findings
    }
    let packets = number(table.lowerBound, 8)
    if packets != (data.count - 4) / packet.bytes { findings.append("pakt counts \(packets) packets") }
    let frames = number(table.lowerBound + 8, 8) + number(table.lowerBound + 16, 4) + number(table.lowerBound + 20, 4)
    if frames != packets * packet.frames { findings.append("pakt frames do not add up") }
    return findings
  }
}
