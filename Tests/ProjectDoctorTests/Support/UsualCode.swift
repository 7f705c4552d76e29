/// The code of the usual apps, written for these tests in the manner of the SDKs' guides.
enum UsualCode {
  static let firebaseApp = """
    import FirebaseCore
    import FirebaseMessaging
    import UIKit
    import UserNotifications

    @main
    class AppDelegate: UIResponder, UIApplicationDelegate {
      func application(
        _ application: UIApplication, didFinishLaunchingWithOptions options: [UIApplication.LaunchOptionsKey: Any]?
      ) -> Bool {
        FirebaseApp.configure()
        UNUserNotificationCenter.current().delegate = self
        UNUserNotificationCenter.current().requestAuthorization(options: [.alert, .badge, .sound]) { _, _ in }
        application.registerForRemoteNotifications()
        Messaging.messaging().delegate = self
        return true
      }

      func application(
        _ application: UIApplication, didReceiveRemoteNotification userInfo: [AnyHashable: Any]
      ) async -> UIBackgroundFetchResult {
        Messaging.messaging().appDidReceiveMessage(userInfo)
        return .newData
      }
    }

    extension AppDelegate: UNUserNotificationCenterDelegate, MessagingDelegate {
      func userNotificationCenter(
        _ center: UNUserNotificationCenter, willPresent notification: UNNotification
      ) async -> UNNotificationPresentationOptions { [[.banner, .list, .sound]] }

      func messaging(_ messaging: Messaging, didReceiveRegistrationToken token: String?) {
        UserDefaults.standard.set(token, forKey: "token")
      }
    }
    """

  static let firebaseService = """
    import FirebaseMessaging
    import UserNotifications

    class NotificationService: UNNotificationServiceExtension {
      var contentHandler: ((UNNotificationContent) -> Void)?
      var bestAttemptContent: UNMutableNotificationContent?

      override func didReceive(
        _ request: UNNotificationRequest, withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void
      ) {
        self.contentHandler = contentHandler
        bestAttemptContent = request.content.mutableCopy() as? UNMutableNotificationContent
        guard let bestAttemptContent = bestAttemptContent else { return }
        FIRMessagingExtensionHelper().populateNotificationContent(
          bestAttemptContent, withContentHandler: contentHandler)
      }

      override func serviceExtensionTimeWillExpire() {
        if let contentHandler = contentHandler, let bestAttemptContent = bestAttemptContent {
          contentHandler(bestAttemptContent)
        }
      }
    }
    """

  static let oneSignalApp = """
    #import "AppDelegate.h"
    #import <OneSignalFramework/OneSignalFramework.h>

    @implementation AppDelegate
    - (BOOL)application:(UIApplication *)application didFinishLaunchingWithOptions:(NSDictionary *)launchOptions {
      [OneSignal initialize:@"11111111-2222-3333-4444-555555555555" withLaunchOptions:launchOptions];
      [OneSignal.Notifications requestPermission:^(BOOL accepted) {
        NSLog(@"accepted: %d", accepted);
      } fallbackToSettings:true];
      return YES;
    }
    @end
    """

  static let oneSignalService = """
    #import <OneSignalExtension/OneSignalExtension.h>
    #import "NotificationService.h"

    @interface NotificationService ()
    @property (nonatomic, strong) void (^contentHandler)(UNNotificationContent *contentToDeliver);
    @property (nonatomic, strong) UNNotificationRequest *receivedRequest;
    @property (nonatomic, strong) UNMutableNotificationContent *bestAttemptContent;
    @end

    @implementation NotificationService
    - (void)didReceiveNotificationRequest:(UNNotificationRequest *)request
                       withContentHandler:(void (^)(UNNotificationContent *_Nonnull))contentHandler {
      self.receivedRequest = request;
      self.contentHandler = contentHandler;
      self.bestAttemptContent = [request.content mutableCopy];
      [OneSignalExtension didReceiveNotificationExtensionRequest:self.receivedRequest
                                   withMutableNotificationContent:self.bestAttemptContent
                                               withContentHandler:self.contentHandler];
    }

    - (void)serviceExtensionTimeWillExpire {
      [OneSignalExtension serviceExtensionTimeWillExpireRequest:self.receivedRequest
                                  withMutableNotificationContent:self.bestAttemptContent];
      self.contentHandler(self.bestAttemptContent);
    }
    @end
    """

