public import PushPayload
import SpokenText

extension PhraseBook {
  /// One sentence for several events: 收到三笔付款，共一百二十元.
  ///
  /// Received payments, refunds, orders and others are counted apart, and money is added up by currency; amounts stay
  /// exact. An event is counted once for each time it stands in `entries`.
  ///
  /// - Parameters:
  ///   - entries: The events, in the order in which they came.
  ///   - missed: Whether the sentence says first that they were missed while the phone was offline.
  ///   - privacy: Leaves the sums out.
  /// - Throws: ``PhraseError`` if an amount is not exact or the sum is too large.
  public func sum(of entries: [PendingEntry], missed: Bool = false, privacy: Bool = false) throws(PhraseError) -> Phrase
  {
    guard !entries.isEmpty else { throw PhraseError(.textMissing, "There is nothing to sum up.") }
    var composer = Composer(language: language)
    if missed { composer.add(language.template(.missed), Fillings()) }
    var sums: [EventSum] = []
    for group in SumGroup.allCases {
      let members = entries.filter { SumGroup($0.kind) == group }
      guard !members.isEmpty else { continue }
      if !sums.isEmpty { composer.comma() }
      sums.append(try add(members, of: group, privacy: privacy, to: &composer))
    }
    let spoken = composer.finished()
    let isRefund = entries.allSatisfy { SumGroup($0.kind) == .refunded }
    let title = self.title(isRefund ? .titleRefunded : .titleReceived, brand: nil)
    return Phrase(utterance: spoken.utterance, text: spoken.text, title: title, body: spoken.text, sums: sums)
  }

  private func add(
    _ members: [PendingEntry], of group: SumGroup, privacy: Bool, to composer: inout Composer
  ) throws(PhraseError) -> EventSum {
    let amounts = group.isMoney ? try PhraseBook.totals(members) : []
    let sum = EventSum(kind: group.rawValue, count: members.count, amounts: amounts)
    var fillings = Fillings()
    if members.count == 1 {
      if group.isMoney, !privacy { fillings.amount = try read(amounts[0]) }
      composer.add(language.template(group.single(privacy: privacy)), fillings)
      return sum
    }
    fillings.count = try count(members.count)
    if group.isMoney, !privacy { fillings.sums = try list(amounts) }
    composer.add(language.template(group.several(privacy: privacy)), fillings)
    return sum
  }

  /// The exact sum of each currency, in the order in which the currencies came.
  static func totals(_ entries: [PendingEntry]) throws(PhraseError) -> [Amount] {
    var totals: [Amount] = []
    for entry in entries {
      let amount = try amount(entry.amount, entry.currency)
      guard let place = totals.firstIndex(where: { $0.currency == amount.currency }) else {
        totals.append(amount)
        continue
      }
      do { totals[place] = try totals[place].adding(amount) } catch {
        throw PhraseError(.sumTooLarge, "The sum of these events is too large to be said exactly.")
      }
    }
    return totals
  }

  private func list(_ amounts: [Amount]) throws(PhraseError) -> Filling {
    var words: [String] = []
    var texts: [String] = []
    for amount in amounts {
      let reading = try read(amount)
      words += reading.words
      texts.append(reading.text)
    }
    return Filling(words: words, text: texts.joined(separator: language.comma))
  }

  private func count(_ number: Int) throws(PhraseError) -> Filling {
    if let own = language.counts[number] { return Filling(words: [own], text: own) }
    return Filling(try read(String(number), .cardinal))
  }
}

/// What is counted together.
enum SumGroup: String, CaseIterable, Hashable, Sendable {
  case received = "payment.received"
  case refunded = "payment.refunded"
  case orders = "order.new"
  case others = "other"

  init(_ kind: String) {
    switch EventKind(named: kind) {
    case .paymentReceived: self = .received
    case .paymentRefunded: self = .refunded
    case .orderNew: self = .orders
    default: self = .others
    }
  }

  var isMoney: Bool { self == .received || self == .refunded }

  func single(privacy: Bool) -> PhraseKey {
    switch self {
    case .received: privacy ? .privateReceived : .receivedPlain
    case .refunded: privacy ? .privateRefunded : .refundedPlain
    case .orders: .order
    case .others: .otherOne
    }
  }

  func several(privacy: Bool) -> PhraseKey {
    switch self {
    case .received: privacy ? .sumPrivateReceived : .sumReceived
    case .refunded: privacy ? .sumPrivateRefunded : .sumRefunded
    case .orders: .sumOrders
    case .others: .sumOthers
    }
  }
}
