/// Header fields in their order.
///
/// Names compare without regard to case (RFC 9110, 5.1); HTTP/2 sends them in lower case.
package struct HTTPHeaders: Hashable, Sendable, ExpressibleByDictionaryLiteral, RandomAccessCollection {
  /// One field line.
  package struct Field: Hashable, Sendable {
    package var name: String
    package var value: String

    package init(_ name: String, _ value: String) {
      self.name = name
      self.value = value
    }
  }

  private var fields: [Field]

  package init(_ fields: [Field] = []) { self.fields = fields }

  package init(dictionaryLiteral elements: (String, String)...) { fields = elements.map { Field($0.0, $0.1) } }

  package var startIndex: Int { 0 }
  package var endIndex: Int { fields.count }
  package subscript(position: Int) -> Field { fields[position] }

  /// The first value of that name; setting replaces all of them, setting nil removes them.
  package subscript(name: String) -> String? {
    get { fields.first { Self.same($0.name, name) }?.value }
    set {
      let place = fields.firstIndex { Self.same($0.name, name) }
      fields.removeAll { Self.same($0.name, name) }
      if let newValue { fields.insert(Field(name, newValue), at: Swift.min(place ?? fields.count, fields.count)) }
    }
  }

  /// Every value of that name, in order.
  package func values(_ name: String) -> [String] { fields.filter { Self.same($0.name, name) }.map(\.value) }

  /// Adds a field line and keeps the ones that are there.
  package mutating func add(_ name: String, _ value: String) { fields.append(Field(name, value)) }

  package mutating func reserveCapacity(_ count: Int) { fields.reserveCapacity(count) }

  /// ASCII comparison that does not build lower-case copies.
  static func same(_ left: String, _ right: String) -> Bool {
    let left = left.utf8
    let right = right.utf8
    guard left.count == right.count else { return false }
    return zip(left, right).allSatisfy { lowered($0) == lowered($1) }
  }

  private static func lowered(_ byte: UInt8) -> UInt8 { byte >= 0x41 && byte <= 0x5A ? byte | 0x20 : byte }
}
