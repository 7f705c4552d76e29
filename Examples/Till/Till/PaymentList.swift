import AloudKit
import Announcing
import Combine
import Foundation
import PushPayload

/// Where payments come from: Aloud on a phone, others in a test.
@MainActor
protocol PaymentSource: AnyObject {
  func received() async -> [ReceivedEvent]
}

extension Aloud: PaymentSource {}

/// One payment as the list shows it.
struct PaymentRow: Identifiable, Equatable {
  let id: String
  /// Such as `¥28.50`; the event's text if it has no amount.
  let amount: String
  /// Who paid, and when.
  let detail: String
  /// Whether it was heard, or why not.
  let mark: String
  let isSpoken: Bool

  init(_ received: ReceivedEvent, locale: Locale, timeZone: TimeZone) {
    let event = received.event
    id = event.id
    isSpoken = received.wasSpoken
    amount = PaymentRow.amount(event, locale) ?? event.text ?? event.kind
    var time = Date.FormatStyle(date: .omitted, time: .shortened, locale: locale)
    time.timeZone = timeZone
    let moment = Date(timeIntervalSince1970: Double(received.at)).formatted(time)
    detail = [event.from ?? event.brand, moment].compactMap { $0 }.joined(separator: " · ")
    mark = received.decision?.entry.title.text(locale.identifier) ?? "…"
  }

  // Exact decimal text stays exact: it never goes through a binary fraction.
  private static func amount(_ event: SpokenEvent, _ locale: Locale) -> String? {
    guard let text = event.amount, let value = Decimal(string: text, locale: Locale(identifier: "en_US_POSIX")) else {
      return nil
    }
    return value.formatted(.currency(code: event.currency ?? "CNY").locale(locale))
  }
}

/// The payments whose notifications are on the phone, newest first.
@MainActor
final class PaymentList: ObservableObject {
  @Published private(set) var rows: [PaymentRow] = []

  private let source: any PaymentSource
  private let locale: Locale
  private let timeZone: TimeZone

  init(source: any PaymentSource, locale: Locale = .current, timeZone: TimeZone = .current) {
    (self.source, self.locale, self.timeZone) = (source, locale, timeZone)
  }

  /// Looks again, when the list appears, is pulled down, or the extension has handled a payment.
  func refresh() async {
    rows = await source.received().map { PaymentRow($0, locale: locale, timeZone: timeZone) }
  }
}
