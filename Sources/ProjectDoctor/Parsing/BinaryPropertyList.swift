/// The binary form (`bplist00`) of a property list, read with every offset and count checked.
///
/// Source of the layout: Apple's CFBinaryPList.c (opensource.apple.com, CoreFoundation).
struct BinaryPropertyList {
  private let bytes: [UInt8]
  private var offsets: [Int] = []
  private var referenceSize = 1
  private var budget = 200_000

  /// Reads the value.
  static func parse(_ bytes: [UInt8]) throws(PropertyListError) -> PropertyValue {
    var reader = try BinaryPropertyList(bytes)
    guard bytes.count >= 40, let top = reader.number(at: bytes.count - 16, size: 8) else { throw damaged }
    return try reader.value(top, depth: 0)
  }

  private static let damaged = PropertyListError(message: "The binary property list is damaged.")

  private init(_ bytes: [UInt8]) throws(PropertyListError) {
    self.bytes = bytes
    guard bytes.count >= 40 else { throw BinaryPropertyList.damaged }
    let trailer = bytes.count - 32
    let (offsetSize, referenceSize) = (Int(bytes[trailer + 6]), Int(bytes[trailer + 7]))
    self.referenceSize = referenceSize
    guard (1...8).contains(offsetSize), (1...8).contains(referenceSize),
      let count = number(at: trailer + 8, size: 8), let table = number(at: trailer + 24, size: 8),
      count <= bytes.count, table <= trailer, count * offsetSize <= trailer - table
    else { throw BinaryPropertyList.damaged }
    var offsets: [Int] = []
    for index in 0..<count {
      guard let offset = number(at: table + index * offsetSize, size: offsetSize) else {
        throw BinaryPropertyList.damaged
      }
      offsets.append(offset)
    }
    self.offsets = offsets
  }

  private func number(at start: Int, size: Int) -> Int? {
    guard start >= 0, size > 0, size <= 8, start <= bytes.count - size else { return nil }
    var value: UInt64 = 0
    for byte in bytes[start..<(start + size)] { value = value << 8 | UInt64(byte) }
    return Int(exactly: value)
  }

  private mutating func value(_ reference: Int, depth: Int) throws(PropertyListError) -> PropertyValue {
    budget -= 1
    guard depth < PropertyList.maximumDepth, budget > 0, offsets.indices.contains(reference),
      bytes.indices.contains(offsets[reference])
    else { throw BinaryPropertyList.damaged }
    let start = offsets[reference]
    let (kind, low) = (bytes[start] >> 4, Int(bytes[start] & 15))
    switch kind {
    case 0: return .bool(low == 9)
    case 1: return .integer(number(at: start + 1, size: min(8, 1 << low)) ?? signed(start + 1))
    case 2: return .real(real(at: start + 1, size: 1 << low))
    case 3: return .date(String(real(at: start + 1, size: 8)))
    default: return try counted(kind, low, start, depth)
    }
  }

  private mutating func counted(
    _ kind: UInt8, _ low: Int, _ start: Int, _ depth: Int
  ) throws(PropertyListError) -> PropertyValue {
    var (count, body) = (low, start + 1)
    if low == 15 {
      guard body < bytes.count, bytes[body] >> 4 == 1 else { throw BinaryPropertyList.damaged }
      let size = 1 << Int(bytes[body] & 15)
      guard let long = number(at: body + 1, size: size) else { throw BinaryPropertyList.damaged }
      (count, body) = (long, body + 1 + size)
    }
    guard count <= bytes.count, body <= bytes.count else { throw BinaryPropertyList.damaged }
    switch kind {
    case 4: return .data(try slice(body, count))
    case 5: return .string(String(decoding: try slice(body, count), as: UTF8.self))
    case 6:
      let raw = try slice(body, count * 2)
      let units = stride(from: 0, to: raw.count - 1, by: 2).map { UInt16(raw[$0]) << 8 | UInt16(raw[$0 + 1]) }
      return .string(String(decoding: units, as: UTF16.self))
    case 10, 12: return .array(try values(at: body, count: count, depth: depth))
    case 13:
      let keys = try values(at: body, count: count, depth: depth)
      let members = try values(at: body + count * referenceSize, count: count, depth: depth)
      var dictionary: [String: PropertyValue] = [:]
      for (key, member) in zip(keys, members) { if let key = key.string { dictionary[key] = member } }
      return .dictionary(dictionary)
    default: throw BinaryPropertyList.damaged
    }
  }

  private mutating func values(at start: Int, count: Int, depth: Int) throws(PropertyListError) -> [PropertyValue] {
    guard count * referenceSize <= bytes.count else { throw BinaryPropertyList.damaged }
    var values: [PropertyValue] = []
    for index in 0..<count {
      guard let reference = number(at: start + index * referenceSize, size: referenceSize) else {
        throw BinaryPropertyList.damaged
      }
      values.append(try value(reference, depth: depth + 1))
    }
    return values
  }

  private func slice(_ start: Int, _ count: Int) throws(PropertyListError) -> [UInt8] {
    guard count >= 0, start <= bytes.count, count <= bytes.count - start else { throw BinaryPropertyList.damaged }
    return Array(bytes[start..<(start + count)])
  }

  private func signed(_ start: Int) -> Int {
    guard start <= bytes.count - 8 else { return 0 }
    return Int(bitPattern: UInt(bytes[start..<(start + 8)].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }))
  }

  private func real(at start: Int, size: Int) -> Double {
    guard start <= bytes.count - size else { return 0 }
    let bits = bytes[start..<(start + size)].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    return size == 4 ? Double(Float(bitPattern: UInt32(truncatingIfNeeded: bits))) : Double(bitPattern: bits)
  }
}
