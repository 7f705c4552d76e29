import Foundation

// https://developer.apple.com/documentation/swiftui/accessibilitytraits
@available(iOS 13, *)
public struct AccessibilityTraits: OptionSet, Sendable {
  public let rawValue: UInt64
  public init(rawValue: UInt64) { self.rawValue = rawValue }
  public static let isHeader = Self(rawValue: 1)
  public static let updatesFrequently = Self(rawValue: 2)
}

// https://developer.apple.com/documentation/swiftui/accessibilitychildbehavior
@available(iOS 13, *)
public struct AccessibilityChildBehavior: Hashable, Sendable {
  let name: String
  public static let ignore = Self(name: "ignore")
  public static let contain = Self(name: "contain")
  public static let combine = Self(name: "combine")
}

// https://developer.apple.com/documentation/swiftui/textalignment
@available(iOS 13, *)
public enum TextAlignment: Hashable, Sendable {
  case leading
  case center
  case trailing
}

// https://developer.apple.com/documentation/swiftui/edge
@available(iOS 13, *)
public enum Edge: Int8, Sendable {
  case top
  case leading
  case bottom
  case trailing
  public struct Set: OptionSet, Sendable {
    public let rawValue: Int8
    public init(rawValue: Int8) { self.rawValue = rawValue }
    public static let top = Self(rawValue: 1)
    public static let leading = Self(rawValue: 2)
    public static let bottom = Self(rawValue: 4)
    public static let trailing = Self(rawValue: 8)
    public static let all = Self(rawValue: 15)
    public static let horizontal = Self(rawValue: 10)
    public static let vertical = Self(rawValue: 5)
  }
}

@available(iOS 13, *)
extension View {
  func shim(_ strings: [String] = []) -> ShimModified { ShimModified(shimChildren: [self], shimStrings: strings) }

  public func font(_ font: Font?) -> some View { shim() }
  public func foregroundColor(_ color: Color?) -> some View { shim() }
  public func padding(_ length: CGFloat) -> some View { shim() }
  public func padding(_ edges: Edge.Set = .all, _ length: CGFloat? = nil) -> some View { shim() }
  public func frame(
    minWidth: CGFloat? = nil, idealWidth: CGFloat? = nil, maxWidth: CGFloat? = nil, minHeight: CGFloat? = nil,
    idealHeight: CGFloat? = nil, maxHeight: CGFloat? = nil, alignment: Alignment = .center
  ) -> some View { shim() }
  @available(iOS 14, *)
  public func navigationTitle(_ titleKey: LocalizedStringKey) -> some View { shim([ShimCatalog.look(titleKey)]) }
  @available(iOS 15, *)
  public func task(
    priority: TaskPriority = .userInitiated, @_inheritActorContext _ action: @escaping @Sendable () async -> Void
  ) -> some View { shim() }
  @available(iOS 15, *)
  public func refreshable(action: @escaping @Sendable () async -> Void) -> some View { shim() }
  public func onAppear(perform action: (() -> Void)? = nil) -> some View { shim() }
  @available(iOS 14, *)
  public func accessibilityLabel(_ label: Text) -> some View { shim(label.shimStrings) }
  @available(iOS 14, *)
  public func accessibilityLabel(_ labelKey: LocalizedStringKey) -> some View { shim([ShimCatalog.look(labelKey)]) }
  @available(iOS 14, *)
  public func accessibilityHidden(_ hidden: Bool) -> some View { shim() }
  @available(iOS 13, *)
  public func accessibilityElement(children: AccessibilityChildBehavior = .ignore) -> some View { shim() }
  @available(iOS 14, *)
  public func accessibilityAddTraits(_ traits: AccessibilityTraits) -> some View { shim() }
  public func multilineTextAlignment(_ alignment: TextAlignment) -> some View { shim() }
  public func minimumScaleFactor(_ factor: CGFloat) -> some View { shim() }
  public func lineLimit(_ number: Int?) -> some View { shim() }
  public func tabItem<V>(@ViewBuilder _ label: () -> V) -> some View where V: View {
    ShimModified(shimChildren: [self, label()])
  }
  public func tag<V>(_ tag: V) -> some View where V: Hashable { shim() }
  public func disabled(_ disabled: Bool) -> some View { shim() }
}
