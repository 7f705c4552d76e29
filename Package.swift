// swift-tools-version: 6.2
import PackageDescription

// Aloud: notifications that are heard. The house is described in docs/architecture.md; arrows point downwards only.

// MARK: What the phone links: pure Swift, no C library. Builds for iOS 15 and for Linux.

var products: [Product] = [
  .library(name: "AloudKit", targets: ["AloudKit"]),
  .library(name: "SpokenText", targets: ["SpokenText"]),
  .library(name: "VoiceAudio", targets: ["VoiceAudio"]),
  .library(name: "PushPayload", targets: ["PushPayload"]),
  .library(name: "Announcing", targets: ["Announcing"]),
]

var targets: [Target] = [
  .target(name: "ExactJSON"),
  .target(name: "SpokenText"),
  .target(name: "VoiceAudio", dependencies: ["ExactJSON"]),
  .target(name: "PushPayload", dependencies: ["SpokenText", "ExactJSON"]),
  .target(name: "Announcing", dependencies: ["SpokenText", "VoiceAudio", "PushPayload", "ExactJSON"]),
  .target(
    name: "AloudKit",
    dependencies: ["Announcing", "SpokenText", "VoiceAudio", "PushPayload", "ExactJSON"],
    exclude: ["README.md"],
    resources: [.copy("Resources/PrivacyInfo.xcprivacy")]),
  .target(name: "TestSupport", dependencies: ["SpokenText", "ExactJSON"]),
  .testTarget(name: "ExactJSONTests", dependencies: ["ExactJSON", "TestSupport"]),
  .testTarget(
    name: "SpokenTextTests", dependencies: ["SpokenText", "TestSupport"], resources: [.copy("Vectors")]),
  .testTarget(
    name: "VoiceAudioTests", dependencies: ["VoiceAudio", "TestSupport"], resources: [.copy("Fixtures")]),
  .testTarget(name: "PushPayloadTests", dependencies: ["PushPayload", "ExactJSON", "TestSupport"]),
  .testTarget(
    name: "AnnouncingTests",
    dependencies: ["Announcing", "PushPayload", "SpokenText", "VoiceAudio", "ExactJSON", "TestSupport"]),
]

// MARK: Server, tools and the virtual iPhone: Linux, over Debian's C libraries.

