/// Comparing secrets without telling by the time how much of them was right.
package enum ConstantTime {
  /// Whether both are the same bytes; the time depends on the lengths only.
  package static func equal(_ left: [UInt8], _ right: [UInt8]) -> Bool {
    guard left.count == right.count else { return false }
    var difference: UInt8 = 0
    for index in left.indices { difference |= left[index] ^ right[index] }
    return difference == 0
  }

  /// Whether both texts are the same UTF-8.
  package static func equal(_ left: String, _ right: String) -> Bool { equal(Array(left.utf8), Array(right.utf8)) }
}
