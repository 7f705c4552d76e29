#if canImport(SwiftUI) && canImport(UserNotifications) && canImport(UIKit) && canImport(AVFAudio)
  import Announcing
  import Foundation
  public import SwiftUI

  /// The self-test as a list: each finding with its reason, what to do, and a button that plays a test sentence.
  ///
  /// Texts are in Chinese for a phone whose first language is Chinese, else in English.
  @available(iOSApplicationExtension, unavailable)
  public struct SelfTestView: View {
    private let test: SelfTest
    private let language: String
    @State private var findings: [SelfTestFinding] = []
    @State private var isRunning = false
    @State private var played: ReasonCode?

    /// Shows a self-test.
    ///
    /// - Parameters:
    ///   - test: What is tested; keep it for the life of the screen.
    ///   - language: The language of the texts; `nil` for the phone's own.
    public init(_ test: SelfTest, language: String? = nil) {
      self.test = test
      self.language = language ?? Locale.preferredLanguages.first ?? "en"
    }

    public var body: some View {
      List {
        Section {
          ForEach(findings) { finding in FindingRow(finding: finding, language: language) }
        }
        Section {
          Button(action: play) { Text(verbatim: words("Play a test sentence in 3 seconds", "3 秒后播放测试语句")) }
          if let played { Text(verbatim: "\(played.rawValue)  \(played.entry.title.text(language))") }
          Button(action: refresh) { Text(verbatim: words("Test again", "重新检测")) }.disabled(isRunning)
        }
      }
      .task { await run() }
    }

    private func words(_ english: String, _ chinese: String) -> String { ReasonText(english, chinese).text(language) }

    private func play() {
      Task { played = await test.playSentence() }
    }

    private func refresh() {
      Task { await run() }
    }

    private func run() async {
      guard !isRunning else { return }
      isRunning = true
      findings = await test.run()
      isRunning = false
    }
  }

  /// One finding.
  private struct FindingRow: View {
    let finding: SelfTestFinding
    let language: String

    var body: some View {
      HStack(alignment: .firstTextBaseline, spacing: 12) {
        Image(systemName: symbol).foregroundColor(colour).accessibilityHidden(true)
        VStack(alignment: .leading, spacing: 4) {
          Text(verbatim: finding.title(language)).font(.headline)
          if let code = finding.code {
            Text(verbatim: finding.cause(language)).font(.footnote)
            Text(verbatim: finding.advice(language)).font(.body)
            Text(verbatim: code.rawValue).font(.footnote).foregroundColor(.secondary)
          }
        }
      }
      .accessibilityElement(children: .combine)
    }

    private var symbol: String {
      switch finding.verdict {
      case .good: "checkmark.circle.fill"
      case .bad: "xmark.octagon.fill"
      case .hint: "questionmark.circle"
      }
    }

    private var colour: Color {
      switch finding.verdict {
      case .good: .green
      case .bad: .red
      case .hint: .orange
      }
    }
  }
#endif