#if os(Linux)
  products += [.executable(name: "aloud", targets: ["aloud"])]

  targets += [
    .systemLibrary(name: "CLinux"),
    .systemLibrary(name: "CBench"),
    .systemLibrary(name: "COpenSSL", pkgConfig: "openssl", providers: [.apt(["libssl-dev"])]),
    .systemLibrary(name: "CNGHTTP2", pkgConfig: "libnghttp2", providers: [.apt(["libnghttp2-dev"])]),
    .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
    .systemLibrary(name: "CPostgres", providers: [.apt(["libpq-dev"])]),
    .systemLibrary(name: "CMicroHTTPD", providers: [.apt(["libmicrohttpd-dev"])]),
    .systemLibrary(name: "CAudioLibraries", providers: [.apt(["libsndfile1-dev", "libsoxr-dev", "libebur128-dev"])]),
    .systemLibrary(name: "CZip", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),

    .target(name: "APNsWire", dependencies: ["PushPayload", "ExactJSON"]),
    .target(name: "HTTPTransport", dependencies: ["CLinux", "COpenSSL", "CNGHTTP2", "CMicroHTTPD"]),
    .target(name: "APNsClient", dependencies: ["APNsWire", "HTTPTransport", "PushPayload"]),
    .target(name: "Store", dependencies: ["CLinux"]),
    .target(name: "StoreSQLite", dependencies: ["Store", "CSQLite", "CLinux"]),
    .target(name: "StorePostgres", dependencies: ["Store", "CPostgres", "CLinux"]),
    .target(
      name: "AloudServer",
      dependencies: [
        "Store", "StoreSQLite", "StorePostgres", "APNsWire", "APNsClient", "HTTPTransport", "Announcing", "PushPayload",
        "VoiceAudio", "AudioTools",
        "SpokenText", "ExactJSON", "COpenSSL", "CLinux",
      ],
      resources: [.embedInCode("Console"), .embedInCode("API")]),
    .target(
      name: "PhoneSandbox",
      dependencies: [
        "Announcing", "PushPayload", "SpokenText", "VoiceAudio", "ExactJSON", "APNsWire", "APNsClient", "HTTPTransport",
        "COpenSSL",
        "CLinux",
      ]),
    .target(
      name: "AudioTools",
      dependencies: ["VoiceAudio", "SpokenText", "Announcing", "ExactJSON", "CAudioLibraries", "CLinux"]),
    .target(
      name: "ProjectDoctor",
      dependencies: ["PushPayload", "VoiceAudio", "Announcing", "SpokenText", "ExactJSON", "CZip", "COpenSSL"]),
    .target(
      name: "AloudCommand",
      dependencies: [
        "SpokenText", "VoiceAudio", "PushPayload", "Announcing", "APNsWire", "APNsClient", "HTTPTransport", "Store",
        "StoreSQLite",
        "StorePostgres", "AloudServer", "PhoneSandbox", "AudioTools", "ProjectDoctor", "ExactJSON", "CBench", "CLinux",
        "COpenSSL",
      ]),
    .executableTarget(name: "aloud", dependencies: ["AloudCommand"]),

    .testTarget(
      name: "APNsWireTests", dependencies: ["APNsWire", "PushPayload", "ExactJSON", "HTTPTransport", "TestSupport"]),
    .testTarget(
      name: "HTTPTransportTests", dependencies: ["HTTPTransport", "APNsWire", "TestSupport", "CLinux", "COpenSSL"]),
    .testTarget(
      name: "APNsClientTests",
      dependencies: ["APNsClient", "APNsWire", "HTTPTransport", "PushPayload", "ExactJSON", "TestSupport"]),
    .target(name: "ServerTestSupport", dependencies: ["AudioTools", "Store", "TestSupport", "CLinux"]),
    .testTarget(
      name: "StoreTests",
      dependencies: [
        "Store", "StoreSQLite", "StorePostgres", "TestSupport", "ServerTestSupport", "CLinux", "CSQLite",
      ]),
    .testTarget(
      name: "TortureTests",
      dependencies: [
        "PhoneSandbox", "Announcing", "PushPayload", "SpokenText", "VoiceAudio", "ExactJSON", "HTTPTransport",
        "TestSupport", "ServerTestSupport", "CLinux", "aloud",
      ]),
    .testTarget(
      name: "AloudServerTests",
      dependencies: [
        "AloudServer", "Store", "StoreSQLite", "StorePostgres", "APNsWire", "APNsClient", "HTTPTransport",
        "PhoneSandbox", "Announcing",
        "PushPayload", "SpokenText", "VoiceAudio", "AudioTools", "ExactJSON", "TestSupport", "ServerTestSupport",
        "CLinux",
        "CSQLite",
      ]),
    .testTarget(
      name: "PhoneSandboxTests",
      dependencies: [
        "PhoneSandbox", "Announcing", "PushPayload", "SpokenText", "VoiceAudio", "ExactJSON", "APNsWire", "APNsClient",
        "HTTPTransport",
        "TestSupport",
      ], resources: [.copy("Scenarios")]),
    .testTarget(
      name: "AudioToolsTests",
      dependencies: [
        "AudioTools", "AloudCommand", "VoiceAudio", "SpokenText", "Announcing", "ExactJSON", "TestSupport",
      ]),
    .testTarget(
      name: "ProjectDoctorTests",
      dependencies: ["ProjectDoctor", "PushPayload", "VoiceAudio", "ExactJSON", "TestSupport"],
      resources: [.copy("Fixtures")]),
    .testTarget(
      name: "AloudCommandTests",
      dependencies: [
        "AloudCommand", "AudioTools", "SpokenText", "VoiceAudio", "PushPayload", "Announcing", "PhoneSandbox",
        "ExactJSON", "HTTPTransport", "TestSupport", "ServerTestSupport", "CLinux", "aloud",
      ]),
  ]
#endif

#if os(Linux)
  // Tools/sanitize builds everything anew, so it leaves out the tests that have no threads and no C library to be wrong about.
  if Context.environment["SANITIZED_TESTS"] != nil {
    let kept = ["HTTPTransportTests", "APNsClientTests", "StoreTests", "AloudServerTests", "PhoneSandboxTests"]
    targets.removeAll { $0.type == .test && !kept.contains($0.name) }
  }
#endif

let package = Package(
  name: "aloud",
  platforms: [.iOS(.v15), .macOS(.v12)],
  products: products,
  targets: targets,
  swiftLanguageModes: [.v6])

// One place for build settings.
for target in package.targets where [.regular, .executable, .test].contains(target.type) {
  target.swiftSettings = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .treatAllWarnings(as: .error),
  ]
}
