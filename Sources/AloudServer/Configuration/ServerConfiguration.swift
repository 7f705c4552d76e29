/// What one server process is to do, checked.
package struct ServerConfiguration: Sendable {
  /// Where requests are taken.
  package struct Listening: Sendable {
    package var host = "127.0.0.1"
    package var port = 8080
    package var baseURL: String?
    package var certificatePath: String?
    package var keyPath: String?
    package var trustedProxies: Set<String> = []

    /// Whether only this machine can reach the server.
    package var isLoopback: Bool { host == "localhost" || host == "::1" || host.hasPrefix("127.") }
  }

  /// Apple's push service, or a sandbox in its place.
  package struct APNs: Sendable {
    /// A signing key for every topic of its team, in both environments.
    package struct Key: Sendable {
      package var path: String
      package var keyID: String
      package var teamID: String
    }

    /// The key that the settings name.
    package var key: Key?
    /// A file that lists further keys, for several apps, teams and environments.
    package var keysPath: String?
    /// The topic of a device that registers without one; empty when there is none.
    package var topic: String
    package var isProduction = false
    /// Another host than Apple's, with the certificate that vouches for it.
    package var host: String?
    package var authorityPath: String?
    package var connections = 2

    /// One key.
    package init(keyPath: String, keyID: String, teamID: String, topic: String) {
      key = Key(path: keyPath, keyID: keyID, teamID: teamID)
      self.topic = topic
    }

    /// The keys of a list.
    package init(keysPath: String, topic: String = "") { (self.keysPath, self.topic) = (keysPath, topic) }
  }

  /// JPush's REST interface.
  package struct JPush: Sendable {
    package var appKey: String
    package var secretPath: String
    package var url: String

    package init(appKey: String, secretPath: String, url: String) {
      (self.appKey, self.secretPath, self.url) = (appKey, secretPath, url)
    }
  }

  /// How long each class may be spoken, and what is done without proof of hearing.
  package struct ClassRules: Sendable {
    package var speakWithinSeconds: Int
    package var ladder: Ladder

    /// Rules of one class.
    package init(speakWithinSeconds: Int, ladder: Ladder) {
      (self.speakWithinSeconds, self.ladder) = (speakWithinSeconds, ladder)
    }
  }

  /// What renders speech.
  package enum Engine: Sendable, Equatable {
    case none
    case espeak
    case command(template: String)
    case openAI(url: String, keyPath: String?, model: String, voice: String)
  }

  /// A payment provider that may post signed requests.
  package struct IncomingSource: Sendable, Equatable {
    package var name: String
    package var scheme: IncomingScheme
    package var secretPath: String

    package init(name: String, scheme: IncomingScheme, secretPath: String) {
      (self.name, self.scheme, self.secretPath) = (name, scheme, secretPath)
    }
  }

  package var listening = Listening()
  package var dataFolder = "aloud-data"
  package var database = DatabaseAddress.memory
  package var keepDays = 30
  package var apns: APNs?
  package var jpush: JPush?
  package var fallbackSound = "fallback.caf"
  package var usesDeviceSounds = true
  package var rules: [EventClass: ClassRules] = [
    .payment: ClassRules(speakWithinSeconds: 300, ladder: .none),
    .alarm: ClassRules(speakWithinSeconds: 900, ladder: .none),
    .report: ClassRules(speakWithinSeconds: 3600, ladder: .none),
  ]
  package var showAfterSeconds = 86_400
  package var queueRowLimit = 200_000
  package var queueAgeLimitSeconds = 300
  package var voicesFolder: String?
  package var engine = Engine.none
  package var engineTimeoutSeconds = 15
  package var soundCacheBytes = 256 << 20
  package var ratePerKey = 0
  package var ratePerAddress = 50
  package var bodyLimit = 4 << 20
  package var headerLimit = 32 << 10
  package var requestSeconds = 20
  package var connections = 1_024
  package var connectionsPerAddress = 256
  package var webhookURL: String?
  package var webhookSecretPath: String?
  package var webhookMayBePrivate = false
  package var incoming: [IncomingSource] = []
  package var incomingWindowSeconds = 300
  package var workers = 1
  package var logLevel = LogLevel.info
  package var stopSeconds = 10

  /// A configuration for tests and the demo: everything in memory, any free port of the loopback.
  package init() { listening.port = 0 }

  /// The rules of a class.
  package func rules(_ eventClass: EventClass) -> ClassRules {
    rules[eventClass] ?? ClassRules(speakWithinSeconds: 300, ladder: .none)
  }
}
