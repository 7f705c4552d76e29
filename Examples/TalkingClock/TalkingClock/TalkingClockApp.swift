import AloudKit
import SwiftUI

/// A large clock that says the hour from the pocket.
@main
struct TalkingClockApp: App {
  private static let configuration = AloudConfiguration(appGroup: "group.com.example.talkingclock")
  @StateObject private var model = ClockModel(clock: TalkingClock(appGroup: configuration.appGroup))
  private let selfTest = SelfTest(configuration, hasExtension: false)

  var body: some Scene {
    WindowGroup { ClockView(model: model, selfTest: selfTest) }
  }
}
