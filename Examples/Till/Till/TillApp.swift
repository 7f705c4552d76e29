import SwiftUI

/// What a shop has on the counter: the payments that came in, and whether each was heard.
@main
struct TillApp: App {
  @UIApplicationDelegateAdaptor(AppDelegate.self) private var delegate

  var body: some Scene {
    WindowGroup {
      TillView(
        payments: delegate.payments, settings: delegate.settings, voice: delegate.phoneVoice,
        selfTest: delegate.selfTest)
    }
  }
}
