/// The texts of the clean project, in the forms in which Xcode writes them.
enum ShopText {
  static let config = """
    // Settings of both targets
    #include? "Local.xcconfig"
    APP_ID = com.example.shop
    GROUP_ID = group.com.example.shop
    """

  static func plist(_ body: String) -> String {
    """
    <?xml version="1.0" encoding="UTF-8"?>
    <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
    <plist version="1.0">
    <dict>
    \(body)
    </dict>
    </plist>

    """
  }

  static let appPlist = plist(
    """
    \t<key>CFBundleIdentifier</key>
    \t<string>$(PRODUCT_BUNDLE_IDENTIFIER)</string>
    \t<key>CFBundlePackageType</key>
    \t<string>APPL</string>
    \t<key>CFBundleShortVersionString</key>
    \t<string>$(MARKETING_VERSION)</string>
    \t<key>CFBundleVersion</key>
    \t<string>$(CURRENT_PROJECT_VERSION)</string>
    """)

  static let bellPlist = plist(
    """
    \t<key>CFBundleIdentifier</key>
    \t<string>$(PRODUCT_BUNDLE_IDENTIFIER)</string>
    \t<key>CFBundlePackageType</key>
    \t<string>XPC!</string>
    \t<key>CFBundleShortVersionString</key>
    \t<string>$(MARKETING_VERSION)</string>
    \t<key>CFBundleVersion</key>
    \t<string>$(CURRENT_PROJECT_VERSION)</string>
    \t<key>NSExtension</key>
    \t<dict>
    \t\t<key>NSExtensionPointIdentifier</key>
    \t\t<string>com.apple.usernotifications.service</string>
    \t\t<key>NSExtensionPrincipalClass</key>
    \t\t<string>$(PRODUCT_MODULE_NAME).NotificationService</string>
    \t</dict>
    """)

  static let appEntitlements = plist(
    """
    \t<key>aps-environment</key>
    \t<string>development</string>
    \t<key>com.apple.security.application-groups</key>
    \t<array>
    \t\t<string>$(GROUP_ID)</string>
    \t</array>
    """)

  static let bellEntitlements = plist(
    """
    \t<key>com.apple.security.application-groups</key>
    \t<array>
    \t\t<string>$(GROUP_ID)</string>
    \t</array>
    """)

  static let privacy = plist("\t<key>NSPrivacyTracking</key>\n\t<false/>")

  static let appDelegate = """
    import AVFoundation
    import UIKit
    import UserNotifications

    // An AVAudioPlayer in a comment is no player, nor is setOutputVolume a call.
    final class AppDelegate: UIResponder, UIApplicationDelegate, UNUserNotificationCenterDelegate {
      private let synthesizer = AVSpeechSynthesizer()
      private let note = "interruptSpokenAudioAndMix and didEncounterError are only words here"

      func application(_ application: UIApplication, didFinishLaunchingWithOptions options: [String: Any]?) -> Bool {
        application.registerForRemoteNotifications()
        return true
      }

      func userNotificationCenter(
        _ center: UNUserNotificationCenter, willPresent notification: UNNotification
      ) async -> UNNotificationPresentationOptions {
        [.banner, .list, .sound]
      }

      func say(_ text: String) throws {
        try AVAudioSession.sharedInstance().setCategory(.playback, mode: .voicePrompt, options: [.duckOthers])
        let utterance = AVSpeechUtterance(string: text)
        utterance.voice = AVSpeechSynthesisVoice(language: "zh-CN")
        utterance.volume = 1.0
        synthesizer.speak(utterance)
      }

      func remind() -> UNMutableNotificationContent {
        let content = UNMutableNotificationContent()
        content.sound = UNNotificationSound(named: UNNotificationSoundName("paid.caf"))
        return content
      }
    }
    """

  static let service = """
    import UserNotifications

    final class NotificationService: UNNotificationServiceExtension {
      private var contentHandler: ((UNNotificationContent) -> Void)?
      private var best: UNMutableNotificationContent?

      override func didReceive(
        _ request: UNNotificationRequest, withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void
      ) {
        self.contentHandler = contentHandler
        best = request.content.mutableCopy() as? UNMutableNotificationContent
        let shared = UserDefaults(suiteName: "group.com.example.shop")
        let folder = FileManager.default.containerURL(
          forSecurityApplicationGroupIdentifier: "group.com.example.shop")
        let name = "bell-\\(UUID().uuidString).caf"
        if let folder, shared != nil {
          try? Data().write(to: folder.appendingPathComponent("Library/Sounds/\\(name)"))
          best?.sound = UNNotificationSound(named: UNNotificationSoundName(name))
        }
        finish()
      }

      override func serviceExtensionTimeWillExpire() { finish() }

      private func finish() {
        guard let handler = contentHandler, let best else { return }
        contentHandler = nil
        handler(best)
      }
    }
    """

