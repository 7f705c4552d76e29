import Announcing
import ExactJSON
import PushPayload
import SpokenText
package import VoiceAudio

/// Plays a story on a virtual phone.
///
/// It takes no time but that of computing.
package struct StoryRun: Sendable {
  private let story: Story
  private let voice: @Sendable (String) -> Joiner?
  private var phone: VirtualIPhone
  private var server = StoryServer()
  private var replies: [(at: Double, order: Int, reply: PhoneReply)] = []
  private var pushes = 0

  /// Sets the stage.
  ///
  /// - Parameters:
  ///   - story: The story.
  ///   - voice: Opens a voice pack by its language tag or path; `nil` if there is none.
  /// - Throws: ``StoryError`` for a phone or server that cannot be.
  package init(_ story: Story, voice: @escaping @Sendable (String) -> Joiner?) throws(StoryError) {
    self.story = story
    self.voice = voice
    var conditions = PhoneConditions()
    let unknown = conditions.apply(story.phone)
    if let odd = unknown.first { throw StoryError("A phone has no \"\(odd)\", or not with this value.") }
    phone = VirtualIPhone(
      conditions: conditions, settings: AnnouncementSettings(story.settings),
      voice: StoryRun.voice(conditions, voice), startUnix: story.startUnix)
    for file in story.bundle {
      guard let name = file["name"]?.stringValue else { throw StoryError("A bundled file needs a \"name\".") }
      phone.addBundled(name, bytes: try StorySound.bytes(file), says: file["says"]?.stringValue)
    }
    try server.apply(story.server)
  }

  /// The voices of the phone: the pack that is named, or every language that there is a pack for.
  private static func voice(
    _ conditions: PhoneConditions, _ voice: @escaping @Sendable (String) -> Joiner?
  ) -> @Sendable (String) -> Joiner? {
    guard let pack = conditions.pack else { return voice }
    guard pack != "none", let joiner = voice(pack), let locale = try? SpokenLocale(joiner.pack.locale) else {
      return { _ in nil }
    }
    return { $0 == locale.tag ? joiner : nil }
  }

  /// Plays the story to its end.
  ///
  /// - Returns: The phone as it is then.
  /// - Throws: ``StoryError`` for a step that cannot be done.
  package mutating func play() throws(StoryError) -> VirtualIPhone {
    var next = 0
    while true {
      takeOrders()
      let step = next < story.steps.count ? story.steps[next].at : nil
      let own = phone.isBusy || story.until != nil || step != nil ? phone.nextTime : nil
      guard let time = [step, own, replies.first?.at].compactMap({ $0 }).min() else { break }
      if let until = story.until, time > until { break }
      if time == replies.first?.at, step.map({ $0 > time }) ?? true {
        phone.advance(to: time)
        let due = replies.removeFirst()
        phone.reply(due.order, due.reply)
      } else if let step, step == time {
        phone.advance(to: time)
        try happen(story.steps[next].happening, number: next + 1)
        next += 1
      } else {
        phone.advance(to: time)
      }
    }
    if let until = story.until { phone.advance(to: until) }
    return phone
  }

  private mutating func takeOrders() {
    for order in phone.takeOrders() {
      let (after, reply) = server.answer(order)
      let at = phone.clock + after
      let place = replies.firstIndex { $0.at > at } ?? replies.count
      replies.insert((at, order.id, reply), at: place)
    }
  }

  private mutating func happen(_ happening: Story.Happening, number: Int) throws(StoryError) {
    switch happening {
    case .push(let payload, let headers): phone.receive(try accepted(payload, headers))
    case .event(let json):
      let locale = phone.conditions.locale
      phone.receive(
        try server.push(
          json, locale: locale, voice: voice(json["locale"]?.stringValue ?? locale), clock: phone.clock,
          unix: phone.now.unixSeconds))
    case .phone(let json):
      if let odd = phone.change(json).first {
        throw StoryError("Step \(number): a phone has no \"\(odd)\", or not with this value.")
      }
    case .settings(let json): phone.change(settings: AnnouncementSettings(json))
    case .network(let isOnline): _ = phone.change(["network": isOnline ? "online" : "offline"])
    case .kill: phone.killExtension()
    case .clockJump(let seconds): phone.jumpWallClock(bySeconds: seconds)
    case .server(let json): try server.apply(json)
    case .schedule(let json): try schedule(json, number: number)
    }
  }

  /// A payload as it stands, with the headers that fit it unless others are given.
  private mutating func accepted(_ payload: JSON, _ fields: JSON?) throws(StoryError) -> AcceptedPush {
    pushes += 1
    let aps = APSPart(payload)
    var headers = PushHeaders(topic: "com.example.till", expiration: Int(phone.now.unixSeconds) + 86_400)
    if aps.isSilentPush { headers = .background(topic: headers.topic, expiration: headers.expiration) }
    if let name = fields?["apns-push-type"]?.stringValue, let type = PushType(rawValue: name) {
      headers.pushType = type
    }
    if let text = fields?["apns-expiration"] {
      headers.expiration = text.intValue ?? text.stringValue.flatMap(Int.init)
    }
    headers.collapseID = fields?["apns-collapse-id"]?.stringValue ?? payload["aloud"]?["id"]?.stringValue
    return AcceptedPush(
      token: "story", headers: headers, payload: payload, apnsID: fields?["apns-id"]?.stringValue ?? "raw-\(pushes)",
      acceptedAt: phone.now.unixSeconds)
  }

  private mutating func schedule(_ json: JSON, number: Int) throws(StoryError) {
    let every = json["every"]?.intValue ?? 60
    guard let step = ClockSchedule.Step(rawValue: every) else {
      throw StoryError("Step \(number): a clock speaks every 60, 30 or 15 minutes.")
    }
    let from = json["from"]?.stringValue ?? "00:00"
    let to = json["to"]?.stringValue ?? "23:59"
    guard let window = DayWindow(from: from, to: to) else {
      throw StoryError("Step \(number): \"from\" and \"to\" are times such as 07:00.")
    }
    guard let locale = try? SpokenLocale(json["locale"]?.stringValue ?? phone.conditions.locale) else {
      throw StoryError("Step \(number): the clock's language is not known.")
    }
    let style = json["style"]?.stringValue.flatMap(ClockSchedule.Style.init(rawValue:)) ?? .automatic
    let clock = ClockSchedule(
      step: step, fromMinute: window.startMinute, toMinute: window.endMinute, style: style, locale: locale,
      voiceID: json["voice"]?.stringValue ?? "default")
    do { try phone.schedule(clock) } catch let error as PhraseError {
      phone.refuse(clock: error.code)
    } catch {
      throw StoryError("Step \(number): \(error)")
    }
  }
}
