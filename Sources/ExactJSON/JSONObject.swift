/// The members of a JSON object, in the order in which they were sent.
///
/// Two objects are equal when they hold the same
/// members, whatever their order (RFC 8259 section 4).
public struct JSONObject: Sendable {
  /// The members, each key once, in order.
  public private(set) var members: [(key: String, value: JSON)]
  /// Only for objects too large for a linear look-up.
  private var positions: [String: Int]?
  private static let linearLimit = 12

  /// Makes an object; a key that is given twice keeps its first place and its last value.
  public init(_ members: [(String, JSON)] = []) {
    self.members = []
    self.members.reserveCapacity(members.count)
    for (key, value) in members { self[key] = value }
  }

  /// The number of members.
  public var count: Int { members.count }
  /// Whether there are no members.
  public var isEmpty: Bool { members.isEmpty }
  /// The keys, in order.
  public var keys: [String] { members.map(\.key) }

  /// The value of `key`; setting `nil` removes the member (O(*n*)).
  /// - Complexity: O(1) on average beyond a dozen members.
  public subscript(key: String) -> JSON? {
    get { position(of: key).map { members[$0].value } }
    set {
      switch (position(of: key), newValue) {
      case (let index?, let value?): members[index].value = value
      case (nil, let value?): append(key, value)
      case (let index?, nil):
        members.remove(at: index)
        positions = nil
        indexIfLarge()
      case (nil, nil): break
      }
    }
  }

  private func position(of key: String) -> Int? {
    if let positions { return positions[key] }
    return members.firstIndex { $0.key == key }
  }

  private mutating func append(_ key: String, _ value: JSON) {
    members.append((key, value))
    if positions != nil { positions?[key] = members.count - 1 } else { indexIfLarge() }
  }

  private mutating func indexIfLarge() {
    guard members.count > JSONObject.linearLimit else { return }
    positions = Dictionary(uniqueKeysWithValues: members.enumerated().map { ($1.key, $0) })
  }
}

extension JSONObject: Hashable {
  public static func == (lhs: JSONObject, rhs: JSONObject) -> Bool {
    lhs.count == rhs.count && lhs.members.allSatisfy { rhs[$0.key] == $0.value }
  }

  public func hash(into hasher: inout Hasher) {
    // Order must not matter, so the members' own hashes are combined by a commutative sum.
    var sum = 0
    for member in members {
      var inner = Hasher()
      inner.combine(member.key)
      inner.combine(member.value)
      sum &+= inner.finalize()
    }
    hasher.combine(sum)
  }
}

extension JSONObject: Sequence {
  public func makeIterator() -> IndexingIterator<[(key: String, value: JSON)]> { members.makeIterator() }
}

extension JSONObject: ExpressibleByDictionaryLiteral {
  public init(dictionaryLiteral elements: (String, JSON)...) { self.init(elements) }
}
