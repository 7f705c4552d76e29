// Room: as much of SwiftUI as the self-test view and the examples use, for building on Linux. It draws nothing.
// https://developer.apple.com/documentation/swiftui
@_exported import Foundation

@available(iOS 13, *)
@MainActor @preconcurrency
public protocol View {
  associatedtype Body: View
  @ViewBuilder @MainActor var body: Body { get }
}

extension Never: View {
  public var body: Never { return preconditionFailure("a leaf view has no body") }
}

@available(iOS 13, *)
public protocol ShimLeaf: View where Body == Never {}
extension ShimLeaf {
  public var body: Never { return preconditionFailure("a leaf view has no body") }
}

@available(iOS 13, *)
@resultBuilder
public enum ViewBuilder {
  public static func buildBlock() -> EmptyView { EmptyView() }
  public static func buildBlock<Content: View>(_ content: Content) -> Content { content }
  @_disfavoredOverload
  public static func buildBlock<each Content: View>(_ content: repeat each Content) -> TupleView<repeat each Content> {
    TupleView(repeat each content)
  }
  public static func buildIf<Content: View>(_ content: Content?) -> ShimOptional<Content> { ShimOptional(content) }
  public static func buildEither<A: View, B: View>(first: A) -> ShimEither<A, B> { .first(first) }
  public static func buildEither<A: View, B: View>(second: B) -> ShimEither<A, B> { .second(second) }
  public static func buildLimitedAvailability<Content: View>(_ content: Content) -> Content { content }
}

public struct EmptyView: ShimLeaf { public nonisolated init() {} }
public struct TupleView<each Content: View>: ShimLeaf {
  let content: (repeat each Content)
  nonisolated init(_ content: repeat each Content) { self.content = (repeat each content) }
}
public struct ShimOptional<Content: View>: ShimLeaf {
  let content: Content?
  nonisolated init(_ content: Content?) { self.content = content }
}
public enum ShimEither<A: View, B: View>: ShimLeaf {
  case first(A)
  case second(B)
}

public struct Text: ShimLeaf {
  public let shimText: String
  public init(_ key: LocalizedStringKey) { shimText = key.text }
  @_disfavoredOverload
  public init<S: StringProtocol>(_ content: S) { shimText = String(content) }
  public init(verbatim content: String) { shimText = content }
}

public struct LocalizedStringKey: ExpressibleByStringInterpolation, Equatable {
  let text: String
  public init(_ value: String) { text = value }
  public init(stringLiteral value: String) { text = value }
}

public struct Label<Title: View, Icon: View>: ShimLeaf {
  public init(@ViewBuilder title: () -> Title, @ViewBuilder icon: () -> Icon) {}
}
extension Label where Title == Text, Icon == Image {
  public init(_ titleKey: LocalizedStringKey, systemImage name: String) {}
  @_disfavoredOverload
  public init<S: StringProtocol>(_ title: S, systemImage name: String) {}
}
public struct Image: ShimLeaf { public init(systemName: String) {} }
public struct Spacer: ShimLeaf { public init() {} }
public struct Divider: ShimLeaf { public init() {} }
public struct ProgressView: ShimLeaf { public init() {} }

public enum HorizontalAlignment { case leading, center, trailing }
public enum VerticalAlignment { case top, center, bottom, firstTextBaseline }

public struct VStack<Content: View>: ShimLeaf {
  public init(alignment: HorizontalAlignment = .center, spacing: CGFloat? = nil, @ViewBuilder content: () -> Content) {
    _ = content()
  }
}
public struct HStack<Content: View>: ShimLeaf {
  public init(alignment: VerticalAlignment = .center, spacing: CGFloat? = nil, @ViewBuilder content: () -> Content) {
    _ = content()
  }
}
public struct Form<Content: View>: ShimLeaf { public init(@ViewBuilder content: () -> Content) { _ = content() } }
public struct Group<Content: View>: ShimLeaf { public init(@ViewBuilder content: () -> Content) { _ = content() } }
public struct NavigationView<Content: View>: ShimLeaf {
  public init(@ViewBuilder content: () -> Content) { _ = content() }
}
public struct TabView<Content: View>: ShimLeaf { public init(@ViewBuilder content: () -> Content) { _ = content() } }
public struct List<Content: View>: ShimLeaf { public init(@ViewBuilder content: () -> Content) { _ = content() } }

public struct Section<Content: View>: ShimLeaf {
  public init(_ titleKey: LocalizedStringKey, @ViewBuilder content: () -> Content) { _ = content() }
  public init(@ViewBuilder content: () -> Content) { _ = content() }
}

