/// Names of the sound files that the extension writes.
///
/// A name is never used again with other content: iOS plays what it remembers under a name, even after the file was
/// overwritten (field report: github.com/patricks/PushNotificationSoundSwitch).
public enum SoundFileName {
  /// What every file of ours begins with.
  public static let prefix = "aloud-"
  /// What a file is called while it is being written; iOS never sees it under its final name half done.
  public static let temporaryPrefix = ".aloud-"

  /// The name for one sentence: unique for event, phrase and handling.
  ///
  /// - Parameters:
  ///   - eventKey: The ledger key of the event whose notification plays it.
  ///   - text: What is said, or where it comes from.
  ///   - nonce: Something that no other handling has, for example a UUID.
  ///   - suffix: The container's extension without a dot; iOS finds a name without one unreliably.
  public static func make(eventKey: String, text: String, nonce: String, suffix: String = "caf") -> String {
    prefix + hash("\(nonce)\u{0}\(eventKey)\u{0}\(text)") + "." + suffix
  }

  /// The name of a talking clock's file, which says the same for ever and so may keep its name.
  public static func clock(voice: String, text: String, suffix: String = "caf") -> String {
    prefix + "clock-" + hash("\(voice)\u{0}\(text)") + "." + suffix
  }

  /// Where the file called `name` is written before it is renamed.
  public static func temporary(for name: String) -> String {
    temporaryPrefix + name.dropFirst(name.hasPrefix(prefix) ? prefix.count : 0) + ".part"
  }

  /// 128 bits of FNV-1a in hexadecimal, in two passes with different starts: enough to keep names apart, no secret.
  ///
  /// Source: draft-eastlake-fnv.
  package static func hash(_ text: String) -> String {
    func pass(_ start: UInt64) -> String {
      var value = start
      for byte in text.utf8 { value = (value ^ UInt64(byte)) &* 0x100_0000_01b3 }
      let digits = String(value, radix: 16)
      return String(repeating: "0", count: 16 - digits.count) + digits
    }
    return pass(0xcbf2_9ce4_8422_2325) + pass(0x6c62_272e_07bb_0142)
  }
}
