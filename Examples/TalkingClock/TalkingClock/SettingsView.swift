import AloudKit
import Announcing
import SwiftUI

/// When and how the clock speaks.
struct SettingsView: View {
  @ObservedObject var model: ClockModel
  let selfTest: SelfTest

  var body: some View {
    Form {
      Section {
        Toggle("Say the time", isOn: $model.isOn)
        Picker("How often", selection: $model.step) {
          ForEach(model.steps, id: \.self) { step in Text(step.name).tag(step) }
        }
        DatePicker("From", selection: $model.from, displayedComponents: .hourAndMinute)
        DatePicker("Until", selection: $model.to, displayedComponents: .hourAndMinute)
      } footer: {
        if let problem = model.problem { Text(verbatim: problem) } else { Text("\(model.timesADay) times a day") }
      }
      Section {
        Picker("Hours", selection: $model.style) {
          Text("As the language does").tag(ClockSchedule.Style.automatic)
          Text("12 hours").tag(ClockSchedule.Style.twelveHours)
          Text("24 hours").tag(ClockSchedule.Style.twentyFourHours)
        }
        Picker("Language", selection: $model.language) {
          Text("As the phone").tag("")
          Text(verbatim: "普通话").tag("zh-CN")
          Text(verbatim: "English").tag("en-US")
        }
      } footer: {
        Text("The clock is as loud as the ringer. It is silent while the phone is muted or a Focus is on.")
      }
      NavigationLink("Self-test") { SelfTestView(selfTest).navigationTitle("Self-test") }
    }
    .font(.title2)
    .navigationTitle("Settings")
  }
}

extension ClockSchedule.Step {
  var name: LocalizedStringKey {
    switch self {
    case .hour: "Every hour"
    case .halfHour: "Every half hour"
    case .quarterHour: "Every quarter of an hour"
    }
  }
}
