/// The rules of the content handler: called once on every way, and before time runs out.
extension SourceChecks {
  private static let handler = "contentHandler"

  mutating func checkHandler() {
    let receives = file.functions.first {
      TextSearch.contains("didReceive", in: $0.signature) && TextSearch.contains("ontentHandler", in: $0.signature)
    }
    guard let receives else { return }  // a subclass of a base class that does the work, or a header
    let name = file.serviceClasses.first ?? file.path.lastPathComponent
    let place = receives.body.lowerBound
    let usesSuper = text.has("super", in: receives.body)
    let hands = file.functions.filter { !calls(in: $0.body).isEmpty }
    let isCalled = text.places(SourceChecks.handler).contains { isCall($0) || isHandedOn($0) }
    if !isCalled, hands.isEmpty, !usesSuper { add(.handlerNeverCalled, place, name) }
    if !text.has("serviceExtensionTimeWillExpire"), !usesSuper { add(.noExpiryHandler, place, name) }
    if let second = hands.compactMap(secondCall).first {
      add(.handlerMaybeTwice, second, name)
    } else if hands.count > 1, !clearsHandler, let last = hands.last, hands.contains(where: isDeferred) {
      // What is called at once in didReceive has returned before time runs out; what is called later has not.
      add(.handlerMaybeTwice, last.body.lowerBound, name)
    }
    if let place = text.places("static var").first {
      add(.sharedState, place, String(text.restOfLine(place).trimmed.prefix(48)))
    }
  }

  private func calls(in range: Range<Int>) -> [Int] {
    text.places(SourceChecks.handler, in: range).filter(isCall)
  }

  private func isCall(_ place: Int) -> Bool {
    let rest = text.code[(place + SourceChecks.handler.utf8.count)...].prefix(3)
    return rest.first == UInt8(ascii: "(") || rest.starts(with: "?(".utf8) || rest.starts(with: "!(".utf8)
  }

  // Passed to something else that will call it (`Box(contentHandler, …)`, `[contentHandler] in`), or taken into a local
  // or a property of another name from which it is called.
  private func isHandedOn(_ place: Int) -> Bool {
    let end = place + SourceChecks.handler.utf8.count
    var before = text.head(place).trimmed
    if before.hasSuffix("self.") || before.hasSuffix("self->") { before = before.dropLast(5).trimmed }
    let after = text.code[end...].first { $0 != 32 } ?? 0
    let isArgument = before.hasSuffix("(") || before.hasSuffix(",") || before.hasSuffix(":") || before.hasSuffix("[")
    if isArgument { return [UInt8(ascii: ")"), UInt8(ascii: ","), UInt8(ascii: "]")].contains(after) }
    guard before.hasSuffix("=") else { return false }
    let target = before.dropLast().trimmed
    return !target.hasSuffix(SourceChecks.handler)
  }

  private var clearsHandler: Bool {
    let code = String(decoding: text.code.filter { $0 != 32 && $0 != 9 }, as: UTF8.self)
    return ["contentHandler=nil", "handler=nil", "Handler=nil", "didDeliver", "delivered", "hasCalled"].contains {
      TextSearch.contains($0, in: code)
    }
  }

  /// A call that follows another one on the same way: nothing between them returns or leaves the block of the first.
  private func secondCall(in function: SourceFunction) -> Int? {
    let places = calls(in: function.body)
    return zip(places, places.dropFirst()).first { first, second in
      var depth = 0
      for place in first..<second {
        if text.code[place] == UInt8(ascii: "{") { depth += 1 }
        if text.code[place] == UInt8(ascii: "}") { depth -= 1 }
        if depth < 0 { return false }
      }
      return depth == 0 && !["return", "case", "default", "else"].contains { text.has($0, in: first..<second) }
    }?.1
  }

  /// Whether a function calls the handler from a closure, or is itself called from one.
  private func isDeferred(_ function: SourceFunction) -> Bool {
    if calls(in: function.body).contains(where: { isInClosure($0, of: function) }) { return true }
    guard let name = function.name else { return false }
    return file.functions.contains { caller in
      text.places(name, in: caller.body).contains { isInClosure($0, of: caller) }
    }
  }

  /// Whether a block other than one of control flow stands around `place` inside `function`.
  private func isInClosure(_ place: Int, of function: SourceFunction) -> Bool {
    var depth = 0
    var index = place - 1
    while index >= function.body.lowerBound {
      if text.code[index] == UInt8(ascii: "}") { depth += 1 }
      if text.code[index] == UInt8(ascii: "{") {
        if depth == 0, !opensControlFlow(index) { return true }
        depth = max(0, depth - 1)
      }
      index -= 1
    }
    return false
  }

  private func opensControlFlow(_ brace: Int) -> Bool {
    // The statement that the brace belongs to, at most 300 bytes of it.
    var start = brace
    while start > 0, brace - start < 300,
      ![UInt8(ascii: "{"), UInt8(ascii: "}"), UInt8(ascii: ";")].contains(text.code[start - 1])
    {
      start -= 1
    }
    let words = String(decoding: text.code[start..<brace], as: UTF8.self)
      .split { !($0.isLetter || $0 == "_" || $0 == "@" || $0 == "#" || $0 == "^") }
    let control: Set<Substring> = [
      "if", "else", "for", "while", "switch", "do", "catch", "guard", "defer", "repeat", "@try", "@catch", "@finally",
      "@autoreleasepool", "autoreleasepool", "#available",
    ]
    return !words.contains { $0.contains("^") } && words.contains { control.contains($0) }
  }
}
