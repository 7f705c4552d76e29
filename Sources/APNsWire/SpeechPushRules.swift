package import PushPayload

/// Which push types may carry speech, and for the others why not.
package enum SpeechPushRules {
  /// Nil when the type may be used; otherwise what is wrong and what to do instead.
  package static func refusal(_ type: PushType) -> String? {
    switch type {
    case .alert, .background: nil
    case .voip:
      "A VoIP push must report an incoming call at once (CallKit); iOS ends apps that do not and stops delivering to them, and App "
        + "Review rejects it for announcements. Use alert with mutable-content."
    case .pushtotalk:
      "Push to talk is for live speech between people in a joined channel and needs Apple's entitlement. Use alert with mutable-content."
    case .location:
      "A location push starts a location extension that cannot play sound. Use alert with mutable-content."
    case .liveactivity: "A Live Activity update is not heard. Use alert, and update the activity beside it."
    case .widgets, .controls: "A widget or control push only reloads what is drawn. Use alert with mutable-content."
    case .complication: "A complication push goes to watch faces and is not heard. Use alert with mutable-content."
    case .fileprovider: "A file-provider push signals changed files and is not heard. Use alert with mutable-content."
    case .mdm: "An MDM push wakes device management, not an app. Use alert with mutable-content."
    }
  }
}
