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
    get { place(of: name).map { fields[$0].value } }
    set {
      guard let place = place(of: name) else {
        if let newValue { fields.append(Field(name, newValue)) }
        return
      }
      if let newValue {
        fields[place] = Field(name, newValue)
        var later = place + 1
        while later < fields.count {
          if Self.same(fields[later].name, name) { fields.remove(at: later) } else { later += 1 }
        }
      } else {
        fields.removeAll { Self.same($0.name, name) }
      }
    }
  }

  private func place(of name: String) -> Int? {
    fields.withUnsafeBufferPointer { fields in
      for place in fields.indices where Self.same(fields[place].name, name) { return place }
      return nil
    }
  }

  /// Whether a name that begins with `prefix` is there twice.
  package func hasRepeated(prefix: String) -> Bool {
    fields.withUnsafeBufferPointer { fields in
      // A handful of fields, mostly of different lengths: looking is cheaper than hashing.
      for place in fields.indices {
        let count = fields[place].name.utf8.count
        for earlier in 0..<place where fields[earlier].name.utf8.count == count {
          if Self.same(fields[earlier].name, fields[place].name), fields[place].name.hasPrefix(prefix) { return true }
        }
      }
      return false
    }
  }

  /// Every value of that name, in order.
  package func values(_ name: String) -> [String] { fields.filter { Self.same($0.name, name) }.map(\.value) }

  /// Adds a field line and keeps the ones that are there.
  package mutating func add(_ name: String, _ value: String) { fields.append(Field(name, value)) }

  /// Adds a field line and keeps the ones that are there.
  package mutating func add(_ field: Field) { fields.append(field) }

  package mutating func reserveCapacity(_ count: Int) { fields.reserveCapacity(count) }

  /// ASCII comparison that does not build lower-case copies.
  static func same(_ left: String, _ right: String) -> Bool {
    guard left.utf8.count == right.utf8.count else { return false }
    if left == right { return true }
    var (left, right) = (left, right)
    return left.withUTF8 { left in
      right.withUTF8 { right in
        for place in left.indices where lowered(left[place]) != lowered(right[place]) { return false }
        return true
      }
    }
  }

  private static func lowered(_ byte: UInt8) -> UInt8 { byte >= 0x41 && byte <= 0x5A ? byte | 0x20 : byte }
}
