extension Setting {
  private static let day = 86_400

  /// Every setting, in the order of the help.
  package static let all: [Setting] =
    listening + storage + apns + jpush + delivery + speech + protection + webhooks + running

  private static let listening: [Setting] = [
    Setting("listen", .text, default: "127.0.0.1:8080", "HOST:PORT", "where to listen; only this machine by default"),
    Setting("base-url", .text, "URL", "how phones reach this server, for sound addresses (https)"),
    Setting("tls-certificate", .path, "FILE", "PEM certificate chain; with --tls-key the server speaks HTTPS"),
    Setting("tls-key", .path, "FILE", "PEM private key; read again with the certificate when either file changes"),
    Setting("trusted-proxy", .list, "IPS", "addresses whose X-Forwarded-For is believed, separated by commas"),
  ]

  private static let storage: [Setting] = [
    Setting("data", .path, default: "aloud-data", "DIR", "folder for the database and sounds"),
    Setting(
      "database", .text, default: "sqlite", "WHERE", "sqlite (in the data folder), sqlite:FILE, memory or postgres://…"),
    Setting("keep-days", .integer(1...3650), default: "30", "DAYS", "how long finished events and answers are kept"),
  ]

  private static let apns: [Setting] = [
    Setting("apns-key", .path, "FILE", "the .p8 key from Apple's developer site; read by its owner only"),
    Setting("apns-key-id", .text, "ID", "the ten characters of the key"),
    Setting("apns-team-id", .text, "ID", "the ten characters of the team"),
    Setting("apns-topic", .text, "BUNDLE-ID", "the app's bundle identifier"),
    Setting(
      "apns-keys", .path, "FILE",
      "a list of keys for several apps and teams: KEY-ID TEAM-ID KEY-FILE [TOPIC,… or *] [production|sandbox|both] a line; "
        + "read again when it changes"),
    Setting("apns-production", .flag, default: "false", "BOOL", "what a device is that registers without saying"),
    Setting("apns-host", .text, "HOST:PORT", "send to this host instead of Apple's, for instance aloud sandbox"),
    Setting("apns-ca", .path, "FILE", "PEM certificate that vouches for --apns-host"),
    Setting(
      "apns-connections", .integer(1...32), default: "2", "N", "connections at most for each key and environment"),
  ]

  private static let jpush: [Setting] = [
    Setting("jpush-app-key", .text, "KEY", "the JPush application; devices registered with gateway jpush go there"),
    Setting("jpush-secret-file", .path, "FILE", "file with the JPush master secret"),
    Setting("jpush-url", .text, default: "https://api.jpush.cn", "URL", "where JPush's REST interface is"),
  ]

  private static let delivery: [Setting] = [
    Setting(
      "fallback-sound", .text, default: "fallback.caf", "NAME", "file in the app's bundle when nothing can be said"),
    Setting("bundled-route-sounds", .flag, default: "true", "BOOL", "use a sound the device registered for the kind"),
    Setting(
      "speak-within-payment", .integer(5...day), default: "300", "SECONDS", "a payment is spoken so long after it came"),
    Setting(
      "speak-within-alarm", .integer(5...day), default: "900", "SECONDS", "an alarm is spoken so long after it came"),
    Setting(
      "speak-within-report", .integer(5...day), default: "3600", "SECONDS", "a report is spoken so long after it came"),
    Setting(
      "show-after", .integer(0...30 * day), default: "86400", "SECONDS",
      "after it may no longer be spoken, APNs keeps a notification so long for a phone that is off"),
    Setting(
      "ladder-payment", .text, default: "none", "STEPS",
      "what to do without proof of hearing: SECONDS:STEP,… with the steps push, device, webhook; or none"),
    Setting("ladder-alarm", .text, default: "20:push,40:device,60:webhook", "STEPS", "the same for alarms"),
    Setting("ladder-report", .text, default: "none", "STEPS", "the same for reports"),
    Setting("queue-rows", .integer(100...10_000_000), default: "200000", "N", "more waiting deliveries answer 503"),
    Setting("queue-age", .integer(5...day), default: "300", "SECONDS", "older waiting deliveries answer 503"),
  ]

  private static let speech: [Setting] = [
    Setting("voices", .path, "DIR", "folder with voice packs; sounds are joined from them"),
    Setting(
      "engine", .choice(["none", "espeak-ng", "command", "openai"]), default: "none", "NAME",
      "what renders sounds that no voice pack can say"),
    Setting(
      "engine-command", .text, "TEMPLATE", "program and arguments with {text}, {locale}, {output}; no shell is used"),
    Setting("engine-url", .text, "URL", "an OpenAI-compatible server; /v1/audio/speech is appended"),
    Setting("engine-key-file", .path, "FILE", "file with the bearer key for --engine-url"),
    Setting("engine-model", .text, default: "tts-1", "NAME", "model for --engine-url"),
    Setting("engine-voice", .text, default: "alloy", "NAME", "voice for --engine-url"),
    Setting("engine-timeout", .integer(1...120), default: "15", "SECONDS", "how long an engine may take"),
    Setting(
      "sound-cache-mib", .integer(1...1_048_576), default: "256", "MIB", "rendered sounds kept; the oldest go first"),
  ]

  private static let protection: [Setting] = [
    Setting(
      "rate-per-key", .integer(0...1_000_000), default: "0", "N", "requests a second for each key; 0 for no limit"),
    Setting(
      "rate-per-address", .integer(0...1_000_000), default: "50", "N", "the same for callers without a valid key"),
    Setting("body-kib", .integer(4...65_536), default: "4096", "KIB", "largest request body"),
    Setting("header-kib", .integer(4...1_024), default: "16", "KIB", "largest request head"),
    Setting(
      "request-seconds", .integer(1...600), default: "20", "SECONDS",
      "a request that is not whole by then is cut off, however slowly it drips"),
    Setting("connections", .integer(8...65_536), default: "1024", "N", "connections at most"),
    Setting(
      "connections-per-address", .integer(1...65_536), default: "256", "N",
      "the same for one address; raise it behind a proxy"),
  ]

  private static let webhooks: [Setting] = [
    Setting("webhook-url", .text, "URL", "where the step webhook and failures go"),
    Setting("webhook-secret-file", .path, "FILE", "file with the secret that signs them"),
    Setting("webhook-private", .flag, default: "false", "BOOL", "allow addresses of private networks"),
    Setting(
      "incoming", .list, "SOURCES",
      "payment providers that may post: NAME:generic:FILE or NAME:stripe:FILE with the secret"),
    Setting("incoming-window", .integer(10...3600), default: "300", "SECONDS", "how old a signed request may be"),
  ]

  private static let running: [Setting] = [
    Setting(
      "workers", .integer(0...64), default: "1", "N", "sending tasks in this process; 0 leaves it to aloud worker"),
    Setting(
      "log-level", .choice(LogLevel.allCases.map(\.name)), default: "info", "LEVEL", "lowest level that is logged"),
    Setting("stop-seconds", .integer(1...60), default: "10", "SECONDS", "how long a stop waits for what is in flight"),
  ]

  /// The setting with this name, or nil.
  package static func named(_ name: String) -> Setting? { all.first { $0.name == name } }
}