  static let project = """
    // !$*UTF8*$!
    {
    \tarchiveVersion = 1;
    \tclasses = {
    \t};
    \tobjectVersion = 54;
    \tobjects = {

    /* Begin PBXBuildFile section */
    \t\tB10000000000000000000001 /* AppDelegate.swift in Sources */ = {isa = PBXBuildFile; fileRef = A10000000000000000000001 /* AppDelegate.swift */; };
    \t\tB10000000000000000000002 /* paid.caf in Resources */ = {isa = PBXBuildFile; fileRef = A10000000000000000000002 /* paid.caf */; };
    \t\tB10000000000000000000003 /* NotificationService.swift in Sources */ = {isa = PBXBuildFile; fileRef = A10000000000000000000003 /* NotificationService.swift */; };
    \t\tB10000000000000000000004 /* PrivacyInfo.xcprivacy in Resources */ = {isa = PBXBuildFile; fileRef = A10000000000000000000004 /* PrivacyInfo.xcprivacy */; };
    \t\tB10000000000000000000005 /* Bell.appex in Embed Foundation Extensions */ = {isa = PBXBuildFile; fileRef = A10000000000000000000010 /* Bell.appex */; settings = {ATTRIBUTES = (RemoveHeadersOnCopy, ); }; };
    /* End PBXBuildFile section */

    /* Begin PBXCopyFilesBuildPhase section */
    \t\tC10000000000000000000001 /* Embed Foundation Extensions */ = {
    \t\t\tisa = PBXCopyFilesBuildPhase;
    \t\t\tbuildActionMask = 2147483647;
    \t\t\tdstPath = "";
    \t\t\tdstSubfolderSpec = 13;
    \t\t\tfiles = (
    \t\t\t\tB10000000000000000000005 /* Bell.appex in Embed Foundation Extensions */,
    \t\t\t);
    \t\t\tname = "Embed Foundation Extensions";
    \t\t\trunOnlyForDeploymentPostprocessing = 0;
    \t\t};
    /* End PBXCopyFilesBuildPhase section */

    /* Begin PBXFileReference section */
    \t\tA10000000000000000000001 /* AppDelegate.swift */ = {isa = PBXFileReference; lastKnownFileType = sourcecode.swift; path = AppDelegate.swift; sourceTree = "<group>"; };
    \t\tA10000000000000000000002 /* paid.caf */ = {isa = PBXFileReference; lastKnownFileType = file; path = paid.caf; sourceTree = "<group>"; };
    \t\tA10000000000000000000003 /* NotificationService.swift */ = {isa = PBXFileReference; lastKnownFileType = sourcecode.swift; path = NotificationService.swift; sourceTree = "<group>"; };
    \t\tA10000000000000000000004 /* PrivacyInfo.xcprivacy */ = {isa = PBXFileReference; lastKnownFileType = text.xml; path = PrivacyInfo.xcprivacy; sourceTree = "<group>"; };
    \t\tA10000000000000000000005 /* Base.xcconfig */ = {isa = PBXFileReference; lastKnownFileType = text.xcconfig; path = Base.xcconfig; sourceTree = "<group>"; };
    \t\tA10000000000000000000009 /* Shop.app */ = {isa = PBXFileReference; explicitFileType = wrapper.application; includeInIndex = 0; path = Shop.app; sourceTree = BUILT_PRODUCTS_DIR; };
    \t\tA10000000000000000000010 /* Bell.appex */ = {isa = PBXFileReference; explicitFileType = "wrapper.app-extension"; includeInIndex = 0; path = Bell.appex; sourceTree = BUILT_PRODUCTS_DIR; };
    /* End PBXFileReference section */

    /* Begin PBXGroup section */
    \t\tD10000000000000000000001 = {
    \t\t\tisa = PBXGroup;
    \t\t\tchildren = (
    \t\t\t\tD10000000000000000000002 /* Shop */,
    \t\t\t\tD10000000000000000000003 /* Bell */,
    \t\t\t\tD10000000000000000000004 /* Config */,
    \t\t\t\tD10000000000000000000005 /* Products */,
    \t\t\t);
    \t\t\tsourceTree = "<group>";
    \t\t};
    \t\tD10000000000000000000002 /* Shop */ = {
    \t\t\tisa = PBXGroup;
    \t\t\tchildren = (
    \t\t\t\tA10000000000000000000001 /* AppDelegate.swift */,
    \t\t\t\tA10000000000000000000002 /* paid.caf */,
    \t\t\t);
    \t\t\tpath = Shop;
    \t\t\tsourceTree = "<group>";
    \t\t};
    \t\tD10000000000000000000003 /* Bell */ = {
    \t\t\tisa = PBXGroup;
    \t\t\tchildren = (
    \t\t\t\tA10000000000000000000003 /* NotificationService.swift */,
    \t\t\t\tA10000000000000000000004 /* PrivacyInfo.xcprivacy */,
    \t\t\t);
    \t\t\tpath = Bell;
    \t\t\tsourceTree = "<group>";
    \t\t};
    \t\tD10000000000000000000004 /* Config */ = {
    \t\t\tisa = PBXGroup;
    \t\t\tchildren = (
    \t\t\t\tA10000000000000000000005 /* Base.xcconfig */,
    \t\t\t);
    \t\t\tpath = Config;
    \t\t\tsourceTree = "<group>";
    \t\t};
    \t\tD10000000000000000000005 /* Products */ = {
    \t\t\tisa = PBXGroup;
    \t\t\tchildren = (
    \t\t\t\tA10000000000000000000009 /* Shop.app */,
    \t\t\t\tA10000000000000000000010 /* Bell.appex */,
    \t\t\t);
    \t\t\tname = Products;
    \t\t\tsourceTree = "<group>";
    \t\t};
    /* End PBXGroup section */

    /* Begin PBXNativeTarget section */
    \t\tE10000000000000000000001 /* Shop */ = {
    \t\t\tisa = PBXNativeTarget;
    \t\t\tbuildConfigurationList = F10000000000000000000002 /* Build configuration list for PBXNativeTarget "Shop" */;
    \t\t\tbuildPhases = (
    \t\t\t\tC10000000000000000000002 /* Sources */,
    \t\t\t\tC10000000000000000000003 /* Resources */,
    \t\t\t\tC10000000000000000000001 /* Embed Foundation Extensions */,
    \t\t\t);
    \t\t\tname = Shop;
    \t\t\tproductName = Shop;
    \t\t\tproductReference = A10000000000000000000009 /* Shop.app */;
    \t\t\tproductType = "com.apple.product-type.application";
    \t\t};
    \t\tE10000000000000000000002 /* Bell */ = {
    \t\t\tisa = PBXNativeTarget;
    \t\t\tbuildConfigurationList = F10000000000000000000003 /* Build configuration list for PBXNativeTarget "Bell" */;
    \t\t\tbuildPhases = (
    \t\t\t\tC10000000000000000000004 /* Sources */,
    \t\t\t\tC10000000000000000000005 /* Resources */,
    \t\t\t);
    \t\t\tname = Bell;
    \t\t\tproductName = Bell;
    \t\t\tproductReference = A10000000000000000000010 /* Bell.appex */;
    \t\t\tproductType = "com.apple.product-type.app-extension";
    \t\t};
    /* End PBXNativeTarget section */

    /* Begin PBXProject section */
    \t\tE10000000000000000000009 /* Project object */ = {
    \t\t\tisa = PBXProject;
    \t\t\tbuildConfigurationList = F10000000000000000000001 /* Build configuration list for PBXProject "Shop" */;
    \t\t\tcompatibilityVersion = "Xcode 14.0";
    \t\t\tmainGroup = D10000000000000000000001;
    \t\t\tproductRefGroup = D10000000000000000000005 /* Products */;
    \t\t\tprojectDirPath = "";
    \t\t\tprojectRoot = "";
    \t\t\ttargets = (
    \t\t\t\tE10000000000000000000001 /* Shop */,
    \t\t\t\tE10000000000000000000002 /* Bell */,
    \t\t\t);
    \t\t};
    /* End PBXProject section */

    /* Begin PBXResourcesBuildPhase section */
    \t\tC10000000000000000000003 /* Resources */ = {
    \t\t\tisa = PBXResourcesBuildPhase;
    \t\t\tfiles = (
    \t\t\t\tB10000000000000000000002 /* paid.caf in Resources */,
    \t\t\t);
    \t\t};
    \t\tC10000000000000000000005 /* Resources */ = {
    \t\t\tisa = PBXResourcesBuildPhase;
    \t\t\tfiles = (
    \t\t\t\tB10000000000000000000004 /* PrivacyInfo.xcprivacy in Resources */,
    \t\t\t);
    \t\t};
    /* End PBXResourcesBuildPhase section */

    /* Begin PBXSourcesBuildPhase section */
    \t\tC10000000000000000000002 /* Sources */ = {
    \t\t\tisa = PBXSourcesBuildPhase;
    \t\t\tfiles = (
    \t\t\t\tB10000000000000000000001 /* AppDelegate.swift in Sources */,
    \t\t\t);
    \t\t};
    \t\tC10000000000000000000004 /* Sources */ = {
    \t\t\tisa = PBXSourcesBuildPhase;
    \t\t\tfiles = (
    \t\t\t\tB10000000000000000000003 /* NotificationService.swift in Sources */,
    \t\t\t);
    \t\t};
    /* End PBXSourcesBuildPhase section */

    /* Begin XCBuildConfiguration section */
    \(configuration("F20000000000000000000001", "Debug", shared, base: true))
    \(configuration("F20000000000000000000002", "Release", shared, base: true))
    \(configuration("F20000000000000000000003", "Debug", app))
    \(configuration("F20000000000000000000004", "Release", app))
    \(configuration("F20000000000000000000005", "Debug", bell))
    \(configuration("F20000000000000000000006", "Release", bell))
    /* End XCBuildConfiguration section */

    /* Begin XCConfigurationList section */
    \(list("F10000000000000000000001", "F20000000000000000000001", "F20000000000000000000002"))
    \(list("F10000000000000000000002", "F20000000000000000000003", "F20000000000000000000004"))
    \(list("F10000000000000000000003", "F20000000000000000000005", "F20000000000000000000006"))
    /* End XCConfigurationList section */
    \t};
    \trootObject = E10000000000000000000009 /* Project object */;
    }
    """

