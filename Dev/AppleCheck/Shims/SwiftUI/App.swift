import UIKit

// https://developer.apple.com/documentation/swiftui/scene
@available(iOS 14, *)
@MainActor @preconcurrency
public protocol Scene {
  associatedtype Body: Scene
  @SceneBuilder @MainActor @preconcurrency var body: Body { get }
}

@available(iOS 14, *)
extension Never: Scene {}

// https://developer.apple.com/documentation/swiftui/scenebuilder
@available(iOS 14, *)
@resultBuilder
public struct SceneBuilder {
  public static func buildBlock<Content>(_ content: Content) -> Content where Content: Scene { content }
  public static func buildExpression<Content>(_ content: Content) -> Content where Content: Scene { content }
}

// https://developer.apple.com/documentation/swiftui/windowgroup
@available(iOS 14, *)
public struct WindowGroup<Content>: Scene where Content: View {
  /// For tests: the first view.
  public let shimContent: Content
  public init(@ViewBuilder content: () -> Content) { shimContent = content() }
  public var body: Never { return preconditionFailure("a leaf scene has no body") }
}

// https://developer.apple.com/documentation/swiftui/app
@available(iOS 14, *)
@MainActor @preconcurrency
public protocol App {
  associatedtype Body: Scene
  @SceneBuilder @MainActor @preconcurrency var body: Body { get }
  @MainActor @preconcurrency init()
}

@available(iOS 14, *)
extension App {
  @MainActor @preconcurrency
  public static func main() { _ = Self().body }
}

// https://developer.apple.com/documentation/swiftui/uiapplicationdelegateadaptor
@available(iOS 14, *)
@MainActor @preconcurrency
@propertyWrapper
public struct UIApplicationDelegateAdaptor<DelegateType>
where DelegateType: NSObject, DelegateType: UIApplicationDelegate {
  public init(_ delegateType: DelegateType.Type = DelegateType.self) {}
  public var wrappedValue: DelegateType {
    guard let delegate = ShimAppDelegate.shimCurrent as? DelegateType else {
      preconditionFailure("the test has set no ShimAppDelegate.shimCurrent")
    }
    return delegate
  }
}

/// For tests: the app's delegate, which on a phone UIKit makes.
@MainActor
public enum ShimAppDelegate {
  public static var shimCurrent: NSObject?
}
