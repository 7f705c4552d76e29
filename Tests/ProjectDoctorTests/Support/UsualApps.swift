import ProjectDoctor
import Testing
import VoiceAudio

/// Apps as they are built in the field, with the SDKs that most use; nothing is wrong with any of them.
struct UsualApp: Sendable, CustomTestStringConvertible {
  var testDescription: String
  var files: [String: String]
  var sounds: [String: Double] = [:]

  /// The tree.
  var tree: TestFiles {
    var tree = TestFiles(files: files.mapValues { Array($0.utf8) })
    for (path, seconds) in sounds {
      tree.files[path] = TestFiles.sound(seconds: seconds, container: path.hasSuffix(".wav") ? .wav : .caf)
    }
    return tree
  }

  static let all = [firebase, oneSignal, alarm, calls, music, flutter, reactNative, cordova, download, swiftUI]

  // MARK: Property lists

  private static func key(_ name: String, _ value: String) -> String { "\t<key>\(name)</key>\n\t\(value)\n" }
  private static func texts(_ values: [String]) -> String {
    "<array>\n" + values.map { "\t\t<string>\($0)</string>\n" }.joined() + "\t</array>"
  }

  private static func info(_ modes: [String] = [], _ extra: [String: String] = [:]) -> String {
    ShopText.appPlist.components(around: "</dict>").joined(
      separator: (modes.isEmpty ? "" : key("UIBackgroundModes", texts(modes)))
        + extra.sorted { $0.key < $1.key }.map { key($0.key, "<string>\($0.value)</string>") }.joined() + "</dict>")
  }

  private static func service(_ name: String, isSwift: Bool) -> String {
    ShopText.bellPlist.components(around: "$(PRODUCT_MODULE_NAME).NotificationService")
      .joined(separator: isSwift ? "$(PRODUCT_MODULE_NAME).\(name)" : name)
  }

  private static func rights(push: Bool = true, groups: [String] = [], flags: [String] = []) -> String {
    ShopText.plist(
      (push ? key("aps-environment", "<string>development</string>") : "")
        + (groups.isEmpty ? "" : key("com.apple.security.application-groups", texts(groups)))
        + flags.map { key($0, "<true/>") }.joined())
  }

  private static func settings(_ folder: String, _ id: String, rights: String? = nil) -> [String: String] {
    var settings = [
      "INFOPLIST_FILE": "\(folder)/Info.plist", "PRODUCT_BUNDLE_IDENTIFIER": id, "PRODUCT_NAME": "$(TARGET_NAME)",
      "MARKETING_VERSION": "2.3", "CURRENT_PROJECT_VERSION": "41", "SWIFT_VERSION": "5.0",
    ]
    settings["CODE_SIGN_ENTITLEMENTS"] = rights
    return settings
  }

  private static func app(
    _ name: String, _ sources: [String], resources: [String] = [], folders: [String] = [], embeds: [String] = []
  ) -> ProjectBuilder.Target {
    ProjectBuilder.Target(
      name: name, product: "application", sources: sources, resources: resources, folders: folders,
      settings: settings(name, "com.example.\(name.lowercased())", rights: "\(name)/\(name).entitlements"),
      embeds: embeds)
  }

  private static func service(
    _ name: String, of app: String, _ sources: [String], rights: String? = nil
  ) -> ProjectBuilder.Target {
    ProjectBuilder.Target(
      name: name, product: "app-extension", sources: sources,
      settings: settings(name, "com.example.\(app.lowercased()).\(name)", rights: rights))
  }

  private static func project(_ targets: [ProjectBuilder.Target]) -> String { ProjectBuilder(targets: targets).text }

  // MARK: The apps

  /// A chat with Firebase; the extension only hands the push to the SDK.
  static let firebase = UsualApp(
    testDescription: "Firebase",
    files: [
      "Chat.xcodeproj/project.pbxproj": project([
        app("Chat", ["Chat/AppDelegate.swift"], embeds: ["NotificationService"]),
        service("NotificationService", of: "Chat", ["NotificationService/NotificationService.swift"]),
      ]),
      "Chat/Info.plist": info(["fetch", "remote-notification"]), "Chat/Chat.entitlements": rights(),
      "Chat/AppDelegate.swift": UsualCode.firebaseApp,
      "NotificationService/Info.plist": service("NotificationService", isSwift: true),
      "NotificationService/NotificationService.swift": UsualCode.firebaseService,
      "Podfile": "target 'Chat' do\n  pod 'FirebaseMessaging'\nend\n",
    ])

