// Room: as much of Combine as SwiftUI's observed objects need.

// https://developer.apple.com/documentation/combine/observableobject
@available(iOS 13, *)
public protocol ObservableObject: AnyObject {}

// https://developer.apple.com/documentation/combine/published
@available(iOS 13, *)
@propertyWrapper
public struct Published<Value> {
  public init(wrappedValue: Value) { self.wrappedValue = wrappedValue }
  public var wrappedValue: Value
}