public struct ForEach<Data: RandomAccessCollection, ID: Hashable, Content: View>: ShimLeaf {
  public init(_ data: Data, id: KeyPath<Data.Element, ID>, @ViewBuilder content: @escaping (Data.Element) -> Content) {
    for element in data { _ = content(element) }
  }
}
extension ForEach where Data.Element: Identifiable, ID == Data.Element.ID {
  public init(_ data: Data, @ViewBuilder content: @escaping (Data.Element) -> Content) {
    for element in data { _ = content(element) }
  }
}

public struct Button<Label: View>: ShimLeaf {
  public init(action: @escaping @MainActor () -> Void, @ViewBuilder label: () -> Label) { _ = label() }
}
extension Button where Label == Text {
  public init(_ titleKey: LocalizedStringKey, action: @escaping @MainActor () -> Void) {}
}
public struct NavigationLink<Label: View, Destination: View>: ShimLeaf {
  public init(@ViewBuilder destination: () -> Destination, @ViewBuilder label: () -> Label) {
    _ = destination()
    _ = label()
  }
}
extension NavigationLink where Label == Text {
  public init(_ titleKey: LocalizedStringKey, @ViewBuilder destination: () -> Destination) { _ = destination() }
}
public struct Toggle<Label: View>: ShimLeaf {}
extension Toggle where Label == Text {
  public init(_ titleKey: LocalizedStringKey, isOn: Binding<Bool>) {}
}
public struct Stepper<Label: View>: ShimLeaf {}
extension Stepper where Label == Text {
  public init<V: Strideable>(_ titleKey: LocalizedStringKey, value: Binding<V>, in bounds: ClosedRange<V>) {}
}
public struct Picker<Label: View, Selection: Hashable, Content: View>: ShimLeaf {}
extension Picker where Label == Text {
  public init(_ titleKey: LocalizedStringKey, selection: Binding<Selection>, @ViewBuilder content: () -> Content) {
    _ = content()
  }
}
public struct TextField<Label: View>: ShimLeaf {}
extension TextField where Label == Text {
  public init(_ titleKey: LocalizedStringKey, text: Binding<String>) {}
}

@propertyWrapper @dynamicMemberLookup
public struct Binding<Value> {
  let get: () -> Value
  let set: (Value) -> Void
  public init(get: @escaping () -> Value, set: @escaping (Value) -> Void) { (self.get, self.set) = (get, set) }
  public var wrappedValue: Value {
    get { get() }
    nonmutating set { set(newValue) }
  }
  public var projectedValue: Binding<Value> { self }
  public subscript<Member>(dynamicMember path: WritableKeyPath<Value, Member>) -> Binding<Member> {
    Binding<Member>(
      get: { get()[keyPath: path] },
      set: { member in
        var value = get()
        value[keyPath: path] = member
        set(value)
      })
  }
  public static func constant(_ value: Value) -> Binding<Value> { Binding(get: { value }, set: { _ in }) }
}

final class ShimBox<Value> {
  var value: Value
  init(_ value: Value) { self.value = value }
}

@propertyWrapper
public struct State<Value> {
  private let box: ShimBox<Value>
  public init(wrappedValue: Value) { box = ShimBox(wrappedValue) }
  public var wrappedValue: Value {
    get { box.value }
    nonmutating set { box.value = newValue }
  }
  public var projectedValue: Binding<Value> {
    let box = box
    return Binding(get: { box.value }, set: { box.value = $0 })
  }
}

// Combine's ObservableObject, as SwiftUI re-exports it.
public protocol ObservableObject: AnyObject {}
@propertyWrapper
public struct Published<Value> {
  public init(wrappedValue: Value) { self.wrappedValue = wrappedValue }
  public var wrappedValue: Value
}
@propertyWrapper @MainActor
public struct StateObject<Object: ObservableObject> {
  private let object: Object
  public nonisolated init(wrappedValue: @autoclosure () -> Object) { object = wrappedValue() }
  public var wrappedValue: Object { object }
  public var projectedValue: ObservedObject<Object>.Wrapper { ObservedObject(wrappedValue: object).projectedValue }
}
@propertyWrapper @MainActor
public struct ObservedObject<Object: ObservableObject> {
  private let object: Object
  public nonisolated init(wrappedValue: Object) { object = wrappedValue }
  public var wrappedValue: Object { object }
  public var projectedValue: Wrapper { Wrapper(object: object) }

  @dynamicMemberLookup @MainActor
  public struct Wrapper {
    let object: Object
    public subscript<Member>(dynamicMember path: ReferenceWritableKeyPath<Object, Member>) -> Binding<Member> {
      let object = object
      return Binding(get: { object[keyPath: path] }, set: { object[keyPath: path] = $0 })
    }
  }
}

