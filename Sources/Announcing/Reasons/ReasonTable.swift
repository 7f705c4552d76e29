/// The one table of reasons; `docs/reasons.md` and every screen take their words from here.
enum ReasonTable {
  static let entries: [ReasonCode: ReasonEntry] = Dictionary(
    uniqueKeysWithValues: spoken + onPurpose + payload + sound + life + phone + speech + clock)

  typealias Row = (ReasonCode, ReasonEntry)

  static func row(
    _ code: ReasonCode, _ title: (String, String), cause: (String, String), advice: (String, String)
  ) -> Row {
    (
      code,
      ReasonEntry(
        title: ReasonText(title.0, title.1), cause: ReasonText(cause.0, cause.1), advice: ReasonText(advice.0, advice.1)
      )
    )
  }
}

extension ReasonCode {
  /// What the table says about it.
  public var entry: ReasonEntry {
    // A test proves that every code has a row; this line is only there so that nothing can trap on a phone.
    ReasonTable.entries[self]
      ?? ReasonEntry(title: ReasonText(rawValue, rawValue), cause: ReasonText("", ""), advice: ReasonText("", ""))
  }
}

extension ReasonTable {
  static let spoken: [Row] = [
    row(
      .spoken, ("Spoken", "已播报"),
      cause: ("A sound file that says the whole sentence was handed to iOS.", "已把说完整句话的声音文件交给系统。"),
      advice: (
        "If nothing was heard, look at the phone's mute switch, Focus and watch.", "如果没有听到，请检查静音开关、专注模式和手表。"
      )),
    row(
      .mergedIntoSum, ("Spoken as part of a sum", "已合并播报"),
      cause: (
        "Several events came faster than they could be said, so one sentence gave their sum.",
        "短时间内到了多笔，来不及逐笔播报，已合成一句报出总额。"
      ), advice: ("Nothing to do.", "无需处理。")),
    row(
      .spokenByApp, ("Spoken by the running app", "由应用播报"),
      cause: ("The app was in the foreground and spoke it itself.", "应用在前台，由应用自己播报。"),
      advice: ("Nothing to do.", "无需处理。")),
    row(
      .spokenFromBundle, ("A bundled sound was played", "播放了内置声音"),
      cause: ("The event asked for a file that is part of the app.", "该事件指定了应用自带的声音文件。"),
      advice: ("Nothing to do.", "无需处理。")),
    row(
      .replayed, ("Spoken again on request", "应要求重播"), cause: ("A person asked to hear it again.", "有人要求再听一遍。"),
      advice: ("Nothing to do.", "无需处理。")),
    row(
      .mergedIntoSummary, ("Spoken in the summary of missed events", "已在漏报汇总中播报"),
      cause: (
        "The phone was offline; the first push afterwards spoke one sentence for all that was missed.",
        "手机曾经离线；恢复后的第一条推送用一句话报出了全部漏报。"
      ), advice: ("Nothing to do.", "无需处理。")),
  ]

