import AloudKit
import SwiftUI

/// The time, as large as the screen allows.
struct ClockView: View {
  @ObservedObject var model: ClockModel
  let selfTest: SelfTest

  var body: some View {
    NavigationView {
      VStack(spacing: 24) {
        Spacer()
        TimelineView(.everyMinute) { context in FaceView(face: model.face(at: context.date)) }
        Spacer()
        if let problem = model.problem {
          Label(problem, systemImage: "exclamationmark.triangle").font(.title2).foregroundColor(.orange)
        }
        Button(action: { Task { await model.sayNow() } }) {
          Label("Say the time", systemImage: "speaker.wave.3").font(.largeTitle).padding()
        }
        NavigationLink(destination: { SettingsView(model: model, selfTest: selfTest) }) {
          Label("Settings", systemImage: "gearshape").font(.title)
        }
      }
      .padding()
    }
    .task { await model.start() }
  }
}

/// One minute; VoiceOver says the sentence that the clock would say.
struct FaceView: View {
  let face: ClockFace

  var body: some View {
    VStack(spacing: 12) {
      Text(verbatim: face.time).font(.system(size: 160, weight: .bold, design: .rounded).monospacedDigit())
        .minimumScaleFactor(0.2).lineLimit(1)
      Text(verbatim: face.day).font(.largeTitle).foregroundColor(.secondary).multilineTextAlignment(.center)
    }
    .accessibilityElement(children: .ignore)
    .accessibilityLabel(Text(verbatim: face.spoken))
    .accessibilityAddTraits(.updatesFrequently)
  }
}
