import SpokenText
import Testing

struct VectorTests {
  @Test(arguments: Vector.all)
  func `reads every vector as expected`(vector: Vector) throws {
    let reader = Reader(try SpokenLocale(vector.locale))
    let reading = try reader.read(vector.input, as: ReadingKind(named: vector.kind))
    #expect(vector.matches(reading.text), "read \(reading.text), expected \(vector.expected)")
  }

  @Test(arguments: Vector.all)
  func `says only words of the declared vocabulary`(vector: Vector) throws {
    let reader = Reader(try SpokenLocale(vector.locale))
    let kind = try ReadingKind(named: vector.kind)
    let words = Set(try reader.read(vector.input, as: kind).words)
    #expect(words.isSubset(of: reader.vocabulary(kind)))
  }

  @Test func `has every row of every file`() {
    let given = Vector.all.filter { $0.file.hasPrefix("reading-") }
    #expect(given.count == 923)
    #expect(Vector.all.count > given.count)
  }
}
