import HTTPTransport
import Testing

@Suite struct CryptoTests {
  @Test func `the digest of abc is the published one`() {
    #expect(
      Crypto.hex(Crypto.sha256(Array("abc".utf8)))
        == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
  }

  @Test func `the MAC of RFC 4231 case 2 is the published one`() {
    let mac = Crypto.hmacSHA256(key: Array("Jefe".utf8), message: Array("what do ya want for nothing?".utf8))
    #expect(Crypto.hex(mac) == "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843")
  }

  @Test(arguments: [
    ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="), ("fooba", "Zm9vYmE="),
  ])
  func `base64 follows RFC 4648`(plain: String, encoded: String) {
    #expect(Crypto.base64(Array(plain.utf8)) == encoded)
    #expect(Crypto.bytes(base64: encoded) == Array(plain.utf8))
    #expect(Crypto.bytes(base64: Crypto.base64URL(Array(plain.utf8))) == Array(plain.utf8))
  }

  @Test(arguments: ["A", "Zh==", "Zm 8=", "Zg==Zg==", "a=b"])
  func `text that is not base64 is refused`(text: String) {
    #expect(Crypto.bytes(base64: text) == nil)
  }

  @Test func `hexadecimal goes both ways and refuses halves`() {
    #expect(Crypto.bytes(hex: "00ffA5") == [0, 255, 165])
    #expect(Crypto.hex([0, 255, 165]) == "00ffa5")
    #expect(Crypto.bytes(hex: "0") == nil)
    #expect(Crypto.bytes(hex: "0g") == nil)
  }

  @Test func `a signature is valid for its message and its key only`() throws {
    let key = try SigningKey.generate()
    let again = try SigningKey(pem: key.privatePEM())
    let message = Array("message".utf8)
    let signature = try again.sign(message)
    #expect(signature.count == 64)
    #expect(try key.verifyingKey().isValid(signature: signature, for: message))
    #expect(try !key.verifyingKey().isValid(signature: signature, for: Array("massage".utf8)))
    #expect(try !SigningKey.generate().verifyingKey().isValid(signature: signature, for: message))
    #expect(try !key.verifyingKey().isValid(signature: Array(signature.dropLast()), for: message))
  }

  @Test func `text that is no key is refused without repeating it`() {
    let error = #expect(throws: CryptoError.self) { try SigningKey(pem: "secret words") }
    #expect(error?.message.contains("secret") == false)
  }

  @Test func `random bytes do not repeat`() {
    #expect(Crypto.randomBytes(16) != Crypto.randomBytes(16))
    #expect(Crypto.randomBytes(0).isEmpty)
  }

  @Test func `comparison in constant time is still comparison`() {
    #expect(Crypto.constantTimeEquals([1, 2], [1, 2]))
    #expect(!Crypto.constantTimeEquals([1, 2], [1, 3]))
    #expect(!Crypto.constantTimeEquals([1, 2], [1]))
    #expect(Crypto.constantTimeEquals([], []))
  }
}

@Suite struct HTTPHeadersTests {
  @Test func `names compare without regard to case, and setting replaces all of a name in its first place`() {
    var headers: HTTPHeaders = ["Accept": "a", "X-One": "1", "x-one": "2", "Last": "z", "X-ONE": "3"]
    #expect(headers["x-One"] == "1")
    #expect(headers.values("X-one") == ["1", "2", "3"])
    headers["X-oNe"] = "4"
    #expect(headers.map(\.name) == ["Accept", "X-oNe", "Last"])
    headers["new"] = "n"
    #expect(headers.map(\.value) == ["a", "4", "z", "n"])
    headers["LAST"] = nil
    headers["absent"] = nil
    #expect(headers.map(\.name) == ["Accept", "X-oNe", "new"])
    // Beyond ASCII letters nothing is folded.
    #expect(headers["@ccept"] == nil)
    headers.add("[", "1")
    #expect(headers["{"] == nil)
  }
}
