import AloudServer
import AudioTools
import HTTPTransport
import TestSupport
import Testing

/// Settings, their sources and their checks.
struct ConfigurationTests {
  @Test func `a flag beats the environment, that beats the file, that the default`() throws {
    let file = (path: "aloud.conf", text: "# mine\nlisten = 0.0.0.0:1\nworkers = 2  # two\nqueue-age = 60\n")
    let values = try SettingValues(
      flags: ["listen": "127.0.0.1:3"], environment: ["ALOUD_LISTEN": "127.0.0.1:2", "ALOUD_WORKERS": "4"], file: file)
    #expect(values.text("listen") == "127.0.0.1:3" && values.origin("listen") == .flag)
    #expect(values.integer("workers") == 4 && values.origin("workers") == .environment("ALOUD_WORKERS"))
    #expect(values.integer("queue-age") == 60 && values.origin("queue-age") == .file(path: "aloud.conf", line: 4))
    #expect(values.integer("stop-seconds") == 10 && values.origin("stop-seconds") == .standard)
    let printed = values.printed()
    #expect(printed.contains("queue-age = 60  # aloud.conf:4\n") && printed.contains("# apns-key is not set\n"))
  }

  @Test(arguments: Setting.all.map(\.name))
  func `every setting is taken from its flag before its variable, that before the file, that before the default`(
    name: String
  ) throws {
    let setting = try #require(Setting.named(name))
    let values = Self.threeValues(setting)
    let file = (path: "aloud.conf", text: "\(name) = \(values[0])\n")
    let variables = [setting.environmentName: values[1]]
    let cases: [(SettingValues, String?, SettingValues.Origin?)] = [
      (try SettingValues(), setting.defaultValue, setting.defaultValue.map { _ in .standard }),
      (try SettingValues(file: file), values[0], .file(path: "aloud.conf", line: 1)),
      (try SettingValues(environment: variables, file: file), values[1], .environment(setting.environmentName)),
      (try SettingValues(flags: [name: values[2]], environment: variables, file: file), values[2], .flag),
    ]
    for (found, value, origin) in cases {
      #expect(found.text(name) == value && found.origin(name) == origin)
      let shown = value.map { "\(name) = \(DatabaseAddress.redacted($0))  # " } ?? "# \(name) is not set"
      #expect(found.printed().contains(shown), "--print-config says the same")
    }
  }

  /// Three values that a setting takes, different where it has as many.
  private static func threeValues(_ setting: Setting) -> [String] {
    switch setting.kind {
    case .text, .path, .list: ["first", "second", "third"]
    case .flag: ["false", "true", "no"]
    case .integer(let range): [range.lowerBound, range.lowerBound + 1, range.upperBound].map(String.init)
    case .choice(let words): [words[0], words[words.count - 1], words[min(1, words.count - 1)]]
    }
  }

  @Test func `the server's page lists every setting as it is`() throws {
    let folder = #filePath.split(separator: "/").dropLast(3).reduce("") { $0 + "/" + $1 }
    let page = String(decoding: try Files.read("\(folder)/docs/server.md"), as: UTF8.self)
    for setting in Setting.all {
      let value = setting.defaultValue.map { "`\($0)`" } ?? "–"
      let help = setting.help.replacing("|", with: "\\|")
      let row = "| `\(setting.name)` | `\(setting.environmentName)` | \(value) | \(help) |"
      #expect(page.contains(row), "docs/server.md should have: \(row)")
    }
    #expect(page.split(separator: "| `ALOUD_").count - 1 == Setting.all.count)
  }

  @Test func `what is printed can be read again`() throws {
    let values = try SettingValues(flags: ["listen": "[::1]:80", "ladder-alarm": "5:push,9:webhook"])
    let again = try SettingValues(file: (path: "x", text: values.printed()))
    for setting in Setting.all { #expect(values.text(setting.name) == again.text(setting.name)) }
  }

  @Test func `everything that is wrong is said at once`() {
    let error = #expect(throws: ConfigurationError.self) {
      try SettingValues(
        flags: ["workers": "many"], environment: ["ALOUD_LISTTEN": "x", "ALOUD_ENGINE": "parrot"],
        file: (path: "f", text: "nonsense\nno-such = 1\nworkers = 1\nworkers = 2"))
    }
    #expect(error?.problems.count == 6)
    for word in ["ALOUD_LISTTEN", "parrot", "f:1", "no-such", "f:4", "many"] {
      #expect(error?.description.contains(word) == true, "\(word)")
    }
  }

