extension ServerConfiguration {
  /// Checks the values together.
  ///
  /// - Throws: ``ConfigurationError`` with every problem at once. Files are not opened here.
  package init(_ values: SettingValues) throws(ConfigurationError) {
    self.init()
    var problems: [String] = []
    readListening(values, &problems)
    readStorage(values, &problems)
    readGateways(values, &problems)
    readDelivery(values, &problems)
    readSpeech(values, &problems)
    readProtection(values, &problems)
    guard problems.isEmpty else { throw ConfigurationError(problems: problems) }
  }

  private mutating func readListening(_ values: SettingValues, _ problems: inout [String]) {
    let address = values.text("listen", or: "127.0.0.1:8080")
    if let colon = address.lastIndex(of: ":"), let port = Int(address[address.index(after: colon)...]),
      (0...65_535).contains(port)
    {
      listening.host = address[..<colon].filter { $0 != "[" && $0 != "]" }
      listening.port = port
    } else {
      problems.append("listen is HOST:PORT, not “\(address)”")
    }
    listening.baseURL = values.text("base-url").map { $0.hasSuffix("/") ? String($0.dropLast()) : $0 }
    if let url = listening.baseURL, !url.hasPrefix("https://"), !url.hasPrefix("http://") {
      problems.append("base-url begins with https:// (http:// for tests on one machine)")
    }
    listening.certificatePath = values.text("tls-certificate")
    listening.keyPath = values.text("tls-key")
    if (listening.certificatePath == nil) != (listening.keyPath == nil) {
      problems.append("tls-certificate and tls-key belong together; one of them is missing")
    }
    listening.trustedProxies = Set(values.list("trusted-proxy"))
  }

  private mutating func readStorage(_ values: SettingValues, _ problems: inout [String]) {
    dataFolder = values.text("data", or: "aloud-data")
    let address = values.text("database", or: "sqlite")
    if let database = DatabaseAddress(address, dataFolder: dataFolder) {
      self.database = database
    } else {
      problems.append(
        "database is sqlite, sqlite:FILE, memory or postgres://…, not “\(DatabaseAddress.redacted(address))”")
    }
    keepDays = values.integer("keep-days")
  }

  private mutating func readGateways(_ values: SettingValues, _ problems: inout [String]) {
    readAPNs(values, &problems)
    switch (values.text("jpush-app-key"), values.text("jpush-secret-file")) {
    case (let key?, let path?):
      jpush = JPush(appKey: key, secretPath: path, url: values.text("jpush-url", or: "https://api.jpush.cn"))
    case (nil, nil): break
    default: problems.append("jpush-app-key and jpush-secret-file belong together; one of them is missing")
    }
  }

  private mutating func readAPNs(_ values: SettingValues, _ problems: inout [String]) {
    let keysPath = values.text("apns-keys")
    let names = ["apns-key", "apns-key-id", "apns-team-id", "apns-topic"]
    let given = names.filter { values.text($0) != nil }
    var apns: APNs
    if given.count == names.count {
      apns = APNs(
        keyPath: values.text("apns-key", or: ""), keyID: values.text("apns-key-id", or: ""),
        teamID: values.text("apns-team-id", or: ""), topic: values.text("apns-topic", or: ""))
      apns.keysPath = keysPath
      for name in ["apns-key-id", "apns-team-id"] {
        let count = values.text(name, or: "").utf8.count
        if count != 10 { problems.append("\(name) has ten characters; this one has \(count)") }
      }
    } else if let keysPath, given.isEmpty || given == ["apns-topic"] {
      apns = APNs(keysPath: keysPath, topic: values.text("apns-topic", or: ""))
    } else {
      let missing = names.filter { values.text($0) == nil }
      if !given.isEmpty {
        problems.append(
          "for APNs all of \(names.joined(separator: ", ")) are needed; missing: \(missing.joined(separator: ", "))")
      }
      return
    }
    apns.isProduction = values.flag("apns-production")
    apns.host = values.text("apns-host")
    apns.authorityPath = values.text("apns-ca")
    apns.connections = values.integer("apns-connections")
    self.apns = apns
  }

  private mutating func readDelivery(_ values: SettingValues, _ problems: inout [String]) {
    fallbackSound = values.text("fallback-sound", or: "fallback.caf")
    usesDeviceSounds = values.flag("bundled-route-sounds")
    for eventClass in EventClass.allCases {
      let name = "ladder-\(eventClass.rawValue)"
      guard let ladder = Ladder(values.text(name, or: "none")) else {
        problems.append("\(name) is none or SECONDS:STEP,… with growing seconds and the steps push, device, webhook")
        continue
      }
      rules[eventClass] = ClassRules(
        speakWithinSeconds: values.integer("speak-within-\(eventClass.rawValue)"), ladder: ladder)
    }
    showAfterSeconds = values.integer("show-after")
    queueRowLimit = values.integer("queue-rows")
    queueAgeLimitSeconds = values.integer("queue-age")
  }

  private mutating func readSpeech(_ values: SettingValues, _ problems: inout [String]) {
    voicesFolder = values.text("voices")
    engineTimeoutSeconds = values.integer("engine-timeout")
    soundCacheBytes = values.integer("sound-cache-mib") << 20
    switch values.text("engine", or: "none") {
    case "espeak-ng": engine = .espeak
    case "command":
      guard let template = values.text("engine-command") else {
        problems.append(
          "engine command needs engine-command, for instance “say.sh {locale} {output} {text}”")
        return
      }
      engine = .command(template: template)
    case "openai":
      guard let url = values.text("engine-url") else {
        problems.append("engine openai needs engine-url")
        return
      }
      engine = .openAI(
        url: url, keyPath: values.text("engine-key-file"), model: values.text("engine-model", or: "tts-1"),
        voice: values.text("engine-voice", or: "alloy"))
    default: engine = .none
    }
  }

  private mutating func readProtection(_ values: SettingValues, _ problems: inout [String]) {
    ratePerKey = values.integer("rate-per-key")
    ratePerAddress = values.integer("rate-per-address")
    bodyLimit = values.integer("body-kib") << 10
    headerLimit = values.integer("header-kib") << 10
    requestSeconds = values.integer("request-seconds")
    connections = values.integer("connections")
    connectionsPerAddress = values.integer("connections-per-address")
    webhookURL = values.text("webhook-url")
    webhookSecretPath = values.text("webhook-secret-file")
    webhookMayBePrivate = values.flag("webhook-private")
    if webhookURL != nil, webhookSecretPath == nil {
      problems.append("webhook-url needs webhook-secret-file, so that the receiver can tell that a call is genuine")
    }
    for text in values.list("incoming") {
      let parts = text.split(separator: ":", maxSplits: 2).map(String.init)
      guard parts.count == 3, let scheme = IncomingScheme(rawValue: parts[1]) else {
        problems.append("incoming is NAME:generic:FILE or NAME:stripe:FILE, not “\(text)”")
        continue
      }
      incoming.append(IncomingSource(name: parts[0], scheme: scheme, secretPath: parts[2]))
    }
    incomingWindowSeconds = values.integer("incoming-window")
    workers = values.integer("workers")
    logLevel = LogLevel(name: values.text("log-level", or: "info")) ?? .info
    stopSeconds = values.integer("stop-seconds")
  }
}
