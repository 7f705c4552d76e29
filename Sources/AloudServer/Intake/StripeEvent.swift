internal import ExactJSON
internal import SpokenText

/// A Stripe-shaped event (docs.stripe.com/api/events) as one of ours.
enum StripeEvent {
  /// The event; nil for types that are not about money that came or went.
  ///
  /// Whom it is for stands in the object's metadata as `aloud_user` or `aloud_group`; without it the group `group`.
  /// - Throws: ``Problem`` when the amount or the currency is missing or not exact.
  static func event(_ object: JSONObject, group: String) throws(Problem) -> JSONObject? {
    guard let type = object["type"]?.stringValue, let kind = kinds[type] else { return nil }
    guard let id = object["id"]?.stringValue, let data = object["data"]?["object"] else {
      throw .invalid("/data/object", "is missing; send the provider's event as it is")
    }
    var event = JSONObject()
    event["id"] = .string(id)
    let metadata = data["metadata"]
    if let user = metadata?["aloud_user"]?.stringValue {
      event["to"] = ["user": .string(user)]
    } else {
      event["to"] = ["group": .string(metadata?["aloud_group"]?.stringValue ?? group)]
    }
    event["kind"] = .string(kind)
    let money = try amount(data, isRefund: kind == "payment.refunded")
    event["amount"] = .string(money.decimalText)
    event["currency"] = .string(money.currency.code)
    if let name = data["billing_details"]?["name"]?.stringValue, !name.isEmpty { event["from"] = .string(name) }
    if let created = object["created"]?.intValue { event["at"] = .int(created) }
    return event
  }

  private static let kinds = [
    "charge.succeeded": "payment.received", "payment_intent.succeeded": "payment.received",
    "checkout.session.completed": "payment.received", "charge.refunded": "payment.refunded",
  ]

  /// Stripe counts in the smallest unit, for some currencies in another than ISO 4217's
  /// (docs.stripe.com/currencies#zero-decimal).
  private static func amount(_ data: JSON, isRefund: Bool) throws(Problem) -> Amount {
    let members = isRefund ? ["amount_refunded"] : ["amount_received", "amount_total", "amount"]
    guard let member = members.first(where: { data[$0]?.intValue != nil }), let units = data[member]?.intValue,
      let code = data["currency"]?.stringValue?.uppercased()
    else { throw .invalid("/data/object", "has no whole amount with a currency") }
    do {
      let currency = try Currency(code: code)
      // UGX and ISK have no minor unit but are sent with two digits for compatibility.
      let digits = ["UGX", "ISK"].contains(code) ? 2 : currency.minorDigits
      return try Amount(decimal: decimal(units, digits: digits), currency: code)
    } catch { throw .invalid("/data/object/\(member)", "is no exact amount of this currency") }
  }

  private static func decimal(_ units: Int, digits: Int) -> String {
    guard digits > 0 else { return String(units) }
    let sign = units < 0 ? "-" : ""
    let text = String(units.magnitude)
    let padded = String(repeating: "0", count: max(0, digits + 1 - text.count)) + text
    var fraction = padded.suffix(digits)
    let whole = padded.dropLast(digits)
    // ISK 500 comes as 50000: its two digits are zeros that the currency does not have.
    while fraction.last == "0", fraction.count > 0 { fraction = fraction.dropLast() }
    return sign + whole + (fraction.isEmpty ? "" : "." + fraction)
  }
}
