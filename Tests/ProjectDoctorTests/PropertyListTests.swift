import ProjectDoctor
import Testing

struct PropertyListTests {
  private func parse(_ text: String) throws -> PropertyValue { try PropertyList.parse(Array(text.utf8)).root }

  @Test func `OpenStep text with comments, quotes, data and lists`() throws {
    let value = try parse(
      """
      // !$*UTF8*$!
      { /* a comment; with = marks */ key = value; "quoted \\"key\\"" = "a\\nb"; list = (one, /* 1 */ "two, three", );
        data = <0a 1B>; nested = { a.b-c/d = "$(X)"; }; path = ../dir/file.swift/* touching */; empty = ""; }
      """)
    #expect(value["key"]?.string == "value")
    #expect(value["quoted \"key\""]?.string == "a\nb")
    #expect(value["list"]?.strings == ["one", "two, three"])
    #expect(value["data"] == .data([0x0A, 0x1B]))
    #expect(value["nested"]?["a.b-c/d"]?.string == "$(X)")
    #expect(value["path"]?.string == "../dir/file.swift")
    #expect(value["empty"]?.string == "")
  }

  @Test func `OpenStep mistakes name their line`() {
    for (text, line) in [
      ("{\n a = 1\n b = 2;\n}", 3), ("{\n a = (1 2);\n}", 2), ("{\n\n a = \"x;\n}", 4), ("{ a = 1; } }", 1),
    ] {
      #expect { try parse(text) } throws: { ($0 as? PropertyListError)?.line == line }
    }
  }

  @Test func `a strings file in UTF-16`() throws {
    let list = try PropertyList.parse(Fixture.bytes("Localizable-utf16.strings"))
    #expect(list.root["prefix"]?.string == "微信收款")
    #expect(list.root["quote"]?.string == "a\"b二")
  }

  @Test func `a binary list`() throws {
    let value = try PropertyList.parse(Fixture.bytes("info-binary.plist")).root
    #expect(value["UIBackgroundModes"]?.strings == ["remote-notification"])
    #expect(value["标题"]?.string == "到账")
    #expect(value["Big"] == .integer(1 << 40))
    #expect(value["Small"] == .integer(-3))
    #expect(value["Real"] == .real(1.5))
    #expect(value["Flag"] == .bool(true))
    #expect(value["Data"] == .data([1, 2, 3]))
  }

  @Test func `an XML list with entities, CDATA, comments and lines`() throws {
    let list = try PropertyList.parse(
      Array(
        """
        <?xml version="1.0"?>
        <!DOCTYPE plist [ <!ENTITY x "y"> ]>
        <plist version="1.0"><dict>
          <!-- <key>no</key> -->
          <key>a&amp;b</key><string>&#x4e8c;&#65;<![CDATA[<raw>]]></string>
          <key>n</key> <integer>-7</integer>
          <key>hex</key> <integer>0x10</integer>
          <key>d</key><data>AQID
          BA==</data>
          <key>e</key><dict/>
        </dict></plist>
        """.utf8))
    #expect(list.root["a&b"]?.string == "二A<raw>")
    #expect(list.root["n"] == .integer(-7))
    #expect(list.root["hex"] == .integer(16))
    #expect(list.root["d"] == .data([1, 2, 3, 4]))
    #expect(list.root["e"] == .dictionary([:]))
    #expect(list.keyLines["n"] == 6)
  }

  @Test func `the same project in XML form gives the same report`() throws {
    let openStep = TestFiles.shop.files[DoctorCase.pbx] ?? []
    let value = try PropertyList.parse(openStep).root
    let xml =
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<plist version=\"1.0\">" + PropertyWriter.xml(value) + "</plist>"
    let broken = xml.components(around: "$(APP_ID).bell").joined(separator: "org.other")
    #expect(TestFiles.shop.editing([.write(DoctorCase.pbx, xml)]).report().serious == [])
    #expect(TestFiles.shop.editing([.write(DoctorCase.pbx, broken)]).report().codes == [.bundlePrefix])
  }

  @Test func `UTF-16 with byte order marks of both kinds`() throws {
    let text = "{ a = \"到账\"; }"
    let units = Array(text.utf16)
    var (little, big): ([UInt8], [UInt8]) = ([0xFF, 0xFE], [0xFE, 0xFF])
    for unit in units {
      let (high, low) = (UInt8(unit >> 8), UInt8(truncatingIfNeeded: unit))
      little += [low, high]
      big += [high, low]
    }
    for bytes in [little, big, [0xEF, 0xBB, 0xBF] + Array(text.utf8)] {
      #expect(try PropertyList.parse(bytes).root["a"]?.string == "到账")
    }
  }

  @Test func `deep nesting is refused, not followed`() {
    let deep = String(repeating: "(", count: 100_000)
    #expect(throws: PropertyListError.self) { try parse(deep) }
    let xml = "<plist>" + String(repeating: "<array>", count: 100_000)
    #expect(throws: PropertyListError.self) { try parse(xml) }
  }
}
