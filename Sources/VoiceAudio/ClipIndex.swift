/// Finds the clip that says a given text.
struct ClipIndex: Sendable {
  /// Where a take stands in the manifest.
  struct Entry: Sendable {
    let clip: Int32
    /// The canonical text, as a range of ``texts``.
    let text: Range<Int32>
    /// The next clip that says the same, or -1.
    var next: Int32 = -1
  }

  private var texts: [UInt8] = []
  private var entries: [Entry] = []
  private var slots: [Int32]
  /// The largest number of tokens of any clip.
  private(set) var longest = 0

  init(_ clips: [PackManifest.Clip]) {
    var size = 16
    while size < clips.count * 2 { size *= 2 }
    slots = [Int32](repeating: -1, count: size)
    entries.reserveCapacity(clips.count)
    texts.reserveCapacity(clips.count * 12)
    for (place, clip) in clips.enumerated() {
      // Each text has its own scanner and its own place, at whose beginning no blank may stand.
      var text: [UInt8] = []
      text.reserveCapacity(64)
      var tokens = 0
      var scanner = TokenScanner()
      for word in clip.words { scanner.append(word, to: &text) { _, _ in tokens += 1 } }
      guard tokens > 0 else { continue }
      longest = max(longest, tokens)
      let start = Int32(texts.count)
      texts += text
      insert(Entry(clip: Int32(place), text: start..<Int32(texts.count)), hash: TokenText.hash(text))
    }
  }

  private mutating func insert(_ entry: Entry, hash: UInt64) {
    var slot = Int(truncatingIfNeeded: hash) & (slots.count - 1)
    let number = Int32(entries.count)
    entries.append(entry)
    while slots[slot] >= 0 {
      let other = Int(slots[slot])
      if bytes(entries[other]).elementsEqual(bytes(entry)) {
        entries[Int(number)].next = entries[other].next
        entries[other].next = number
        return
      }
      slot = (slot + 1) & (slots.count - 1)
    }
    slots[slot] = number
  }

  private func bytes(_ entry: Entry) -> ArraySlice<UInt8> {
    texts[Int(entry.text.lowerBound)..<Int(entry.text.upperBound)]
  }

  /// The numbers of the clips whose text is `text`, whose hash is given.
  func clips(saying text: ArraySlice<UInt8>, hash: UInt64) -> [Int] {
    var slot = Int(truncatingIfNeeded: hash) & (slots.count - 1)
    while slots[slot] >= 0 {
      let first = entries[Int(slots[slot])]
      if bytes(first).elementsEqual(text) {
        var found = [Int(first.clip)]
        var next = first.next
        while next >= 0 {
          found.append(Int(entries[Int(next)].clip))
          next = entries[Int(next)].next
        }
        return found
      }
      slot = (slot + 1) & (slots.count - 1)
    }
    return []
  }
}