  /// An extension that hands everything to an SDK.
  static func handedService(_ call: String, name: String = "NotificationService") -> String {
    """
    #import "\(name).h"

    @interface \(name) ()
    @property (nonatomic, strong) void (^contentHandler)(UNNotificationContent *contentToDeliver);
    @property (nonatomic, strong) UNMutableNotificationContent *best;
    @end

    @implementation \(name)
    - (void)didReceiveNotificationRequest:(UNNotificationRequest *)request
                       withContentHandler:(void (^)(UNNotificationContent *_Nonnull))contentHandler {
      self.contentHandler = contentHandler;
      self.best = [request.content mutableCopy];
      \(call)
    }

    - (void)serviceExtensionTimeWillExpire {
      self.contentHandler(self.best);
    }
    @end
    """
  }

  static let alarm = """
    import AVFoundation
    import UserNotifications

    final class Ring {
      private var player: AVAudioPlayer?

      func allow() async throws {
        let settings = await UNUserNotificationCenter.current().notificationSettings()
        guard settings.criticalAlertSetting != .enabled else { return }
        _ = try await UNUserNotificationCenter.current().requestAuthorization(options: [.alert, .sound, .criticalAlert])
      }

      func content() -> UNNotificationContent {
        let content = UNMutableNotificationContent()
        content.interruptionLevel = .timeSensitive
        content.sound = UNNotificationSound.criticalSoundNamed(
          UNNotificationSoundName("siren.caf"), withAudioVolume: 1.0)
        return content
      }

      func ringInForeground() throws {
        guard let url = Bundle.main.url(forResource: "ambience", withExtension: "wav") else { return }
        try AVAudioSession.sharedInstance().setCategory(.playback, options: .duckOthers)
        try AVAudioSession.sharedInstance().setActive(true)
        player = try AVAudioPlayer(contentsOf: url)
        player?.numberOfLoops = -1
        player?.volume = 0.6
        player?.play()
      }
    }
    """

  static let calls = """
    import CallKit
    import PushKit
    import UIKit

    final class Calls: NSObject, PKPushRegistryDelegate, CXProviderDelegate {
      private let registry = PKPushRegistry(queue: .main)
      private let provider = CXProvider(configuration: CXProviderConfiguration())

      func start() {
        registry.delegate = self
        registry.desiredPushTypes = [.voIP]
        UIApplication.shared.registerForRemoteNotifications()
      }

      func pushRegistry(
        _ registry: PKPushRegistry, didReceiveIncomingPushWith payload: PKPushPayload, for type: PKPushType
      ) async {
        try? await provider.reportNewIncomingCall(with: UUID(), update: CXCallUpdate())
      }

      func providerDidReset(_ provider: CXProvider) {}
    }
    """

  static let callAudio = """
    import AVFoundation

    enum CallAudio {
      static func prepare(_ session: AVAudioSession) throws {
        try session.setCategory(.playAndRecord, mode: .voiceChat, options: [.defaultToSpeaker, .allowBluetooth])
        session.requestRecordPermission { granted in print(granted) }
        try session.overrideOutputAudioPort(.speaker)
      }
    }
    """

