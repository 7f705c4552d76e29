import Announcing
import PushPayload
import SpokenText
import Testing
import VoiceAudio

/// The sentences that people wait for, word for word.
struct PhraseBookTests {
  private func said(_ locale: SpokenLocale, _ event: SpokenEvent, _ options: PhraseOptions = .init()) throws -> String {
    try PhraseBook(locale).phrase(for: event, options: options).text
  }

  private func payment(_ amount: String?, _ currency: String?, brand: String? = nil, from: String? = nil) -> SpokenEvent
  {
    SpokenEvent(id: "e", kind: "payment.received", amount: amount, currency: currency, from: from, brand: brand)
  }

  @Test func `the demo's two sentences`() throws {
    #expect(try said(.zhCN, payment("28.50", "CNY", brand: "微信", from: "张三")) == "微信收款二十八点五元")
    #expect(
      try said(.enUS, payment("28.50", "USD", brand: "WeChat Pay"))
        == "WeChat Pay received twenty-eight dollars and fifty cents")
  }

  @Test func `checking an event finds what making its sentence finds`() throws {
    let amounts: [String?] = [nil, "", "28.50", "28.505", "x", "99999999999999999999", "-3", "0"]
    let kinds = EventKind.allCases.map(\.rawValue) + ["door.opened", "PAY_SUCCESS"]
    for locale in SpokenLocale.all {
      let book = PhraseBook(locale)
      for kind in kinds {
        for amount in amounts {
          for (currency, text) in [("CNY", nil), ("XXQ", "15:00"), (nil, ""), ("JPY", "12床")] as [(String?, String?)] {
            let event = SpokenEvent(id: "e", kind: kind, amount: amount, currency: currency, text: text)
            let made = Result { () throws(PhraseError) in _ = try book.phrase(for: event) }
            let checked = Result { () throws(PhraseError) in try book.check(event) }
            #expect("\(made)" == "\(checked)")
          }
        }
      }
    }
  }

  @Test func `one sentence of each kind in Chinese`() throws {
    let sentences: [(SpokenEvent, String)] = [
      (SpokenEvent(id: "e", kind: "payment.refunded", amount: "9.90", currency: "CNY", brand: "微信"), "微信退款九点九元"),
      (SpokenEvent(id: "e", kind: "order.new"), "您有新的订单"),
      (SpokenEvent(id: "e", kind: "order.new", amount: "12", currency: "CNY", brand: "美团"), "美团您有新的订单，十二元"),
      (SpokenEvent(id: "e", kind: "approval.requested", from: "张三", text: "请假申请"), "张三提交了请假申请"),
      (SpokenEvent(id: "e", kind: "approval.requested"), "您有新的申请"),
      (SpokenEvent(id: "e", kind: "call.bed", from: "3"), "三床呼叫"),
      (SpokenEvent(id: "e", kind: "call.bed", from: "12床"), "十二床呼叫"),
      (SpokenEvent(id: "e", kind: "call.bed", text: "0301"), "零三零一床呼叫"),
      (SpokenEvent(id: "e", kind: "call.bed", from: "护士站"), "护士站呼叫"),
      (SpokenEvent(id: "e", kind: "reminder", text: "吃药"), "提醒您，吃药"),
      (SpokenEvent(id: "e", kind: "clock.time", text: "15:00"), "现在是下午三点整"),
      (SpokenEvent(id: "e", kind: "text", text: "您的快递已签收。"), "您的快递已签收。"),
      (SpokenEvent(id: "e", kind: "door.opened", text: "后门开了"), "后门开了"),
    ]
    for (event, sentence) in sentences { #expect(try said(.zhCN, event) == sentence) }
  }

  @Test func `a payment in every language: brand, exact amount, nothing else`() throws {
    let sentences: [(SpokenLocale, String, String, String)] = [
      (.zhTW, "1234.5", "TWD", "街口支付收款一千兩百三十四點五元"), (.yueHK, "28.5", "HKD", "轉數快收款二十八點五蚊"),
      (.enGB, "28.50", "GBP", "Alipay received twenty-eight pounds and fifty pence"),
    ]
    for (locale, amount, currency, sentence) in sentences {
      let brand = locale == .enGB ? "Alipay" : PhraseBook(locale).brands[0]
      #expect(try said(locale, payment(amount, currency, brand: brand)) == sentence)
    }
    for locale in SpokenLocale.all {
      let book = PhraseBook(locale)
      let brand = book.brands[0]
      let text = try said(locale, payment("1234.56", "USD", brand: brand))
      #expect(text.contains(brand))
      #expect(text.contains(try Reader(locale).read("USD 1234.56", as: .amount).text), "\(text) in \(locale)")
    }
  }

  @Test func `every language has a pattern for every sentence, whose words are in the vocabulary`() throws {
    for locale in SpokenLocale.all {
      let vocabulary = Set(PhraseBook.fullVocabulary(locale))
      let book = PhraseBook(locale)
      var events = EventKind.allCases.map { kind in
        SpokenEvent(
          id: "e", kind: kind.rawValue, amount: "123.45", currency: "USD", text: kind == .clockTime ? "15:30" : nil)
      }
      events.removeAll { $0.kind == "text" }
      events.append(SpokenEvent(id: "e", kind: "call.bed", from: "12"))
      for event in events {
        for privacy in [false, true] {
          let phrase = try book.phrase(for: event, options: PhraseOptions(privacy: privacy))
          #expect(!phrase.text.isEmpty && !phrase.body.isEmpty && !phrase.title.isEmpty)
          let missing = phrase.utterance.words.filter { !vocabulary.contains($0) }
          #expect(missing.isEmpty, "\(locale.tag) \(event.kind): \(missing)")
        }
      }
    }
  }

  @Test func `what cannot be exact is not said, and has its reason`() {
    let reasons: [(String?, String?, ReasonCode)] = [
      ("28.505", "CNY", .amountTooPrecise), ("28,5x", "CNY", .amountUnreadable), ("NaN", "CNY", .amountUnreadable),
      ("２８.5", "CNY", .amountUnreadable), ("", "CNY", .amountMissing), (nil, "CNY", .amountMissing),
      ("5", "XYZ", .currencyUnknown), ("5", nil, .currencyUnknown), ("1.5", "JPY", .amountTooPrecise),
      ("99999999999999999999", "CNY", .amountTooLarge),
    ]
    for (amount, currency, code) in reasons {
      for privacy in [false, true] {
        let error = #expect(throws: PhraseError.self) {
          try PhraseBook(.zhCN).phrase(for: payment(amount, currency), options: PhraseOptions(privacy: privacy))
        }
        #expect(error?.code == code, "\(amount ?? "nil") \(currency ?? "nil")")
        if let amount, amount.count > 2 { #expect(error?.message.contains(amount) == false) }
      }
    }
    #expect(throws: PhraseError.self) { try PhraseBook(.zhCN).phrase(for: SpokenEvent(id: "e", kind: "door.opened")) }
    #expect(throws: PhraseError.self) {
      try PhraseBook(.zhCN).phrase(for: SpokenEvent(id: "e", kind: "text", text: "…"))
    }
    #expect(throws: PhraseError.self) {
      try PhraseBook(.zhCN).phrase(for: SpokenEvent(id: "e", kind: "clock.time", text: "25:00"))
    }
    let unknown = #expect(throws: PhraseError.self) { try PhraseBook(tag: "tlh") }
    #expect(unknown?.code == .localeUnknown)
  }

  @Test func `privacy leaves the figure out of sentence and banner`() throws {
    for locale in SpokenLocale.all {
      let phrase = try PhraseBook(locale).phrase(
        for: payment("1234.56", "USD", brand: "Q"), options: PhraseOptions(privacy: true))
      #expect(!(phrase.text + phrase.title + phrase.body).contains { $0.isNumber && $0.isASCII })
      #expect(!phrase.text.contains(try Reader(locale).read("USD 1234.56", as: .amount).text))
    }
    #expect(try said(.zhCN, payment("28.50", "CNY", brand: "微信"), PhraseOptions(privacy: true)) == "收到一笔付款")
  }

  @Test func `the sender is said on request only`() throws {
    let event = payment("5", "CNY", brand: "微信", from: "张三")
    #expect(try said(.zhCN, event, PhraseOptions(saysSender: true)) == "微信收款，张三，五元")
    #expect(try said(.zhCN, event, PhraseOptions(saysSender: true, isPlain: true)) == "收款五元")
  }

  @Test func `a word after a whole amount is said if it is asked for`() throws {
    var event = payment("100", "CNY")
    event.suffix = "整"
    #expect(try said(.zhCN, event) == "收款一百元整")
  }

  @Test func `the banner shows the figure as people write it`() throws {
    func body(_ locale: SpokenLocale, _ currency: String) throws -> String {
      try PhraseBook(locale).phrase(for: payment("28.5", currency)).body
    }
    #expect(try body(.zhCN, "CNY") == "28.50 元")
    #expect(try body(.enUS, "USD") == "$28.50")
    #expect(try body(.de, "CHF") == "CHF 28.50")
  }

  // MARK: Sums

  private func entry(_ kind: String, _ amount: String? = nil, _ currency: String? = nil) -> PendingEntry {
    PendingEntry(id: "x", kind: kind, amount: amount, currency: currency)
  }

  @Test func `sums are exact, apart by currency and by direction`() throws {
    let book = PhraseBook(.zhCN)
    let three = [("20", "CNY"), ("40.05", "CNY"), ("59.95", "CNY")].map { entry("payment.received", $0.0, $0.1) }
    #expect(try book.sum(of: three).text == "收到三笔付款，共一百二十元")
    #expect(try book.sum(of: three, missed: true).text == "离线期间，收到三笔付款，共一百二十元")
    #expect(try book.sum(of: three, privacy: true).text == "收到三笔付款")
    let mixed =
      three + [
        entry("payment.refunded", "5", "USD"), entry("payment.received", "0.1", "USD"), entry("order.new"),
        entry("reminder"), entry("text"),
      ]
    let phrase = try book.sum(of: mixed)
    #expect(phrase.text == "收到四笔付款，共一百二十元，零点一美元，退款五美元，您有新的订单，两条新消息")
    #expect(phrase.sums.map(\.count) == [4, 1, 1, 2])
    #expect(phrase.sums[0].amounts.map(\.decimalText) == ["120.00", "0.10"])
  }

  @Test func `two is counted as the language counts`() throws {
    func two(_ locale: SpokenLocale) throws -> String {
      try PhraseBook(locale).sum(of: Array(repeating: entry("payment.received", "1", "USD"), count: 2), privacy: true)
        .text
    }
    #expect(try two(.zhCN) == "收到两笔付款")
    #expect(try two(.zhTW) == "收到兩筆付款")
    #expect(try two(.ko) == "결제 두 건 입금되었습니다")
    #expect(try two(.enUS) == "Two payments received")
  }

  @Test func `a sum in every language names its total`() throws {
    for locale in SpokenLocale.all {
      let text = try PhraseBook(locale).sum(of: Array(repeating: entry("payment.received", "400.15", "USD"), count: 3))
        .text
      #expect(text.contains(try Reader(locale).read("USD 1200.45", as: .amount).text), "\(locale.tag): \(text)")
    }
  }

  @Test func `a sum that cannot be exact is not said`() {
    let huge = entry("payment.received", "9999999999999999.99", "CNY")
    let error = #expect(throws: PhraseError.self) { try PhraseBook(.zhCN).sum(of: [huge, huge]) }
    #expect(error?.code == .sumTooLarge)
    #expect(throws: PhraseError.self) { try PhraseBook(.zhCN).sum(of: []) }
    #expect(throws: PhraseError.self) { try PhraseBook(.zhCN).sum(of: [huge, entry("payment.received", "x", "CNY")]) }
  }
}