  /// An Objective-C shop with OneSignal and its App Group.
  static let oneSignal = UsualApp(
    testDescription: "OneSignal, Objective-C",
    files: [
      "Shop.xcodeproj/project.pbxproj": project([
        app("Shop", ["Shop/AppDelegate.m"], embeds: ["OneSignalNotificationServiceExtension"]),
        service(
          "OneSignalNotificationServiceExtension", of: "Shop",
          ["OneSignalNotificationServiceExtension/NotificationService.m"],
          rights: "OneSignalNotificationServiceExtension/One.entitlements"),
      ]),
      "Shop/Info.plist": info(["remote-notification"]),
      "Shop/Shop.entitlements": rights(groups: ["group.com.example.shop.onesignal"]),
      "Shop/AppDelegate.m": UsualCode.oneSignalApp,
      "OneSignalNotificationServiceExtension/Info.plist": service("NotificationService", isSwift: false),
      "OneSignalNotificationServiceExtension/One.entitlements":
        rights(push: false, groups: ["group.com.example.shop.onesignal"]),
      "OneSignalNotificationServiceExtension/NotificationService.m": UsualCode.oneSignalService,
    ])

  /// An alarm with granted critical alerts, a looping ring in the foreground and long sounds of its own.
  static let alarm = UsualApp(
    testDescription: "critical alarm",
    files: [
      "Alarm.xcodeproj/project.pbxproj": project([
        app("Alarm", ["Alarm/Ring.swift"], resources: ["Alarm/siren.caf", "Alarm/ambience.wav"])
      ]),
      "Alarm/Info.plist": info(),
      "Alarm/Alarm.entitlements": rights(flags: [
        "com.apple.developer.usernotifications.critical-alerts",
        "com.apple.developer.usernotifications.time-sensitive",
      ]),
      "Alarm/Ring.swift": UsualCode.alarm,
    ], sounds: ["Alarm/siren.caf": 4, "Alarm/ambience.wav": 40])

  /// Real calls over PushKit and CallKit.
  static let calls = UsualApp(
    testDescription: "calls",
    files: [
      "Phone.xcodeproj/project.pbxproj": project([app("Phone", ["Phone/Calls.swift", "Phone/Audio.swift"])]),
      "Phone/Info.plist": info(
        ["audio", "voip", "remote-notification"], ["NSMicrophoneUsageDescription": "Others hear you in a call."]),
      "Phone/Phone.entitlements": rights(),
      "Phone/Calls.swift": UsualCode.calls, "Phone/Audio.swift": UsualCode.callAudio,
    ])

  /// A player that goes on in the background, with remote commands, loops and a quiet fade.
  static let music = UsualApp(
    testDescription: "music",
    files: [
      "Music.xcodeproj/project.pbxproj": project([app("Music", ["Music/Player.swift"], resources: ["Music/rain.wav"])]),
      "Music/Info.plist": info(["audio"]), "Music/Music.entitlements": rights(), "Music/Player.swift": UsualCode.music,
    ], sounds: ["Music/rain.wav": 35])

  /// Flutter as `flutter create` lays it out, before `flutter pub get`: generated files are not there.
  static let flutter: UsualApp = {
    var runner = app("Runner", ["Runner/AppDelegate.swift"], embeds: ["ImageNotification"])
    runner.scriptsBefore = ["Run Script"]
    runner.scriptsAfter = ["Thin Binary"]
    runner.configs = ["Debug": "Flutter/Debug.xcconfig", "Release": "Flutter/Release.xcconfig"]
    runner.settings["CURRENT_PROJECT_VERSION"] = "$(FLUTTER_BUILD_NUMBER)"
    runner.settings["MARKETING_VERSION"] = "$(FLUTTER_BUILD_NAME)"
    let config =
      "#include? \"Pods/Target Support Files/Pods-Runner/Pods-Runner.debug.xcconfig\"\n#include \"Generated.xcconfig\"\n"
    return UsualApp(
      testDescription: "Flutter",
      files: [
        "pubspec.yaml": "dependencies:\n  firebase_messaging: ^15.0.0\n  just_audio: ^0.9.0\n",
        "lib/main.dart": "void main() {}\n",
        "ios/Runner.xcodeproj/project.pbxproj": project([
          runner, service("ImageNotification", of: "Runner", ["ImageNotification/NotificationService.m"]),
        ]),
        "ios/Flutter/Debug.xcconfig": config, "ios/Flutter/Release.xcconfig": config,
        "ios/Runner/Info.plist": info(["audio", "fetch", "remote-notification"]),
        "ios/Runner/Runner.entitlements": rights(), "ios/Runner/AppDelegate.swift": UsualCode.flutter,
        "ios/ImageNotification/Info.plist": service("NotificationService", isSwift: false),
        "ios/ImageNotification/NotificationService.m": UsualCode.handedService(
          "[[FIRMessaging extensionHelper] populateNotificationContent:self.best withContentHandler:contentHandler];"),
      ])
  }()

