// For the test of the lint: a framework of which one symbol is in the test's table, one is too new, and one is invented.

@available(iOS 13, *)
public enum PlantedPlayer {
  public static func play() {}
  public static func invented() {}
  @available(iOS 26, *)
  public static func muted() {}
}

@available(iOS 17, *)
public struct PlantedVoice: Sendable {
  public init() {}
}