  private static let shared = """
    \t\t\t\tCURRENT_PROJECT_VERSION = 7;
    \t\t\t\tIPHONEOS_DEPLOYMENT_TARGET = 15.0;
    \t\t\t\tMARKETING_VERSION = 1.2;
    \t\t\t\tSDKROOT = iphoneos;
    """
  private static let app = """
    \t\t\t\tCODE_SIGN_ENTITLEMENTS = Shop/Shop.entitlements;
    \t\t\t\tINFOPLIST_FILE = Shop/Info.plist;
    \t\t\t\tPRODUCT_BUNDLE_IDENTIFIER = "$(APP_ID)";
    \t\t\t\tPRODUCT_NAME = "$(TARGET_NAME)";
    """
  private static let bell = """
    \t\t\t\tCODE_SIGN_ENTITLEMENTS = Bell/Bell.entitlements;
    \t\t\t\tINFOPLIST_FILE = "$(SRCROOT)/Bell/Info.plist";
    \t\t\t\tPRODUCT_BUNDLE_IDENTIFIER = "$(APP_ID).bell";
    \t\t\t\tPRODUCT_NAME = "$(TARGET_NAME)";
    """

  private static func configuration(_ id: String, _ name: String, _ settings: String, base: Bool = false) -> String {
    let reference = base ? "\t\t\tbaseConfigurationReference = A10000000000000000000005 /* Base.xcconfig */;\n" : ""
    return """
      \t\t\(id) /* \(name) */ = {
      \t\t\tisa = XCBuildConfiguration;
      \(reference)\t\t\tbuildSettings = {
      \(settings)
      \t\t\t};
      \t\t\tname = \(name);
      \t\t};
      """
  }

  private static func list(_ id: String, _ debug: String, _ release: String) -> String {
    """
    \t\t\(id) = {
    \t\t\tisa = XCConfigurationList;
    \t\t\tbuildConfigurations = (
    \t\t\t\t\(debug) /* Debug */,
    \t\t\t\t\(release) /* Release */,
    \t\t\t);
    \t\t\tdefaultConfigurationName = Release;
    \t\t};
    """
  }
}
