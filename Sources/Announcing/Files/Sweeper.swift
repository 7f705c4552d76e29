/// A sound file as the sweeper sees it.
public struct StoredSound: Hashable, Sendable {
  /// The file's name without its folder.
  public var name: String
  /// When it was written, UNIX seconds.
  public var modifiedUnixSeconds: Double

  /// Makes an entry.
  public init(name: String, modifiedUnixSeconds: Double) {
    (self.name, self.modifiedUnixSeconds) = (name, modifiedUnixSeconds)
  }
}

/// Chooses which of our sound files are removed: by age and by count, never one that may still be played.
public struct Sweeper: Hashable, Sendable {
  /// A file younger than this stays, whatever the count.
  ///
  /// Default: 60 s.
  public var youngestSeconds: Double
  /// A file older than this goes.
  ///
  /// Default: one day.
  public var oldestSeconds: Double
  /// At most so many files stay, as far as their youth allows.
  ///
  /// Default: 64.
  public var maximumCount: Int
  /// A file that was never finished goes after this.
  ///
  /// Default: 10 minutes.
  public var unfinishedSeconds: Double

  /// Makes a sweeper; each argument left out keeps its default.
  public init(
    youngestSeconds: Double = 60, oldestSeconds: Double = 86_400, maximumCount: Int = 64,
    unfinishedSeconds: Double = 600
  ) {
    (self.youngestSeconds, self.oldestSeconds) = (youngestSeconds, oldestSeconds)
    (self.maximumCount, self.unfinishedSeconds) = (maximumCount, unfinishedSeconds)
  }

  /// The names to remove, oldest first.
  ///
  /// Files of others, of the talking clock, and files whose date lies in the future (the clock was set back) stay.
  public func removals(in files: [StoredSound], nowUnixSeconds now: Double, keeping kept: Set<String> = []) -> [String]
  {
    let ours = files.filter { isOurs($0.name) && !kept.contains($0.name) }
      .sorted { ($0.modifiedUnixSeconds, $0.name) < ($1.modifiedUnixSeconds, $1.name) }
    var excess = ours.filter { !isUnfinished($0.name) }.count - maximumCount
    var names: [String] = []
    for file in ours {
      let age = now - file.modifiedUnixSeconds
      if isUnfinished(file.name) {
        if age > unfinishedSeconds { names.append(file.name) }
        continue
      }
      guard age >= youngestSeconds, age > oldestSeconds || excess > 0 else { continue }
      names.append(file.name)
      excess -= 1
    }
    return names
  }

  private func isUnfinished(_ name: String) -> Bool { name.hasPrefix(SoundFileName.temporaryPrefix) }

  private func isOurs(_ name: String) -> Bool {
    if isUnfinished(name) { return true }
    return name.hasPrefix(SoundFileName.prefix) && !name.hasPrefix(SoundFileName.prefix + "clock-")
  }
}
