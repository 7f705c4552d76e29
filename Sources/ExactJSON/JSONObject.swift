/// The members of a JSON object, in the order in which they were sent.
///
/// Two objects are equal when they hold the same
/// members, whatever their order (RFC 8259 section 4).
public struct JSONObject: Sendable {
  /// A key with its value.
  public struct Member: Sendable {
    /// The key.
    public let key: String
    /// The value.
    public internal(set) var value: JSON

    /// Makes a member.
    public init(_ key: String, _ value: JSON) { (self.key, self.value) = (key, value) }
  }

  /// The members, each key once, in order.
  public private(set) var members: [Member]
  /// Only for objects too large for a linear look-up.
  private var positions: [String: Int]?
  private static let linearLimit = 12

  /// Makes an object; a key that is given twice keeps its first place and its last value.
  public init(_ members: [(String, JSON)] = []) {
    self.members = []
    self.members.reserveCapacity(members.count)
    for (key, value) in members { self[key] = value }
  }

  /// Makes an object of members whose keys are known to differ, without looking.
  package init(distinct members: [Member]) {
    self.members = members
    indexIfLarge()
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
    // In place: an iterator would copy, and count references to, each member it steps over.
    return members.withUnsafeBufferPointer { members in
      for place in members.indices where members[place].key == key { return place }
      return nil
    }
  }

  /// Makes room for the members of a usual object at once.
  mutating func reserveUsual() { members.reserveCapacity(8) }

  /// Adds a member unless there is one with its key; says whether it did.
  mutating func insert(_ key: String, _ value: JSON) -> Bool {
    guard position(of: key) == nil else { return false }
    append(key, value)
    return true
  }

  private mutating func append(_ key: String, _ value: JSON) {
    members.append(Member(key, value))
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
  /// Steps over the members in order.
  public struct Iterator: IteratorProtocol {
    fileprivate var rest: IndexingIterator<[Member]>

    public mutating func next() -> (key: String, value: JSON)? { rest.next().map { ($0.key, $0.value) } }
  }

  public func makeIterator() -> Iterator { Iterator(rest: members.makeIterator()) }
}

extension JSONObject: ExpressibleByDictionaryLiteral {
  public init(dictionaryLiteral elements: (String, JSON)...) { self.init(elements) }
}
