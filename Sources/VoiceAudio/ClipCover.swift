/// Chooses the clips that say a segment: the cheapest row of clips that says exactly its words.
///
/// A clip costs 1, a joint inside a word a little more, and a take whose context fits better a little less: the fewest
/// clips win, and among equals the best-fitting. A clip may end inside a word only between characters of a script
/// written without blanks, and no piece of such a word may be a single character, whose reading depends on the word.
struct ClipCover {
  /// The takes to speak, in order; empty if the segment cannot be said whole.
  private(set) var takes: [TakeKey] = []
  /// For each take, the places of the words it says.
  private(set) var words: [ClosedRange<Int>] = []
  /// The places of words that no clip says.
  private(set) var missing: [Int] = []

  private static let insideWordCost = 0.2
  private static let fitBonus = 0.01
  private static let skipCost = 1e6

  private struct Step {
    var cost = Double.infinity
    var from = -1
    var take: TakeKey?
  }

  init(_ segment: [String], in pack: VoicePack) {
    let text = TokenText(segment)
    var steps = [Step](repeating: Step(), count: text.count + 1)
    steps[0].cost = 0
    for start in 0..<text.count {
      let base = steps[start].cost
      func offer(_ end: Int, _ cost: Double, _ take: TakeKey?) {
        if base + cost < steps[end].cost { steps[end] = Step(cost: base + cost, from: start, take: take) }
      }
      offer(start + 1, ClipCover.skipCost, nil)
      var hash = TokenText.hash([])
      var hashed = text.starts[start]
      for end in start + 1..<text.count + 1 where end - start <= pack.index.longest {
        hash = TokenText.hash(text.bytes[hashed..<text.end(end - 1)], from: hash)
        hashed = text.end(end - 1)
        guard let joint = ClipCover.jointCost(text, start, end) else { continue }
        let said = text.bytes[text.starts[start]..<hashed]
        for clip in pack.index.clips(saying: said, hash: hash) {
          guard let (take, cost) = ClipCover.bestTake(pack, clip, text, start, end) else { continue }
          offer(end, cost + joint, take)
        }
      }
    }
    collect(steps, text)
  }

  private mutating func collect(_ steps: [Step], _ text: TokenText) {
    var end = text.count
    while end > 0 {
      let step = steps[end]
      let range = text.words[step.from]...text.words[end - 1]
      if let take = step.take {
        takes.append(take)
        words.append(range)
      } else if missing.last != range.lowerBound {
        missing.append(range.lowerBound)
      }
      end = step.from
    }
    takes.reverse()
    words.reverse()
    missing.reverse()
    if !missing.isEmpty { (takes, words) = ([], []) }
  }

  /// What ending a clip inside a word costs; `nil` if it may not.
  private static func jointCost(_ text: TokenText, _ start: Int, _ end: Int) -> Double? {
    let inside = (text.isWordStart[start] ? 0 : 1) + (text.isWordStart[end] ? 0 : 1)
    return inside > 0 && end - start < 2 ? nil : Double(inside) * insideWordCost
  }

  /// The take that fits best, and what the clip costs with it; `nil` if no take may stand here.
  private static func bestTake(
    _ pack: VoicePack, _ clip: Int, _ text: TokenText, _ start: Int, _ end: Int
  ) -> (TakeKey, Double)? {
    var best: (TakeKey, Double)?
    for (number, take) in pack.manifest.clips[clip].takes.enumerated() {
      guard let fit = fit(take, text, start, end) else { continue }
      let cost = 1 + take.cost - Double(fit) * fitBonus
      if cost < best?.1 ?? .infinity { best = (TakeKey(clip: clip, take: number), cost) }
    }
    return best
  }

  /// How many conditions of a take's context are met; `nil` if one is not.
  private static func fit(_ take: PackManifest.Take, _ text: TokenText, _ start: Int, _ end: Int) -> Int? {
    var met = 0
    if !take.before.isEmpty {
      guard take.before.contains(where: { stands($0, text, endingAt: start) }) else { return nil }
      met += 1
    }
    if !take.after.isEmpty {
      guard take.after.contains(where: { stands($0, text, beginningAt: end) }) else { return nil }
      met += 1
    }
    switch take.position {
    case .head:
      guard start == 0 else { return nil }
      met += 1
    case .tail:
      guard end == text.count else { return nil }
      met += 1
    case nil: break
    }
    return met
  }

  private static func stands(_ word: String, _ text: TokenText, endingAt token: Int) -> Bool {
    guard token > 0 else { return false }
    return text.bytes[..<text.end(token - 1)].reversed().starts(with: TokenText([word]).bytes.reversed())
  }

  private static func stands(_ word: String, _ text: TokenText, beginningAt token: Int) -> Bool {
    guard token < text.count else { return false }
    return text.bytes[text.starts[token]...].starts(with: TokenText([word]).bytes)
  }

  /// The words that cannot be said, each once, in order.
  static func missing(_ words: [String], in pack: VoicePack) -> [String] {
    var seen: Set<String> = []
    return ClipCover(words, in: pack).missing.map { words[$0] }.filter { seen.insert($0).inserted }
  }
}
