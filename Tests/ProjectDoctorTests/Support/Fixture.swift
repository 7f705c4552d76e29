import ProjectDoctor
import Testing

#if canImport(Glibc)
  import Glibc
#endif

/// The files in Fixtures/.
enum Fixture {
  static let folder = #filePath.components(around: "Support/Fixture.swift")[0] + "Fixtures"

  static func bytes(_ name: String, sourceLocation: SourceLocation = #_sourceLocation) throws -> [UInt8] {
    try #require(DiskTree(root: folder).read(name, limit: 1 << 20), sourceLocation: sourceLocation)
  }
}

/// Writes property values in the forms that other tests read.
enum PropertyWriter {
  static func xml(_ value: PropertyValue) -> String {
    switch value {
    case .string(let text): "<string>\(escaped(text))</string>"
    case .integer(let number): "<integer>\(number)</integer>"
    case .real(let number): "<real>\(number)</real>"
    case .bool(let truth): truth ? "<true/>" : "<false/>"
    case .data: "<data></data>"
    case .date(let text): "<date>\(text)</date>"
    case .array(let elements): "<array>" + elements.map(xml).joined() + "</array>"
    case .dictionary(let members):
      "<dict>" + members.sorted { $0.key < $1.key }.map { "<key>\(escaped($0.key))</key>\n" + xml($0.value) }.joined()
        + "</dict>"
    }
  }

  private static func escaped(_ text: String) -> String {
    text.map { $0 == "&" ? "&amp;" : $0 == "<" ? "&lt;" : String($0) }.joined()
  }
}
