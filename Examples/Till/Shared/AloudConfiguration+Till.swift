import AloudKit

extension AloudConfiguration {
  /// What app and extension share.
  ///
  /// Put in your own App Group, server and key; the key may register phones and nothing else.
  nonisolated static let till = AloudConfiguration(
    appGroup: "group.com.example.till", server: "https://push.example.com", locale: "zh-CN",
    fallbackSound: "fallback.caf", deviceKey: nil)
}
