/// Sound changes between a Japanese numeral and what follows, as pairs of words.
struct JapaneseSounds: Sendable {
  private struct Change: Sendable {
    let first: Token
    let second: Token
  }

  private var changes: [UInt32: Change] = [:]

  init(_ lexicon: inout Lexicon) {
    let clock: KindSet = [KindSet(.time), .time12, .time24]
    // first, its sound; second, its sound; where the pair occurs.
    let rows: [(String, String?, String, String?, KindSet)] = [
      ("三", nil, "百", "びゃく", .number), ("六", "ろっ", "百", "ぴゃく", .number), ("八", "はっ", "百", "ぴゃく", .number),
      ("三", nil, "千", "ぜん", .number), ("八", "はっ", "千", nil, .number), ("一", "いっ", "千", nil, .number),
      ("一", "いっ", "兆", nil, .number), ("八", "はっ", "兆", nil, .number), ("十", "じゅっ", "兆", nil, .number),
      ("一", "いっ", "京", nil, .number), ("六", "ろっ", "京", nil, .number), ("八", "はっ", "京", nil, .number),
      ("十", "じゅっ", "京", nil, .number),
      ("一", "いっ", "点", nil, [.decimal, .amount]), ("八", "はっ", "点", nil, [.decimal, .amount]),
      ("十", "じゅっ", "点", nil, [.decimal, .amount]),
      ("四", "よ", "円", nil, .amount),
      ("一", "いっ", "セント", nil, .amount), ("八", "はっ", "セント", nil, .amount),
      ("十", "じゅっ", "セント", nil, .amount),
      ("四", "よ", "時", nil, clock), ("七", "しち", "時", nil, clock), ("九", "く", "時", nil, clock),
      ("一", "いっ", "分", "ぷん", clock), ("三", nil, "分", "ぷん", clock), ("四", nil, "分", "ぷん", clock),
      ("六", "ろっ", "分", "ぷん", clock), ("八", "はっ", "分", "ぷん", clock), ("十", "じゅっ", "分", "ぷん", clock),
    ]
    for (first, firstSound, second, secondSound, kinds) in rows {
      let pair = Self.key(lexicon.add(first, []), lexicon.add(second, []))
      changes[pair] = Change(
        first: lexicon.add(first, sound: firstSound, firstSound == nil ? [] : kinds),
        second: lexicon.add(second, sound: secondSound, secondSound == nil ? [] : kinds))
    }
  }

  private static func key(_ first: Token, _ second: Token) -> UInt32 {
    UInt32(first.rawValue) << 16 | UInt32(second.rawValue)
  }

  /// Replaces both words of each pair that changes.
  ///
  /// No word is in two pairs: what ends one never begins the next.
  func apply(to out: inout TokenBuffer) {
    guard out.count > 1 else { return }
    for position in 0..<(out.count - 1) {
      guard let change = changes[Self.key(out[position], out[position + 1])] else { continue }
      out.replace(at: position, with: change.first)
      out.replace(at: position + 1, with: change.second)
    }
  }
}
