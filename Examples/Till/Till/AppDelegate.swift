import AloudKit
import UIKit

/// Hands Aloud what only an app delegate is told.
@MainActor
final class AppDelegate: NSObject, UIApplicationDelegate {
  let aloud = Aloud.start(configuration: .till)
  private(set) lazy var payments = PaymentList(source: aloud)
  private(set) lazy var settings = TillSettings(store: aloud)
  let selfTest = SelfTest(.till)
  private(set) lazy var phoneVoice = PhoneVoice { [aloud] report in
    let configuration = AloudConfiguration.till
    let pack = try PhoneVoicePack(locale: configuration.locale, appGroup: configuration.appGroup)
    try await pack.make { report($0.done, $0.total) }
    // The server learns that this phone says amounts by itself.
    aloud.registerAgain()
  }

  func application(
    _ application: UIApplication, didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
  ) -> Bool {
    let payments = payments
    aloud.onChange = { Task { await payments.refresh() } }
    return true
  }

  func application(_ application: UIApplication, didRegisterForRemoteNotificationsWithDeviceToken deviceToken: Data) {
    aloud.didRegister(deviceToken: deviceToken)
  }

  func application(_ application: UIApplication, didFailToRegisterForRemoteNotificationsWithError error: any Error) {
    aloud.didFailToRegister(error)
  }

  func application(
    _ application: UIApplication, didReceiveRemoteNotification userInfo: [AnyHashable: Any],
    fetchCompletionHandler completionHandler: @escaping (UIBackgroundFetchResult) -> Void
  ) { aloud.handleBackgroundPush(userInfo, completion: completionHandler) }

  func application(
    _ application: UIApplication, handleEventsForBackgroundURLSession identifier: String,
    completionHandler: @escaping () -> Void
  ) {
    if !aloud.handleBackgroundTransfer(identifier, completion: completionHandler) { completionHandler() }
  }
}