  static let onPurpose: [Row] = [
    row(
      .duplicate, ("Silent: already decided", "静音：重复"),
      cause: ("An event with the same id has already been handled on this phone.", "同一编号的事件在本机已经处理过。"),
      advice: (
        "Give each real payment its own id. To hear one again, use replay.", "每笔真实付款要有自己的编号；要重听请用“重播”。"
      )),
    row(
      .late, ("Silent: too late", "静音：已过时"),
      cause: ("It arrived after the time until which it may be spoken.", "到达时已超过允许播报的时间。"),
      advice: (
        "Check the phone's connection and clock; raise “until” if later is still useful.",
        "检查手机网络和时间；若晚些播报仍有用，把 until 放宽。"
      )),
    row(
      .quietHours, ("Silent: quiet hours", "静音：安静时段"),
      cause: ("It came in the quiet hours that are set on this phone.", "在本机设定的安静时段内到达。"),
      advice: ("Change the quiet hours in the app.", "在应用里修改安静时段。")),
    row(
      .groupMuted, ("Silent: group muted", "静音：此类已关闭"),
      cause: ("This kind of event is muted on this phone.", "本机已关闭此类事件的播报。"),
      advice: ("Switch the group on in the app.", "在应用里打开此类播报。")),
    row(
      .belowMinimum, ("Not spoken: below the minimum", "未播报：低于下限"),
      cause: ("The amount is smaller than the least that this phone speaks.", "金额小于本机设定的播报下限。"),
      advice: ("Lower the minimum in the app.", "在应用里调低下限。")),
    row(
      .aboveMaximum, ("Not spoken: above the maximum", "未播报：高于上限"),
      cause: ("The amount is larger than the most that this phone speaks.", "金额大于本机设定的播报上限。"),
      advice: ("Raise the maximum in the app.", "在应用里调高上限。")),
    row(
      .speakingOff, ("Not spoken: speaking is off", "未播报：播报已关闭"),
      cause: ("Speaking is switched off on this phone.", "本机已关闭语音播报。"),
      advice: ("Switch speaking on in the app.", "在应用里打开语音播报。")),
    row(
      .keptForNextSum, ("Kept for the next sum", "留待下次合并"),
      cause: (
        "It could not be said within 20 seconds, so its amount goes into the next sentence.", "20 秒内没轮到播报，金额会并入下一句。"
      ),
      advice: (
        "Nothing to do. Open the app to hear what is waiting.", "无需处理；打开应用即可听到未播报的内容。"
      )),
    row(
      .chimeAsked, ("Chime only", "只响提示音"), cause: ("The sender asked for the fallback sound only.", "发送方只要求提示音。"),
      advice: ("Send another route to have it spoken.", "如需播报，请让发送方换用其他方式。")),
    row(
      .nothingToSay, ("Nothing to say", "没有可播报内容"),
      cause: ("The payload has no part that this product speaks.", "推送里没有可播报的部分。"),
      advice: ("Add an “aloud” part, or use one of the known forms.", "在推送里加入 aloud 部分，或使用已知的格式。")),
  ]

  static let payload: [Row] = [
    row(
      .amountUnreadable, ("Amount not readable", "金额无法识别"),
      cause: ("The amount is not plain decimal text.", "金额不是普通的十进制数字。"),
      advice: ("Send the amount as text such as \"28.50\".", "用文本发送金额，例如 \"28.50\"。")),
    row(
      .currencyUnknown, ("Currency unknown", "币种未知"),
      cause: ("The currency is missing or no ISO 4217 code.", "币种缺失，或不是 ISO 4217 代码。"),
      advice: ("Send a code such as CNY or USD.", "发送 CNY、USD 这样的代码。")),
    row(
      .amountTooPrecise, ("Amount too precise", "金额小数位过多"),
      cause: ("It has more decimals than its currency.", "小数位数多于该币种允许的位数。"),
      advice: ("Round at the sender; a phone never rounds money.", "请在发送方取整；手机不会替你四舍五入。")),
    row(
      .amountTooLarge, ("Amount too large", "金额过大"), cause: ("It is beyond what can be said exactly.", "超出能准确读出的范围。"),
      advice: ("Check the unit: is it sent in cents by mistake?", "检查单位：是否误以“分”发送？")),
    row(
      .amountMissing, ("Amount missing", "缺少金额"), cause: ("A payment came without an amount.", "付款事件没有金额。"),
      advice: ("Send “amount” and “currency”.", "请发送 amount 和 currency。")),
    row(
      .localeUnknown, ("Language unknown", "语言未知"), cause: ("There are no sentences in this language.", "没有该语言的句子。"),
      advice: ("Send one of the tags that “aloud read --help” lists.", "使用 aloud read --help 列出的语言代码。")),
    row(
      .kindUnknown, ("Kind unknown", "类型未知"),
      cause: ("There is no sentence for this kind and it carries no text.", "没有该类型的句子，也没有附带文字。"),
      advice: ("Use a known kind, or send “text”.", "使用已知类型，或发送 text。")),
    row(
      .textMissing, ("Text missing", "缺少文字"), cause: ("The kind needs a text and it has none.", "该类型需要文字，但没有提供。"),
      advice: ("Send “text”.", "请发送 text。")),
    row(
      .timeUnreadable, ("Time not readable", "时间无法识别"), cause: ("The time is not HH:MM.", "时间不是 HH:MM 格式。"),
      advice: ("Send a time such as \"15:00\".", "发送 \"15:00\" 这样的时间。")),
    row(
      .sumTooLarge, ("Sum too large", "总额过大"),
      cause: ("The sum of the burst cannot be said exactly.", "合并后的总额超出能准确读出的范围。"),
      advice: ("The amounts are in the app's list.", "请在应用列表里查看各笔金额。")),
  ]
}