public struct Color: ShimLeaf, Hashable, Sendable {
  let name: String
  public nonisolated static let primary = Color(name: "primary")
  public nonisolated static let secondary = Color(name: "secondary")
  public nonisolated static let green = Color(name: "green")
  public nonisolated static let orange = Color(name: "orange")
  public nonisolated static let red = Color(name: "red")
  public nonisolated static let white = Color(name: "white")
  public nonisolated static let accentColor = Color(name: "accent")
}

public struct Font: Hashable {
  let name: String
  public static let largeTitle = Font(name: "largeTitle")
  public static let title = Font(name: "title")
  public static let title2 = Font(name: "title2")
  public static let headline = Font(name: "headline")
  public static let body = Font(name: "body")
  public static let footnote = Font(name: "footnote")
  public enum Weight { case regular, semibold, bold, heavy }
  public enum Design { case `default`, rounded, monospaced }
  public static func system(size: CGFloat, weight: Weight = .regular, design: Design = .default) -> Font {
    Font(name: "system \(size)")
  }
  public func monospacedDigit() -> Font { self }
}

public struct ModifiedView<Content: View>: ShimLeaf {
  let content: Content
}

public struct AccessibilityTraits: OptionSet, Sendable {
  public let rawValue: Int
  public init(rawValue: Int) { self.rawValue = rawValue }
  public static let isHeader = Self(rawValue: 1)
  public static let updatesFrequently = Self(rawValue: 2)
}
public enum AccessibilityChildBehavior { case combine, ignore, contain }
public enum TextAlignment { case leading, center, trailing }
public enum Edge { public enum Set { case all, horizontal, vertical, top, bottom } }

extension View {
  public func font(_ font: Font?) -> ModifiedView<Self> { .init(content: self) }
  public func foregroundColor(_ color: Color?) -> ModifiedView<Self> { .init(content: self) }
  public func padding(_ length: CGFloat? = nil) -> ModifiedView<Self> { .init(content: self) }
  public func padding(_ edges: Edge.Set, _ length: CGFloat? = nil) -> ModifiedView<Self> { .init(content: self) }
  public func navigationTitle(_ titleKey: LocalizedStringKey) -> ModifiedView<Self> { .init(content: self) }
  public func task(_ action: @escaping @Sendable @MainActor () async -> Void) -> ModifiedView<Self> {
    .init(content: self)
  }
  public func refreshable(action: @escaping @Sendable @MainActor () async -> Void) -> ModifiedView<Self> {
    .init(content: self)
  }
  public func onAppear(perform action: (() -> Void)? = nil) -> ModifiedView<Self> { .init(content: self) }
  public func accessibilityLabel(_ label: Text) -> ModifiedView<Self> { .init(content: self) }
  public func accessibilityHidden(_ hidden: Bool) -> ModifiedView<Self> { .init(content: self) }
  public func accessibilityElement(children: AccessibilityChildBehavior = .ignore) -> ModifiedView<Self> {
    .init(content: self)
  }
  public func accessibilityAddTraits(_ traits: AccessibilityTraits) -> ModifiedView<Self> { .init(content: self) }
  public func multilineTextAlignment(_ alignment: TextAlignment) -> ModifiedView<Self> { .init(content: self) }
  public func minimumScaleFactor(_ factor: CGFloat) -> ModifiedView<Self> { .init(content: self) }
  public func lineLimit(_ number: Int?) -> ModifiedView<Self> { .init(content: self) }
  public func tabItem<V: View>(@ViewBuilder _ label: () -> V) -> ModifiedView<Self> { .init(content: self) }
  public func tag<V: Hashable>(_ tag: V) -> ModifiedView<Self> { .init(content: self) }
  public func disabled(_ disabled: Bool) -> ModifiedView<Self> { .init(content: self) }
}

@available(iOS 14, *)
@MainActor @preconcurrency
public protocol Scene {}

@available(iOS 14, *)
@resultBuilder
public enum SceneBuilder {
  public static func buildBlock<Content: Scene>(_ content: Content) -> Content { content }
}

@available(iOS 14, *)
public struct WindowGroup<Content: View>: Scene {
  public init(@ViewBuilder content: () -> Content) { _ = content() }
}

@available(iOS 14, *)
@MainActor @preconcurrency
public protocol App {
  associatedtype Body: Scene
  @SceneBuilder @MainActor var body: Body { get }
  init()
}
extension App {
  public static func main() { _ = Self().body }
}

@available(iOS 14, *)
public enum ScenePhase: Comparable, Hashable, Sendable {
  case background, inactive, active
}
