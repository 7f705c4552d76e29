import Combine

/// Makes a voice pack of the phone's own voice, so that payments are said in it.
@MainActor
final class PhoneVoice: ObservableObject {
  /// How far it is.
  enum State: Equatable {
    case idle
    case working(done: Int, total: Int)
    case ready
    case failed(String)
  }

  /// Makes the pack, telling how many of how many units are done.
  typealias Work = @MainActor (_ report: @MainActor (Int, Int) -> Void) async throws -> Void

  @Published private(set) var state = State.idle
  private let work: Work

  init(_ work: @escaping Work) { self.work = work }

  var isWorking: Bool { if case .working = state { true } else { false } }

  /// Begins, or goes on where it stopped.
  func make() async {
    guard !isWorking else { return }
    state = .working(done: 0, total: 0)
    do {
      try await work { self.state = .working(done: $0, total: $1) }
      state = .ready
    } catch {
      state = .failed("\(error)")
    }
  }
}