  static let music = """
    import AVFoundation
    import MediaPlayer
    import UIKit

    final class Player: NSObject, AVAudioPlayerDelegate {
      private var rain: AVAudioPlayer?
      private let stream = AVPlayer()
      private let engine = AVAudioEngine()

      func start() throws {
        let session = AVAudioSession.sharedInstance()
        try session.setCategory(.playback, mode: .spokenAudio)
        try session.setActive(true)
        NotificationCenter.default.addObserver(
          self, selector: #selector(hinted), name: AVAudioSession.silenceSecondaryAudioHintNotification, object: nil)
        guard let url = Bundle.main.url(forResource: "rain", withExtension: "wav") else { return }
        rain = try AVAudioPlayer(contentsOf: url)
        rain?.numberOfLoops = -1
        rain?.setVolume(0.01, fadeDuration: 3)
        rain?.play()
        engine.mainMixerNode.outputVolume = 0.8
        MPRemoteCommandCenter.shared().playCommand.addTarget { _ in .success }
        UIApplication.shared.registerForRemoteNotifications()
      }

      @objc private func hinted() { stream.pause() }
      var timeOut = 3.0
      func deviceTime() -> TimeInterval { rain?.deviceCurrentTime ?? 0 }
    }
    """

  static let flutter = """
    import Flutter
    import UIKit

    @main
    @objc class AppDelegate: FlutterAppDelegate {
      override func application(
        _ application: UIApplication, didFinishLaunchingWithOptions options: [UIApplication.LaunchOptionsKey: Any]?
      ) -> Bool {
        GeneratedPluginRegistrant.register(with: self)
        UNUserNotificationCenter.current().delegate = self as UNUserNotificationCenterDelegate
        return super.application(application, didFinishLaunchingWithOptions: options)
      }
    }
    """

  static let reactNative = """
    #import "AppDelegate.h"
    #import <React/RCTBundleURLProvider.h>
    #import <UserNotifications/UserNotifications.h>

    @implementation AppDelegate
    - (BOOL)application:(UIApplication *)application didFinishLaunchingWithOptions:(NSDictionary *)launchOptions {
      self.moduleName = @"Mobile";
      [UNUserNotificationCenter currentNotificationCenter].delegate = self;
      return [super application:application didFinishLaunchingWithOptions:launchOptions];
    }

    - (void)application:(UIApplication *)application didReceiveRemoteNotification:(NSDictionary *)userInfo
        fetchCompletionHandler:(void (^)(UIBackgroundFetchResult))completionHandler {
      [RNCPushNotificationIOS didReceiveRemoteNotification:userInfo fetchCompletionHandler:completionHandler];
    }

    - (void)userNotificationCenter:(UNUserNotificationCenter *)center
           willPresentNotification:(UNNotification *)notification
             withCompletionHandler:(void (^)(UNNotificationPresentationOptions options))completionHandler {
      completionHandler(UNNotificationPresentationOptionBanner | UNNotificationPresentationOptionSound);
    }
    @end
    """

  static let cordova = """
    #import "AppDelegate.h"
    #import "MainViewController.h"

    @implementation AppDelegate
    - (BOOL)application:(UIApplication *)application didFinishLaunchingWithOptions:(NSDictionary *)launchOptions {
      self.viewController = [[MainViewController alloc] init];
      [[UNUserNotificationCenter currentNotificationCenter] setDelegate:self];
      [application registerForRemoteNotifications];
      return [super application:application didFinishLaunchingWithOptions:launchOptions];
    }
    @end
    """

  static let officeApp = """
    #import "AppDelegate.h"
    #import <AVFoundation/AVFoundation.h>
    #import <UserNotifications/UserNotifications.h>

    @interface AppDelegate () <UNUserNotificationCenterDelegate, AVSpeechSynthesizerDelegate>
    @property (nonatomic, strong) AVSpeechSynthesizer *synthesizer;
    @end

    @implementation AppDelegate
    - (BOOL)application:(UIApplication *)application didFinishLaunchingWithOptions:(NSDictionary *)launchOptions {
      self.synthesizer = [[AVSpeechSynthesizer alloc] init];
      self.synthesizer.delegate = self;
      [application registerForRemoteNotifications];
      return YES;
    }

    - (void)readAloud:(NSString *)text {
      AVSpeechUtterance *utterance = [AVSpeechUtterance speechUtteranceWithString:text];
      utterance.voice = [AVSpeechSynthesisVoice voiceWithLanguage:@"zh-CN"];
      [self.synthesizer speakUtterance:utterance];
    }

    - (void)remind {
      UNMutableNotificationContent *content = [UNMutableNotificationContent new];
      content.sound = [UNNotificationSound soundNamed:@"leave.caf"];
    }

    - (void)mixer:(AVAudioMixerNode *)mixer { [mixer setOutputVolume:0.5]; }
    @end
    """

