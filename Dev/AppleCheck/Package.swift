// swift-tools-version: 6.2
import PackageDescription

// AloudKit and the examples on Linux, against our own declarations of Apple's API. See README.md. In no product.

/// A shim in Swift 5 mode with library evolution: clients in Swift 6 mode then get the run-time isolation checks and the non-frozen
/// enums that they get from the SDK.
func shim(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
  .target(
    name: name, dependencies: dependencies, path: name == "PlantedShim" ? name : "Shims/\(name)",
    swiftSettings: [
      .swiftLanguageMode(.v5), .unsafeFlags(["-enable-library-evolution", "-suppress-warnings"]),
    ])
}

func linked(_ name: String, _ dependencies: [Target.Dependency] = [], exclude: [String] = []) -> Target {
  .target(name: name, dependencies: dependencies, path: "Linked/\(name)", exclude: exclude, swiftSettings: house)
}

let house: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .treatAllWarnings(as: .error),
]

let apple: [Target.Dependency] = [
  "UserNotifications", "UIKit", "AVFAudio", "AVFoundation", "os", "CryptoKit", "Combine", "SwiftUI", "AlarmKit",
  "ActivityKit",
]

// What only Xcode takes.
let notSwift = [
  "Assets.xcassets", "Info.plist", "PrivacyInfo.xcprivacy", "Localizable.xcstrings", "InfoPlist.xcstrings",
]

let package = Package(
  name: "AppleCheck",
  platforms: [.iOS(.v15), .macOS(.v12)],
  targets: [
    shim("UserNotifications"), shim("UIKit"), shim("AVFAudio"), shim("AVFoundation", ["AVFAudio"]), shim("os"),
    shim("CryptoKit"), shim("Combine"), shim("SwiftUI", ["UIKit", "Combine"]), shim("ActivityKit"),
    shim("AlarmKit", ["ActivityKit", "SwiftUI"]),
    linked("ExactJSON"),
    linked("SpokenText"),
    linked("VoiceAudio", ["ExactJSON"]),
    linked("PushPayload", ["SpokenText", "ExactJSON"]),
    linked("Announcing", ["SpokenText", "VoiceAudio", "PushPayload", "ExactJSON"]),
    linked(
      "AloudKit", ["Announcing", "SpokenText", "VoiceAudio", "PushPayload", "ExactJSON"] + apple,
      exclude: ["README.md", "Resources"]),
    .testTarget(
      name: "AloudKitTests",
      dependencies: ["AloudKit", "Announcing", "SpokenText", "VoiceAudio", "PushPayload", "ExactJSON"] + apple,
      swiftSettings: house + [.unsafeFlags(["-Xfrontend", "-disable-cross-import-overlays"])]),
    .executableTarget(
      name: "ClockApp", dependencies: ["AloudKit", "Announcing", "SpokenText"] + apple, path: "Linked/ClockApp",
      exclude: notSwift + ["TalkingClock.entitlements"], swiftSettings: house),
    .executableTarget(
      name: "Till", dependencies: ["AloudKit", "Announcing", "PushPayload"] + apple, path: "Linked/Till",
      exclude: (notSwift + ["Till.entitlements", "fallback.caf"]).map { "App/" + $0 }, swiftSettings: house),
    .target(
      name: "TillNotifications", dependencies: ["AloudKit"] + apple, path: "Linked/TillNotifications",
      exclude: ["Info.plist", "PrivacyInfo.xcprivacy", "TillNotifications.entitlements"].map { "Extension/" + $0 },
      swiftSettings: house),
    .testTarget(
      name: "ExampleTests",
      dependencies: [
        "AppleSymbols", "ClockApp", "Till", "TillNotifications", "AloudKit", "Announcing", "PushPayload", "SpokenText",
        "VoiceAudio",
      ] + apple,
      swiftSettings: house + [.unsafeFlags(["-Xfrontend", "-disable-cross-import-overlays"])]),
    .systemLibrary(name: "CIndexStore", path: "CIndexStore"),
    .target(name: "AppleSymbols", dependencies: ["CIndexStore"], path: "Lint", swiftSettings: house),
    shim("PlantedShim"),
    .target(name: "Planted", dependencies: ["PlantedShim", "AVFAudio"], path: "Planted", swiftSettings: house),
    .testTarget(
      name: "AppleSymbolTests", dependencies: ["AppleSymbols", "Planted", "AloudKit"] + apple, swiftSettings: house),
  ],
  swiftLanguageModes: [.v6])
