import SwiftUI

/// When and what is spoken.
struct SettingsView: View {
  @ObservedObject var settings: TillSettings

  var body: some View {
    NavigationView {
      Form {
        Section {
          Toggle("Speak payments", isOn: $settings.isSpeaking)
          Toggle("Speak refunds", isOn: $settings.speaksRefunds)
          Toggle("Leave out the amount", isOn: $settings.isPrivate)
          Picker("Speak from", selection: $settings.minimum) {
            ForEach(TillSettings.minimums, id: \.self) { minimum in
              if minimum.isEmpty {
                Text("every amount").tag(minimum)
              } else {
                Text(verbatim: "¥\(minimum)").tag(minimum)
              }
            }
          }
        } footer: {
          if let failure = settings.failure { Text(verbatim: failure) }
        }
        Section {
          Toggle("Quiet hours", isOn: $settings.hasQuietHours)
          if settings.hasQuietHours {
            DatePicker("From", selection: $settings.quietFrom, displayedComponents: .hourAndMinute)
            DatePicker("Until", selection: $settings.quietUntil, displayedComponents: .hourAndMinute)
          }
        } footer: {
          Text("Payments are shown then, and not spoken.")
        }
      }
      .navigationTitle("Settings")
    }
  }
}