  static let downloadService = """
    #import "NotificationService.h"

    @interface NotificationService ()
    @property (nonatomic, copy) void (^contentHandler)(UNNotificationContent *content);
    @property (nonatomic, strong) UNMutableNotificationContent *best;
    @property (nonatomic, strong) NSURLSessionDownloadTask *task;
    @end

    @implementation NotificationService
    - (void)didReceiveNotificationRequest:(UNNotificationRequest *)request
                       withContentHandler:(void (^)(UNNotificationContent *_Nonnull))contentHandler {
      self.contentHandler = contentHandler;
      self.best = [request.content mutableCopy];
      NSURL *url = [NSURL URLWithString:request.content.userInfo[@"sound_url"] ?: @""];
      NSURL *group = [[NSFileManager defaultManager]
          containerURLForSecurityApplicationGroupIdentifier:@"group.com.example.office"];
      if (!url || !group) {
        [self deliver];
        return;
      }
      NSString *name = [NSString stringWithFormat:@"%@.caf", [NSUUID UUID].UUIDString];
      NSURL *target = [[group URLByAppendingPathComponent:@"Library/Sounds"] URLByAppendingPathComponent:name];
      self.task = [[NSURLSession sharedSession] downloadTaskWithURL:url completionHandler:^(NSURL *file, NSURLResponse *answer, NSError *error) {
        if (file && [[NSFileManager defaultManager] moveItemAtURL:file toURL:target error:nil]) {
          self.best.sound = [UNNotificationSound soundNamed:name];
        }
        [self deliver];
      }];
      [self.task resume];
    }

    - (void)serviceExtensionTimeWillExpire {
      [self.task cancel];
      [self deliver];
    }

    - (void)deliver {
      @synchronized (self) {
        if (!self.contentHandler) { return; }
        self.contentHandler(self.best);
        self.contentHandler = nil;
      }
    }
    @end
    """

  static let water = """
    import SwiftUI
    import UserNotifications

    enum Need { case timeSensitive, relaxed }

    @main
    struct WaterApp: App {
      @UIApplicationDelegateAdaptor(Delegate.self) var delegate
      var body: some Scene { WindowGroup { Text("Drink") } }
    }

    final class Delegate: NSObject, UIApplicationDelegate, UNUserNotificationCenterDelegate {
      func application(
        _ application: UIApplication, didReceiveRemoteNotification userInfo: [AnyHashable: Any],
        fetchCompletionHandler completionHandler: @escaping (UIBackgroundFetchResult) -> Void
      ) {
        let amount = userInfo["amount"] as? String ?? "0"
        let millilitres = Double(amount) ?? 0
        completionHandler(millilitres > 0 ? .newData : .noData)
      }

      func plan() {
        let content = UNMutableNotificationContent()
        content.sound = .default
        let request = UNNotificationRequest(identifier: "water", content: content, trigger: nil)
        UNUserNotificationCenter.current().add(request)
        UIApplication.shared.registerForRemoteNotifications()
      }
    }
    """

  static let templateService = """
    import UserNotifications

    class NotificationService: UNNotificationServiceExtension {

      var contentHandler: ((UNNotificationContent) -> Void)?
      var bestAttemptContent: UNMutableNotificationContent?

      override func didReceive(_ request: UNNotificationRequest, withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void) {
        self.contentHandler = contentHandler
        bestAttemptContent = (request.content.mutableCopy() as? UNMutableNotificationContent)

        if let bestAttemptContent = bestAttemptContent {
          bestAttemptContent.title = "\\(bestAttemptContent.title) [modified]"
          contentHandler(bestAttemptContent)
        }
      }

      override func serviceExtensionTimeWillExpire() {
        if let contentHandler = contentHandler, let bestAttemptContent = bestAttemptContent {
          contentHandler(bestAttemptContent)
        }
      }
    }
    """
}