  /// React Native with CocoaPods whose Pods folder is not kept, and Notifee's extension.
  static let reactNative: UsualApp = {
    var main = app("Mobile", ["Mobile/AppDelegate.mm"], embeds: ["NotifeeNotificationService"])
    main.configs = ["Debug": "Pods/Target Support Files/Pods-Mobile/Pods-Mobile.debug.xcconfig"]
    return UsualApp(
      testDescription: "React Native",
      files: [
        "package.json": #"{"dependencies": {"react-native": "0.76.0", "@notifee/react-native": "9.0.0"}}"#,
        "ios/Podfile": "target 'Mobile' do\n  pod 'RNNotifee'\nend\n",
        "ios/Mobile.xcodeproj/project.pbxproj": project([
          main,
          service(
            "NotifeeNotificationService", of: "Mobile", ["NotifeeNotificationService/NotifeeNotificationService.m"]),
        ]),
        "ios/Mobile.xcworkspace/contents.xcworkspacedata":
          "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<Workspace\n   version = \"1.0\">\n   <FileRef\n      location = \"group:Mobile.xcodeproj\">\n   </FileRef>\n   <FileRef\n      location = \"group:Pods/Pods.xcodeproj\">\n   </FileRef>\n</Workspace>\n",
        "ios/Mobile/Info.plist": info(["remote-notification"]), "ios/Mobile/Mobile.entitlements": rights(),
        "ios/Mobile/AppDelegate.mm": UsualCode.reactNative,
        "ios/NotifeeNotificationService/Info.plist": service("NotifeeNotificationService", isSwift: false),
        "ios/NotifeeNotificationService/NotifeeNotificationService.m": UsualCode.handedService(
          "[NotifeeExtensionHelper populateNotificationContent:request withContent:self.best withContentHandler:contentHandler];",
          name: "NotifeeNotificationService"),
      ])
  }()

  /// Cordova keeps the project in platforms/ios, and the page with its sounds in a folder reference.
  static let cordova = UsualApp(
    testDescription: "Cordova",
    files: [
      "config.xml": "<widget id=\"com.example.page\"/>\n", "package.json": #"{"cordova": {"plugins": {}}}"#,
      "platforms/ios/Page.xcodeproj/project.pbxproj": project([
        app("Page", ["Page/AppDelegate.m"], folders: ["www"])
      ]),
      "platforms/ios/Page/Info.plist": info(), "platforms/ios/Page/Page.entitlements": rights(),
      "platforms/ios/Page/AppDelegate.m": UsualCode.cordova, "platforms/ios/www/index.html": "<html></html>",
    ], sounds: ["platforms/ios/www/sounds/click.wav": 0.2])

  /// An extension that fetches a sound under a name of its own and delivers once.
  static let download = UsualApp(
    testDescription: "downloaded sound, Objective-C",
    files: [
      "Office.xcodeproj/project.pbxproj": project([
        app("Office", ["Office/AppDelegate.m"], resources: ["Office/leave.caf"], embeds: ["Voice"]),
        service("Voice", of: "Office", ["Voice/NotificationService.m"], rights: "Voice/Voice.entitlements"),
      ]),
      "Office/Info.plist": info(), "Office/Office.entitlements": rights(groups: ["group.com.example.office"]),
      "Office/AppDelegate.m": UsualCode.officeApp,
      "Voice/Info.plist": service("NotificationService", isSwift: false),
      "Voice/Voice.entitlements": rights(push: false, groups: ["group.com.example.office"]),
      "Voice/NotificationService.m": UsualCode.downloadService,
    ], sounds: ["Office/leave.caf": 2])

  /// SwiftUI with Xcode's own extension template, async callbacks and a water reminder.
  static let swiftUI = UsualApp(
    testDescription: "Xcode's template",
    files: [
      "Water.xcodeproj/project.pbxproj": project([
        app("Water", ["Water/WaterApp.swift"], embeds: ["Bell"]), service("Bell", of: "Water", ["Bell/Bell.swift"]),
      ]),
      "Water/Info.plist": info(["remote-notification"]), "Water/Water.entitlements": rights(),
      "Water/WaterApp.swift": UsualCode.water,
      "Bell/Info.plist": service("NotificationService", isSwift: true), "Bell/Bell.swift": UsualCode.templateService,
    ])
}
