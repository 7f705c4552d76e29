#if canImport(UserNotifications)
  package import Announcing
  import ExactJSON
  import Foundation

  /// The phone's ``Announcing/HearingState`` in the App Group: two copies of one small file under a lock.
  ///
  /// Each copy is written whole under another name and then renamed, so that a killed process leaves the one before. The second
  /// copy is for a file that was damaged otherwise: it holds the same, so nothing that was said is forgotten and said again.
  package final class HearingFile: SharedState {
    private let folder: AppGroupFolder?
    private let lock: FileLock

    /// The state of an App Group.
    ///
    /// - Parameter folder: `nil` where there is no App Group: then nothing can be shared, and each update says so.
    package init(folder: AppGroupFolder?) {
      self.folder = folder
      lock = FileLock(path: folder?.file("hearing.lock").path ?? "")
    }

    package func update<Result: Sendable>(
      _ body: (inout HearingState) -> Result
    ) throws(SharedStateError) -> Result {
      guard let folder else { throw .noAppGroup }
      return try lock.withLock { () throws(SharedStateError) -> Result in
        var state = try HearingFile.read(folder)
        let before = state
        let result = body(&state)
        if state != before { try HearingFile.write(state, folder) }
        return result
      }
    }

    /// Begins a new state in place of one of which both copies are damaged; does nothing if there is a good one.
    ///
    /// - Parameter decided: What is known to have been decided, from the notifications that are still shown.
    func beginAnew(_ decided: [Ledger.Entry]) throws(SharedStateError) {
      guard let folder else { throw .noAppGroup }
      try lock.withLock { () throws(SharedStateError) in
        guard try HearingFile.isDamaged(folder) else { return }
        var state = HearingState()
        for entry in decided { state.decide(entry.key, entry.code) }
        try HearingFile.write(state, folder)
      }
    }

    // MARK: Files, under the lock

    private static let names = ["hearing.json", "hearing.copy.json"]

    private static func read(_ folder: AppGroupFolder) throws(SharedStateError) -> HearingState {
      var isDamaged = false
      for name in names {
        guard let bytes = try bytes(at: folder.file(name).path) else { continue }
        if let state = (try? JSON.parse(bytes)).flatMap({ HearingState($0) }) { return state }
        isDamaged = true
      }
      if isDamaged { throw .damaged }
      return HearingState()
    }

    private static func isDamaged(_ folder: AppGroupFolder) throws(SharedStateError) -> Bool {
      do {
        _ = try read(folder)
        return false
      } catch {
        guard error == .damaged else { throw error }
        return true
      }
    }

    /// The file's content, or `nil` if there is no such file.
    private static func bytes(at path: String) throws(SharedStateError) -> [UInt8]? {
      let file = open(path, O_RDONLY | O_CLOEXEC)
      guard file >= 0 else {
        if errno == ENOENT { return nil }
        throw SharedStateError(errno: errno)
      }
      close(file)
      guard let data = FileManager.default.contents(atPath: path) else { return [] }
      return Array(data)
    }

    private static func write(_ state: HearingState, _ folder: AppGroupFolder) throws(SharedStateError) {
      let bytes = Array(state.json.serialized().utf8)
      for name in names {
        do {
          try folder.write(bytes, to: folder.file(name), temporaryName: "." + name + ".part")
        } catch {
          throw .notWritten
        }
      }
    }
  }
#endif
