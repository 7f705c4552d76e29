import AloudKit
import SwiftUI

/// Payments, settings and the self-test.
struct TillView: View {
  let payments: PaymentList
  let settings: TillSettings
  let voice: PhoneVoice
  let selfTest: SelfTest

  var body: some View {
    TabView {
      PaymentsView(list: payments).tabItem { Label("Payments", systemImage: "yensign.circle") }
      SettingsView(settings: settings, voice: voice).tabItem { Label("Settings", systemImage: "gearshape") }
      NavigationView { SelfTestView(selfTest).navigationTitle("Self-test") }
        .tabItem { Label("Self-test", systemImage: "checkmark.seal") }
    }
  }
}

/// The list, each payment with its mark.
struct PaymentsView: View {
  @ObservedObject var list: PaymentList

  var body: some View {
    NavigationView {
      List {
        if list.rows.isEmpty { Text("No payments yet").foregroundColor(.secondary) }
        ForEach(list.rows) { row in PaymentCell(row: row) }
      }
      .navigationTitle("Payments")
      .refreshable { await list.refresh() }
    }
    .task { await list.refresh() }
  }
}

/// One payment.
struct PaymentCell: View {
  let row: PaymentRow

  var body: some View {
    HStack {
      VStack(alignment: .leading, spacing: 4) {
        Text(verbatim: row.amount).font(.title2)
        Text(verbatim: row.detail).font(.footnote).foregroundColor(.secondary)
      }
      Spacer()
      VStack(alignment: .trailing, spacing: 4) {
        Image(systemName: row.isSpoken ? "speaker.wave.2.fill" : "speaker.slash")
          .foregroundColor(row.isSpoken ? .green : .orange).accessibilityHidden(true)
        Text(verbatim: row.mark).font(.footnote).foregroundColor(.secondary)
      }
    }
    .accessibilityElement(children: .combine)
  }
}
