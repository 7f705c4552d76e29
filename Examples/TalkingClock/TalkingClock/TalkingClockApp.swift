import AloudKit
import SwiftUI

/// A large clock that says the hour from the pocket.
@main
struct TalkingClockApp: App {
  @StateObject private var model = ClockModel(clock: TalkingClock(appGroup: "group.com.example.talkingclock"))

  var body: some Scene {
    WindowGroup { ClockView(model: model) }
  }
}
