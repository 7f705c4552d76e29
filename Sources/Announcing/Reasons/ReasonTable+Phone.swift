extension ReasonTable {
  static let sound: [Row] = [
    row(
      .voicePackMissing, ("No voice pack", "没有语音包"),
      cause: ("The phone has no voice pack for this language.", "手机上没有该语言的语音包。"),
      advice: ("Add a pack to the app or load one in its settings.", "把语音包加入应用，或在设置里下载。")),
    row(
      .wordsMissing, ("Words missing in the voice pack", "语音包缺词"),
      cause: ("The pack cannot say the whole sentence, and half a sentence is never spoken.", "语音包说不全这句话，而半句话绝不播报。"),
      advice: (
        "Check the pack with “aloud pack check”, or use the download route.", "用 aloud pack check 检查语音包，或改用下载方式。"
      )),
    row(
      .sentenceTooLong, ("Sentence too long", "句子过长"),
      cause: ("It would be longer than the 29 seconds that iOS plays.", "超过系统能播放的 29 秒。"),
      advice: ("Shorten the text; aim at 5 seconds.", "缩短文字，最好在 5 秒以内。")),
    row(
      .downloadFailed, ("Download failed", "下载失败"), cause: ("The server did not give the sound file.", "服务器没有返回声音文件。"),
      advice: ("Look at the server's timeline of this event.", "查看服务器上该事件的时间线。")),
    row(
      .downloadTimedOut, ("Download too slow", "下载超时"),
      cause: ("The file did not arrive within 10 seconds.", "10 秒内没有下载完成。"),
      advice: ("Check the phone's connection, or use the clips route.", "检查网络，或改用拼接方式。")),
    row(
      .downloadRefused, ("Download refused", "拒绝下载"),
      cause: ("The address is not https, or not on the server that the app trusts.", "地址不是 https，或不在应用信任的服务器上。"),
      advice: ("Serve sounds from the configured server over https.", "请从已配置的服务器以 https 提供声音。")),
    row(
      .downloadTooLarge, ("Download too large", "下载文件过大"), cause: ("The file is larger than allowed.", "文件超过允许的大小。"),
      advice: ("Use IMA4 or shorten the sentence.", "改用 IMA4 格式或缩短句子。")),
    row(
      .downloadHashWrong, ("Download altered", "下载内容不符"),
      cause: ("The file is not the one that was announced.", "文件内容与预告的校验值不符。"),
      advice: ("Check caches and proxies between phone and server.", "检查手机与服务器之间的缓存和代理。")),
    row(
      .downloadNotSound, ("Download is no sound", "下载的不是声音"),
      cause: (
        "iOS would not play the file: wrong format, damaged, or 30 seconds or longer.", "系统不会播放该文件：格式不对、损坏或达到 30 秒。"
      ),
      advice: ("Convert it with “aloud convert”.", "用 aloud convert 转换。")),
    row(
      .noNetwork, ("No network", "没有网络"),
      cause: ("The sound had to be fetched and the phone was offline.", "需要下载声音，但手机没有网络。"),
      advice: ("Use a voice pack, which needs no network.", "使用语音包，无需网络。")),
    row(
      .renderFailed, ("Joining failed", "拼接失败"), cause: ("The voice pack could not be read.", "语音包无法读取。"),
      advice: ("Load the voice pack again.", "重新安装语音包。")),
    row(
      .fileNotWritten, ("File not written", "文件写入失败"),
      cause: ("The sound file could not be written, usually for lack of space.", "声音文件写入失败，通常是空间不足。"),
      advice: ("Free some space on the phone.", "清理手机空间。")),
    row(
      .lockedSinceRestart, ("Locked since the restart", "重启后未解锁"),
      cause: ("After a restart the files stay sealed until the first unlock.", "重启后首次解锁之前，文件无法读取。"),
      advice: ("Unlock the phone once after each restart.", "每次重启后请解锁一次手机。")),
    row(
      .appGroupMissing, ("App Group missing", "缺少 App Group"),
      cause: ("App and extension share no folder.", "应用与扩展没有共享目录。"),
      advice: (
        "Add the same App Group to both targets; “aloud doctor” checks it.", "给两个目标加上同一个 App Group；可用 aloud doctor 检查。"
      )),
    row(
      .sharedStateBusy, ("Shared memory busy", "共享状态被占用"),
      cause: ("Another process held the lock too long.", "另一个进程占用锁的时间过长。"),
      advice: ("If it happens again, restart the phone.", "如果反复出现，请重启手机。")),
    row(
      .sharedStateDamaged, ("Shared memory damaged", "共享状态损坏"),
      cause: ("The file was damaged and has been started anew.", "共享文件损坏，已重新建立。"),
      advice: ("Nothing to do; an old event could be spoken once more.", "无需处理；旧事件可能会再播报一次。")),
    row(
      .noRouteLeft, ("No way to say it", "没有可用的播报方式"),
      cause: ("None of the routes could say the whole sentence.", "没有一种方式能说出整句话。"),
      advice: ("Look at the codes before this one in the phone's log.", "查看手机日志里此前的代码。")),
  ]

  static let life: [Row] = [
    row(
      .timeTakenBack, ("Out of time", "时间用尽"),
      cause: ("iOS took its 30 seconds back before the sentence was ready.", "句子准备好之前，系统已收回 30 秒的时间。"),
      advice: ("Check the network; prefer the clips route.", "检查网络；建议使用拼接方式。")),
    row(
      .extensionKilled, ("The extension was ended", "扩展被终止"),
      cause: (
        "iOS ended the extension before it handed over the sentence; iOS showed the original.",
        "扩展在交出句子之前被系统终止，显示的是原始通知。"
      ),
      advice: ("The amount goes into the next sum. If it repeats, look at memory.", "金额会并入下一句；若反复出现，请检查内存。")),
    row(
      .memoryExceeded, ("Out of memory", "内存超限"),
      cause: ("The extension used more memory than iOS allows.", "扩展使用的内存超过系统限制。"),
      advice: ("Link no large frameworks into the extension.", "扩展中不要链接大型框架。")),
    row(
      .turnNotProven, ("Perhaps spoken", "可能已播报"),
      cause: (
        "The extension was ended in the moment of handing over; it counts as spoken, so that no amount is said twice.",
        "扩展在交出的瞬间被终止；按已播报处理，以免重复报金额。"
      ),
      advice: ("Look at the app's list.", "请查看应用列表。")),
  ]

  static let phone: [Row] = [
    row(
      .notificationsOff, ("Notifications are off", "通知已关闭"),
      cause: ("The user has not allowed alerts, so the extension never runs.", "用户未允许通知，扩展不会运行。"),
      advice: ("Settings → Notifications → the app → allow.", "设置 → 通知 → 本应用 → 允许。")),
    row(
      .soundsOff, ("Sounds are off", "声音已关闭"), cause: ("Sounds are switched off for this app.", "本应用的通知声音已关闭。"),
      advice: ("Settings → Notifications → the app → Sounds.", "设置 → 通知 → 本应用 → 声音。")),
    row(
      .muteSwitch, ("The phone is muted", "手机已静音"),
      cause: ("The mute switch silences notification sounds.", "静音开关会关闭通知声音。"),
      advice: ("Switch mute off.", "关闭静音。")),
    row(
      .focus, ("A Focus is on", "专注模式已开启"), cause: ("The Focus keeps notifications quiet.", "专注模式使通知静音。"),
      advice: ("Allow the app in the Focus, or send it as time-sensitive.", "在专注模式中允许本应用，或以“时效性通知”发送。")),
    row(
      .playedOnWatch, ("Played on the watch", "在手表上响铃"),
      cause: ("The phone was locked and the watch worn, so iOS plays the alert there.", "手机已锁定且佩戴着手表，系统在手表上提醒。"),
      advice: ("In the Watch app switch mirroring off for this app.", "在“手表”应用中关闭本应用的镜像通知。")),
    row(
      .appForceQuit, ("The app was swiped away", "应用被强制退出"),
      cause: ("iOS gives background pushes to no app that was force-quit.", "被强制退出的应用收不到后台推送。"),
      advice: ("Open the app once; use a route with a sound file.", "打开一次应用；请使用声音文件的方式。")),
    row(
      .backgroundThrottled, ("Background push held back", "后台推送被限制"),
      cause: ("iOS lets through only two or three an hour.", "系统每小时只放行两三次。"),
      advice: ("Do not speak by background push.", "不要依赖后台推送播报。")),
    row(
      .alertTextRemoved, ("Changes were discarded", "修改被丢弃"),
      cause: ("Without alert text iOS ignores all changes of the extension.", "没有文字时，系统会忽略扩展的全部修改。"),
      advice: ("Keep the title or the body.", "保留标题或正文。")),
    row(
      .cutByBanner, ("Cut at the banner's end", "随横幅消失而中断"),
      cause: (
        "With the screen on, the sound stops when the banner goes, after about five seconds.", "亮屏时，横幅约五秒后消失，声音随之停止。"
      ),
      advice: ("Keep sentences under 5 seconds, or set the banner to Persistent.", "句子控制在 5 秒内，或把横幅设为“持续”。")),
    row(
      .cutByNewer, ("Cut by a newer sound", "被新的声音打断"),
      cause: ("With the screen on, a newer notification cuts the older sound.", "亮屏时，新通知会打断旧的声音。"),
      advice: ("Send spoken events through the extension, which keeps them apart.", "让播报事件经过扩展，扩展会错开播放。")),
    row(
      .fileNotPlayable, ("iOS could not play the file", "系统无法播放该文件"),
      cause: ("Format or encoding is not one that iOS plays.", "文件格式或编码不受系统支持。"),
      advice: ("Convert it with “aloud convert”.", "用 aloud convert 转换。")),
    row(
      .fileTooLong, ("File of 30 seconds or more", "文件达到 30 秒"),
      cause: ("iOS plays its default tone instead.", "系统改播默认提示音。"),
      advice: ("Keep files under 29 seconds.", "文件不要超过 29 秒。")),
    row(
      .fileNotFound, ("Sound file not found", "找不到声音文件"),
      cause: ("No file has exactly this name where iOS looks.", "系统查找的位置没有同名文件。"),
      advice: (
        "Check name, extension and App Group; put bundled sounds in the bundle's root.",
        "检查文件名、扩展名和 App Group；内置声音放在包的根目录。"
      )),
    row(
      .nameReused, ("Old sound under a reused name", "文件名重复，播放旧声音"),
      cause: ("iOS plays what it remembers under a name.", "系统会播放该文件名之前的内容。"),
      advice: ("Give each file a name of its own.", "每个文件使用唯一的名字。")),
    row(
      .replacedOffline, ("Replaced while offline", "离线时被替换"),
      cause: ("APNs keeps only one waiting notification for each app.", "离线时苹果只为每个应用保留一条推送。"),
      advice: ("The next push carries a summary.", "下一条推送会带上汇总。")),
    row(
      .expiredAtAPNs, ("Expired on the way", "途中过期"),
      cause: ("The phone came back after the push's expiration.", "手机恢复联网时，推送已过期。"),
      advice: ("Raise the expiration.", "放宽过期时间。")),
    row(
      .extensionNotStarted, ("The extension did not start", "扩展没有启动"),
      cause: ("The push was not an alert with text and mutable-content 1.", "推送不是带文字且 mutable-content 为 1 的通知。"),
      advice: ("Check the payload with “aloud lint”.", "用 aloud lint 检查推送。")),
    row(
      .passiveLevel, ("Passive level", "被动级别"),
      cause: ("Notifications of the passive level make no sound.", "被动级别的通知不发声。"),
      advice: ("Use active or time-sensitive.", "使用 active 或 time-sensitive。")),
    row(
      .collapsed, ("Replaced by a resend", "被重发替换"),
      cause: ("A push with the same collapse id took its place.", "相同 collapse id 的推送替换了它。"),
      advice: ("Nothing to do.", "无需处理。")),
    row(
      .backgroundRefreshOff, ("Background refresh is off", "后台刷新已关闭"),
      cause: ("The user or Low Power Mode switched it off.", "用户或低电量模式关闭了后台刷新。"),
      advice: ("Use a route with a sound file.", "请使用声音文件的方式。")),
  ]

  static let speech: [Row] = [
    row(
      .appNotForeground, ("The app was not in front", "应用不在前台"),
      cause: ("iOS lets no app begin to speak in the background.", "系统不允许应用在后台开始说话。"),
      advice: ("Use clips or download, which need no running app.", "使用拼接或下载方式，无需应用运行。")),
    row(
      .audioSessionRefused, ("Audio refused", "音频被拒绝"),
      cause: ("iOS did not give the app the loudspeaker.", "系统没有把扬声器交给应用。"),
      advice: ("The event falls back to a notification with sound.", "已改用带声音的通知。")),
    row(
      .speechInterrupted, ("Interrupted", "被打断"),
      cause: ("A call, Siri or an alarm interrupted the speech.", "来电、Siri 或闹钟打断了播报。"),
      advice: ("Replay it from the app's list.", "在应用列表里重播。")),
    row(
      .callActive, ("A call is active", "正在通话"), cause: ("The app does not speak into a phone call.", "通话时不播报。"),
      advice: ("Replay it later.", "稍后重播。")),
    row(
      .voiceMissing, ("Voice missing", "缺少语音"), cause: ("The phone has no voice for this language.", "手机没有该语言的语音。"),
      advice: ("Settings → Accessibility → Spoken Content → Voices.", "设置 → 辅助功能 → 朗读内容 → 声音。")),
    row(
      .synthesizerSilent, ("The synthesizer did not start", "语音合成没有开始"),
      cause: ("iOS gave no sign that it began to speak in time.", "系统没有在限定时间内开始朗读。"),
      advice: ("The event falls back to a notification with sound.", "已改用带声音的通知。")),
  ]

  static let clock: [Row] = [
    row(
      .tooManyClockTimes, ("Too many times", "时刻过多"),
      cause: ("iOS keeps at most 64 waiting notifications for an app.", "系统最多为一个应用保留 64 条待发通知。"),
      advice: ("Use half hours, or a shorter part of the day.", "改为半点报时，或缩短报时时段。")),
    row(
      .clockTimeOutsideWindow, ("Outside the active hours", "不在报时时段"),
      cause: ("The clock speaks only in its active hours.", "只在设定的时段内报时。"),
      advice: ("Widen the active hours.", "放宽报时时段。")),
    row(
      .pendingLimitReached, ("No room for the clock", "没有空位安排报时"),
      cause: ("The app's other waiting notifications leave too few of the 64 places.", "应用的其他待发通知占用了 64 个名额。"),
      advice: ("Remove some reminders, or use fewer clock times.", "减少提醒，或减少报时次数。")),
  ]
}
