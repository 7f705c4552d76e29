import Foundation

// https://developer.apple.com/documentation/swiftui/localizedstringkey
@available(iOS 13, *)
public struct LocalizedStringKey: Equatable, ExpressibleByStringInterpolation {
  /// For tests: the key as it stands in a string catalog.
  public let shimKey: String
  let shown: String

  public init(_ value: String) { (shimKey, shown) = (value, value) }
  public init(stringLiteral value: String) { (shimKey, shown) = (value, value) }
  public init(stringInterpolation: StringInterpolation) {
    (shimKey, shown) = (stringInterpolation.key, stringInterpolation.shown)
  }

  public struct StringInterpolation: StringInterpolationProtocol {
    var key = ""
    var shown = ""
    public init(literalCapacity: Int, interpolationCount: Int) {}
    public mutating func appendLiteral(_ literal: String) {
      key += literal
      shown += literal
    }
    public mutating func appendInterpolation(_ string: String) {
      key += "%@"
      shown += string
    }
    public mutating func appendInterpolation<T>(_ value: T) where T: _FormatSpecifiable {
      key += T.self == Int.self ? "%lld" : "%lf"
      shown += "\(value)"
    }
  }
}

/// What can stand in a localized key besides text.
@available(iOS 13, *)
public protocol _FormatSpecifiable {}
@available(iOS 13, *)
extension Int: _FormatSpecifiable {}
@available(iOS 13, *)
extension Double: _FormatSpecifiable {}

// https://developer.apple.com/documentation/swiftui/text
@available(iOS 13, *)
public struct Text: ShimLeaf {
  public let shimStrings: [String]
  public init(
    _ key: LocalizedStringKey, tableName: String? = nil, bundle: Bundle? = nil, comment: StaticString? = nil
  ) { shimStrings = [ShimCatalog.look(key)] }
  @_disfavoredOverload
  public init<S>(_ content: S) where S: StringProtocol { shimStrings = [String(content)] }
  public init(verbatim content: String) { shimStrings = [content] }
}

/// For tests: the keys that views asked for.
public enum ShimCatalog {
  // Guarded by the lock.
  private nonisolated(unsafe) static var seen: Set<String> = []
  private static let lock = NSLock()
  public static var shimKeys: Set<String> { lock.withLock { seen } }
  static func look(_ key: LocalizedStringKey) -> String {
    lock.withLock { _ = seen.insert(key.shimKey) }
    return key.shown
  }
}

// https://developer.apple.com/documentation/swiftui/label
@available(iOS 14, *)
public struct Label<Title, Icon>: ShimLeaf where Title: View, Icon: View {
  public let shimChildren: [any View]
  public init(@ViewBuilder title: () -> Title, @ViewBuilder icon: () -> Icon) { shimChildren = [title(), icon()] }
}

@available(iOS 14, *)
extension Label where Title == Text, Icon == Image {
  public init(_ titleKey: LocalizedStringKey, systemImage name: String) { shimChildren = [Text(titleKey)] }
  @_disfavoredOverload
  public init<S>(_ title: S, systemImage name: String) where S: StringProtocol { shimChildren = [Text(title)] }
}

// https://developer.apple.com/documentation/swiftui/image
@available(iOS 13, *)
public struct Image: ShimLeaf {
  public init(systemName: String) {}
}

// https://developer.apple.com/documentation/swiftui/progressview
@available(iOS 14, *)
public struct ProgressView<Label, CurrentValueLabel>: ShimLeaf where Label: View, CurrentValueLabel: View {}

@available(iOS 14, *)
extension ProgressView where CurrentValueLabel == EmptyView {
  public init() where Label == EmptyView {}
  public init<V>(value: V?, total: V = 1.0) where Label == EmptyView, V: BinaryFloatingPoint {}
}

// https://developer.apple.com/documentation/swiftui/color
@available(iOS 13, *)
public struct Color: ShimLeaf, Hashable, Sendable {
  let name: String
  public nonisolated static let primary = Color(name: "primary")
  public nonisolated static let secondary = Color(name: "secondary")
  public nonisolated static let green = Color(name: "green")
  public nonisolated static let orange = Color(name: "orange")
  public nonisolated static let red = Color(name: "red")
  public nonisolated static let white = Color(name: "white")
  public nonisolated static var accentColor: Color { Color(name: "accent") }
}

// https://developer.apple.com/documentation/swiftui/font
@available(iOS 13, *)
public struct Font: Hashable, Sendable {
  let name: String
  public static let largeTitle = Font(name: "largeTitle")
  public static let title = Font(name: "title")
  @available(iOS 14, *)
  public static let title2 = Font(name: "title2")
  public static let headline = Font(name: "headline")
  public static let body = Font(name: "body")
  public static let footnote = Font(name: "footnote")
  public struct Weight: Hashable, Sendable {
    let value: Int
    public static let regular = Weight(value: 4)
    public static let semibold = Weight(value: 6)
    public static let bold = Weight(value: 7)
    public static let heavy = Weight(value: 8)
  }
  public enum Design: Hashable, Sendable {
    case `default`
    case serif
    case rounded
    case monospaced
  }
  public static func system(size: CGFloat, weight: Font.Weight = .regular, design: Font.Design = .default) -> Font {
    Font(name: "system \(size)")
  }
  public func monospacedDigit() -> Font { self }
}