  @Test(arguments: [
    (["listen": "nowhere"], "HOST:PORT"), (["apns-key": "x"], "apns-key-id"), (["tls-key": "x"], "tls-certificate"),
    (["database": "mysql://u:pw@h/d"], "postgres"), (["ladder-alarm": "now:push"], "ladder-alarm"),
    (["engine": "command"], "engine-command"), (["engine": "openai"], "engine-url"),
    (["webhook-url": "https://x.example"], "webhook-secret-file"), (["incoming": "a:b"], "NAME:generic:FILE"),
    (["base-url": "ftp://x"], "base-url"), (["jpush-app-key": "k"], "jpush-secret-file"),
    (["apns-keys": "list", "apns-key": "x"], "missing"),
  ])
  func `settings that do not fit together are refused in words`(flags: [String: String], word: String) throws {
    let values = try SettingValues(flags: flags)
    let error = #expect(throws: ConfigurationError.self) { try ServerConfiguration(values) }
    #expect(error?.description.contains(word) == true)
    #expect(error?.description.contains("pw") != true)
  }

  @Test func `a fresh server listens on this machine only`() throws {
    let configuration = try ServerConfiguration(SettingValues())
    #expect(configuration.listening.isLoopback)
    #expect(configuration.ratePerAddress > 0)
  }

  @Test func `the password of a database is not printed`() throws {
    let values = try SettingValues(flags: ["database": "postgres://aloud:s3cret@db.example/aloud"])
    #expect(!values.printed().contains("s3cret"))
    #expect(values.printed().contains("postgres://aloud:…@db.example/aloud"))
  }
}

/// Small parts of the guard at the door.
struct GuardTests {
  @Test func `a bucket empties, refills with time, and forgets the full ones`() async {
    let time = ManualTime()
    let limiter = RateLimiter(rate: .init(perSecond: 2, burst: 4), callerLimit: 2, time: time.source)
    for _ in 0..<4 { #expect(limiter.admit("a") == nil) }
    #expect(limiter.admit("a") == 0.5)
    #expect(limiter.admit("b") == nil)
    await time.advance(1)
    #expect(limiter.admit("a") == nil && limiter.admit("a") == nil)
    #expect(limiter.admit("a") != nil)
    // A third caller finds room, because “b” is full again.
    #expect(limiter.admit("c") == nil)
    #expect(limiter.admit("a") != nil)
    let none = RateLimiter(perSecond: 0, time: time.source)
    for _ in 0..<1_000 { #expect(none.admit("a") == nil) }
  }

  @Test func `a key is read back from its text, and nothing else is one`() {
    var chance = SeededChance(seed: 7)
    let key = AccessKey(random: { count in (0..<count).map { _ in UInt8.random(in: 0...255, using: &chance) } })
    #expect(AccessKey(key.text) == key)
    #expect(key.digest.count == 32)
    for text in [
      "", "aloud_", "aloud_1_2", key.text + "x", String(key.text.dropLast()), "other" + key.text.dropFirst(5),
    ] {
      #expect(AccessKey(text) == nil)
    }
  }

  @Test func `a log line cannot hold a free text`() {
    let lines = Locked<[String]>([])
    let log = ServerLog(level: .info, time: ManualTime().source) { line in lines.withLock { $0.append(line) } }
    log.write(.info, "tried", ["who": .identifier("user name 28.50 元"), "what": .fingerprint(of: "token")])
    log.write(.debug, "not written")
    let line = lines.withLock { $0.joined() }
    #expect(!line.contains("28.50") && !line.contains("token") && !line.contains("not written"))
    #expect(line.hasPrefix(#"{"ts":"2026-11-30T"#) && line.hasSuffix("}\n"))
  }

  @Test(arguments: [
    (0.0, "1970-01-01T00:00:00.000Z"), (951_782_400.125, "2000-02-29T00:00:00.125Z"),
    (1_796_000_000.0, "2026-11-30T00:53:20.000Z"), (4_102_444_799.999, "2099-12-31T23:59:59.999Z"),
  ])
  func `moments are written as RFC 3339`(seconds: Double, text: String) {
    #expect(RFC3339.text(unixSeconds: seconds) == text)
  }

  @Test func `figures are Prometheus text`() {
    let metrics = Metrics()
    metrics.count(.deliveries, ["apns", "a\"b\\c\nd"], by: 3)
    metrics.observe(.deliverySeconds, ["apns"], 0.03)
    let text = metrics.prometheusText()
    #expect(text.contains(#"aloud_deliveries_total{gateway="apns",outcome="a\"b\\c\nd"} 3"#))
    #expect(text.contains(#"aloud_delivery_seconds_bucket{gateway="apns",le="0.025"} 0"#))
    #expect(text.contains(#"aloud_delivery_seconds_bucket{gateway="apns",le="0.05"} 1"#))
    #expect(text.contains(#"aloud_delivery_seconds_bucket{gateway="apns",le="+Inf"} 1"#))
  }
}
