#if canImport(UserNotifications)
  public import ExactJSON
  public import Foundation

  /// Apple's two worlds of push: a token belongs to one of them.
  public enum PushEnvironment: String, Hashable, Sendable {
    /// Apps run from Xcode.
    case sandbox
    /// TestFlight and the App Store.
    case production

    /// Finds out which one this build's tokens belong to.
    ///
    /// A build that was signed for development carries its provisioning profile with the entitlement `aps-environment`
    /// (https://developer.apple.com/documentation/bundleresources/entitlements/aps-environment); a build from the App Store
    /// carries no profile.
    public static var ofThisBuild: PushEnvironment {
      #if targetEnvironment(simulator)
        .sandbox
      #else
        PushEnvironment(
          provisioningProfile: Bundle.main.url(forResource: "embedded", withExtension: "mobileprovision")
            .flatMap { try? Data(contentsOf: $0) })
      #endif
    }

    /// Reads the environment from a provisioning profile: a property list within a signed message.
    ///
    /// - Parameter profile: The profile's bytes, or `nil` if the build has none.
    public init(provisioningProfile profile: Data?) {
      self = .production
      guard let profile, let start = profile.range(of: Data("<plist".utf8))?.lowerBound,
        let end = profile.range(of: Data("</plist>".utf8), in: start..<profile.endIndex)?.upperBound,
        let list = try? PropertyListSerialization.propertyList(from: profile[start..<end], options: [], format: nil),
        let entitlements = (list as? [String: Any])?["Entitlements"] as? [String: Any]
      else { return }
      if entitlements["aps-environment"] as? String == "development" { self = .sandbox }
    }
  }

  /// What a phone tells the server about itself: the body of `POST /v1/devices`.
  public struct DeviceRegistration: Hashable, Sendable {
    /// The device token in lower-case hexadecimal.
    public var token: String
    /// Where the token is valid.
    public var environment: PushEnvironment
    /// The app's bundle identifier.
    public var topic: String
    /// The account, if pushes are sent to users.
    public var user: String?
    /// The groups in which pushes for groups reach this phone.
    public var groups: [String] = []
    /// The language that is spoken, as a BCP 47 tag.
    public var locale: String
    /// The voice pack's id and version, if the phone can say sentences itself.
    public var pack: (id: String, version: String)? {
      get { packParts.count == 2 ? (packParts[0], packParts[1]) : nil }
      set { packParts = newValue.map { [$0.id, $0.version] } ?? [] }
    }
    /// The sound files in the app bundle.
    public var sounds: [String] = []
    /// The app's version and build.
    public var app: String
    private var packParts: [String] = []

    /// Makes a registration of what every phone must tell.
    public init(token: String, environment: PushEnvironment, topic: String, locale: String, app: String) {
      (self.token, self.environment, self.topic) = (token, environment, topic)
      (self.locale, self.app) = (locale, app)
    }

    /// The body; equal registrations have equal text.
    public var json: JSON {
      var object: JSONObject = [
        "token": .string(token), "environment": .string(environment.rawValue), "topic": .string(topic),
        "locale": .string(locale), "app": .string(app),
      ]
      if let user { object["user"] = .string(user) }
      if !groups.isEmpty { object["groups"] = .array(groups.sorted().map { .string($0) }) }
      if let pack { object["pack"] = ["id": .string(pack.id), "version": .string(pack.version)] }
      if !sounds.isEmpty { object["sounds"] = .array(sounds.sorted().prefix(500).map { .string($0) }) }
      return .object(object)
    }

    /// A token as the server wants it.
    public static func hexadecimal(_ token: Data) -> String {
      token.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    }
  }

  /// Why the phone could not register.
  public enum RegistrationError: Error, Hashable, Sendable, CustomStringConvertible {
    /// No server is configured, or its address is not https.
    case noServer
    /// Neither a device key nor a way of one's own to register is configured.
    case noWay
    /// The server did not answer; it is tried again at the next start.
    case noAnswer
    /// The server refused.
    case refused(status: Int)
    /// The App Group is missing or full, so the answer cannot be kept.
    case notKept

    public var description: String {
      switch self {
      case .noServer: "No server with an https address is configured; set AloudConfiguration.server."
      case .noWay:
        "The phone may not register: set AloudConfiguration.deviceKey to an API key with the scope “device”, or give "
          + "Aloud.Options.register, which asks your own server to register the phone."
      case .noAnswer: "The server did not answer; the phone registers when the app starts again."
      case .refused(let status): "The server refused the phone with status \(status); its log says why."
      case .notKept:
        "The registration could not be kept in the App Group; look at the entitlement of the app and at its free space."
      }
    }
  }
#endif
