import SwiftUI

/// Payments, settings and the self-test.
struct TillView: View {
  let payments: PaymentList
  let settings: TillSettings

  var body: some View {
    TabView {
      PaymentsView(list: payments).tabItem { Label("Payments", systemImage: "yensign.circle") }
      SettingsView(settings: settings).tabItem { Label("Settings", systemImage: "gearshape") }
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
