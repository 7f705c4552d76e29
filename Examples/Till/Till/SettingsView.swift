import SwiftUI

/// When and what is spoken.
struct SettingsView: View {
  @ObservedObject var settings: TillSettings
  @ObservedObject var voice: PhoneVoice

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
        Section {
          Button("Use the voice of this phone") { Task { await voice.make() } }.disabled(voice.isWorking)
        } footer: {
          VoiceStateText(state: voice.state)
        }
      }
      .navigationTitle("Settings")
    }
  }
}

/// How far the phone's own voice is.
struct VoiceStateText: View {
  let state: PhoneVoice.State

  var body: some View {
    switch state {
    case .idle: Text("Takes a few minutes. The sound stays on this phone.")
    case .working(let done, let total): Text("\(done) of \(total)")
    case .ready: Text("Payments are said in the voice of this phone now.")
    case .failed(let reason): Text(verbatim: reason)
    }
  }
}
