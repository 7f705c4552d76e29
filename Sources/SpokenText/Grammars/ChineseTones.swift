/// The changes of tone in Mandarin numbers, as words of their own.
///
/// 一 is yì before the first three tones and yí before the fourth; alone, at the end, after 第 or 十, in a month and in a
/// row of digits it keeps yī. A third tone before another third tone rises: 五百 is wú bǎi. Both only between a digit and its unit,
/// where speech never pauses. Rule: 现代汉语词典, 凡例 3.3; the same in any Mandarin primer.
struct ChineseTones: Sendable {
  private let one: Token
  /// 一 before a fourth tone, and before another tone.
  private let oneRising: Token
  private let oneFalling: Token
  private let fourthTone: Set<Token>
  private let hundredOrThousand: Set<Token>
  private let measures: Set<Token>
  /// Words after which 一 ends a number and keeps its tone before a measure word: 十一元, 零一元.
  private let keepers: Set<Token>
  private let ten: Token
  /// Units of the third tone, and the digits that rise before them.
  private let thirdToneUnits: Set<Token>
  private let rising: [Token: Token]

  init(_ style: ChineseStyle, _ lexicon: inout Lexicon) {
    let kinds: KindSet = [
      .number, .amountUnits, KindSet(.time), .time12, .time24, .percent, .ordinal, .date, .duration,
    ]
    let isTaiwan = style.bigUnits.count > 2
    one = lexicon.add("一", [])
    oneRising = lexicon.add("一", sound: "yí", kinds)
    oneFalling = lexicon.add("一", sound: "yì", kinds)
    // Adding a word that exists changes nothing; a word that this locale lacks gets no kind and is never said.
    fourthTone = Set(lexicon.add([style.bigUnits[0], style.bigUnits[1], isTaiwan ? "兆" : style.bigUnits[1]], []))
    hundredOrThousand = Set(lexicon.add(["百", "千"], []))
    measures = Set(lexicon.add(["元", "角", "分", "美元", style.spanUnits[0]] + style.spanUnits[1...], []))
    keepers = Set(lexicon.add(style.digits + ["十", "百", "千", style.point, "第"] + style.bigUnits, []))
    ten = lexicon.add("十", [])
    thirdToneUnits = Set(lexicon.add(["百", style.hour, "角", "秒"], []))
    var pairs: [Token: Token] = [:]
    for (sign, sound) in [("五", "wú"), ("九", "jiú"), (style.pair, "liáng")] {
      pairs[lexicon.add(sign, [])] = lexicon.add(sign, sound: sound, kinds)
    }
    rising = pairs
  }

  /// Replaces the words whose tone their right neighbour changes.
  func apply(to out: inout TokenBuffer) {
    guard out.count > 1 else { return }
    for position in 0..<(out.count - 1) {
      let word = out[position]
      let next = out[position + 1]
      if word == one {
        let before = position > 0 ? out[position - 1] : nil
        if before == ten { continue }
        if fourthTone.contains(next) { out.replace(at: position, with: oneRising) }
        if hundredOrThousand.contains(next) { out.replace(at: position, with: oneFalling) }
        if measures.contains(next), !(before.map(keepers.contains) ?? false) {
          out.replace(at: position, with: oneFalling)
        }
      } else if let risen = rising[word], thirdToneUnits.contains(next) {
        out.replace(at: position, with: risen)
      }
    }
  }
}
