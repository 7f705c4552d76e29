/// Files with the marks that an unfinished merge leaves.
enum MergeConflict {
  /// The text of one side with every other line blank, so that lines keep their numbers, or `nil` if there are no marks.
  ///
  /// - Returns: The bytes, and the line of the first mark.
  static func ours(_ bytes: [UInt8]) -> (bytes: [UInt8], line: Int)? {
    var output: [UInt8] = []
    var (first, isTheirs) = (nil as Int?, false)
    for (index, line) in bytes.split(separator: 10, omittingEmptySubsequences: false).enumerated() {
      if index > 0 { output.append(10) }
      if line.starts(with: "<<<<<<< ".utf8) {
        first = first ?? index + 1
      } else if first != nil, line.starts(with: "=======".utf8) || line.starts(with: "||||||| ".utf8) {
        isTheirs = true
      } else if first != nil, line.starts(with: ">>>>>>> ".utf8) {
        isTheirs = false
      } else if !isTheirs {
        output += line
      }
    }
    return first.map { (output, $0) }
  }
}

extension PropertyList {
  /// Reads a list; of one with merge marks our side is read, and the marks are reported with the error.
  ///
  /// - Returns: The list, if there is one to work with, and what is wrong.
  static func reading(_ bytes: [UInt8]) -> (list: PropertyList?, problem: PropertyListError?) {
    do throws(PropertyListError) {
      return (try parse(bytes), nil)
    } catch {
      guard let ours = MergeConflict.ours(bytes) else { return (nil, error) }
      let problem = PropertyListError(message: "Merge marks (<<<<<<<) stand in it; our side was read.", line: ours.line)
      return (try? parse(ours.bytes), problem)
    }
  }
}
