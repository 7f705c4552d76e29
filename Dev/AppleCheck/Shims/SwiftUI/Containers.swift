import Foundation

// https://developer.apple.com/documentation/swiftui/horizontalalignment
@available(iOS 13, *)
public struct HorizontalAlignment: Equatable, Sendable {
  let name: String
  public static let leading = Self(name: "leading")
  public static let center = Self(name: "center")
  public static let trailing = Self(name: "trailing")
}

// https://developer.apple.com/documentation/swiftui/verticalalignment
@available(iOS 13, *)
public struct VerticalAlignment: Equatable, Sendable {
  let name: String
  public static let top = Self(name: "top")
  public static let center = Self(name: "center")
  public static let bottom = Self(name: "bottom")
  public static let firstTextBaseline = Self(name: "firstTextBaseline")
}

// https://developer.apple.com/documentation/swiftui/alignment
@available(iOS 13, *)
public struct Alignment: Equatable, Sendable {
  let name: String
  public static let center = Self(name: "center")
  public static let leading = Self(name: "leading")
}

@available(iOS 13, *)
public struct Spacer: ShimLeaf {
  public init(minLength: CGFloat? = nil) {}
}

@available(iOS 13, *)
public struct Divider: ShimLeaf {
  public init() {}
}

// https://developer.apple.com/documentation/swiftui/vstack
@available(iOS 13, *)
public struct VStack<Content>: ShimLeaf where Content: View {
  public let shimChildren: [any View]
  public init(alignment: HorizontalAlignment = .center, spacing: CGFloat? = nil, @ViewBuilder content: () -> Content) {
    shimChildren = [content()]
  }
}

// https://developer.apple.com/documentation/swiftui/hstack
@available(iOS 13, *)
public struct HStack<Content>: ShimLeaf where Content: View {
  public let shimChildren: [any View]
  public init(alignment: VerticalAlignment = .center, spacing: CGFloat? = nil, @ViewBuilder content: () -> Content) {
    shimChildren = [content()]
  }
}

// https://developer.apple.com/documentation/swiftui/form
@available(iOS 13, *)
public struct Form<Content>: ShimLeaf where Content: View {
  public let shimChildren: [any View]
  public init(@ViewBuilder content: () -> Content) { shimChildren = [content()] }
}

// https://developer.apple.com/documentation/swiftui/group
@available(iOS 13, *)
public struct Group<Content>: ShimLeaf where Content: View {
  public let shimChildren: [any View]
  public init(@ViewBuilder content: () -> Content) { shimChildren = [content()] }
}

// https://developer.apple.com/documentation/swiftui/navigationview (the newer NavigationStack needs iOS 16)
@available(iOS 13, *)
public struct NavigationView<Content>: ShimLeaf where Content: View {
  public let shimChildren: [any View]
  public init(@ViewBuilder content: () -> Content) { shimChildren = [content()] }
}

// https://developer.apple.com/documentation/swiftui/tabview
@available(iOS 13, *)
public struct TabView<SelectionValue, Content>: ShimLeaf where SelectionValue: Hashable, Content: View {
  public let shimChildren: [any View]
}

@available(iOS 13, *)
extension TabView where SelectionValue == Int {
  public init(@ViewBuilder content: () -> Content) { shimChildren = [content()] }
}

// https://developer.apple.com/documentation/swiftui/list
@available(iOS 13, *)
public struct List<SelectionValue, Content>: ShimLeaf where SelectionValue: Hashable, Content: View {
  public let shimChildren: [any View]
}

@available(iOS 13, *)
extension List where SelectionValue == Never {
  public init(@ViewBuilder content: () -> Content) { shimChildren = [content()] }
}

// https://developer.apple.com/documentation/swiftui/section
@available(iOS 13, *)
public struct Section<Parent, Content, Footer> {
  let children: [any View]
}

@available(iOS 13, *)
extension Section: View where Parent: View, Content: View, Footer: View {
  public var body: Never { return preconditionFailure("a leaf view has no body") }
}

@available(iOS 13, *)
extension Section: ShimLeaf where Parent: View, Content: View, Footer: View {
  public var shimChildren: [any View] { children }
}

@available(iOS 15, *)
extension Section where Parent: View, Content: View, Footer: View {
  public init(
    @ViewBuilder content: () -> Content, @ViewBuilder header: () -> Parent, @ViewBuilder footer: () -> Footer
  ) { children = [header(), content(), footer()] }
}

@available(iOS 15, *)
extension Section where Parent == Text, Content: View, Footer == EmptyView {
  public init(_ titleKey: LocalizedStringKey, @ViewBuilder content: () -> Content) {
    children = [Text(titleKey), content()]
  }
}

@available(iOS 15, *)
extension Section where Parent == EmptyView, Content: View, Footer: View {
  public init(@ViewBuilder content: () -> Content, @ViewBuilder footer: () -> Footer) {
    children = [content(), footer()]
  }
}

@available(iOS 13, *)
extension Section where Parent == EmptyView, Content: View, Footer == EmptyView {
  public init(@ViewBuilder content: () -> Content) { children = [content()] }
}

// https://developer.apple.com/documentation/swiftui/foreach
@available(iOS 13, *)
public struct ForEach<Data, ID, Content> where Data: RandomAccessCollection, ID: Hashable {
  let children: [any View]
}

@available(iOS 13, *)
extension ForEach: View where Content: View {
  public var body: Never { return preconditionFailure("a leaf view has no body") }
}

@available(iOS 13, *)
extension ForEach: ShimLeaf where Content: View {
  public var shimChildren: [any View] { children }
}

@available(iOS 13, *)
extension ForEach where Content: View {
  public init(_ data: Data, id: KeyPath<Data.Element, ID>, @ViewBuilder content: @escaping (Data.Element) -> Content) {
    children = data.map { content($0) }
  }
}

@available(iOS 13, *)
extension ForEach where ID == Data.Element.ID, Content: View, Data.Element: Identifiable {
  public init(_ data: Data, @ViewBuilder content: @escaping (Data.Element) -> Content) {
    children = data.map { content($0) }
  }
}

// https://developer.apple.com/documentation/swiftui/timelineview
@available(iOS 15, *)
public struct TimelineView<Schedule, Content> where Schedule: TimelineSchedule {
  let children: [any View]
  public struct Context {
    public let date: Date
  }
}

@available(iOS 15, *)
extension TimelineView: View where Content: View {
  public var body: Never { return preconditionFailure("a leaf view has no body") }
  public init(_ schedule: Schedule, @ViewBuilder content: @escaping (TimelineViewDefaultContext) -> Content) {
    children = [content(TimelineViewDefaultContext(date: Date()))]
  }
}

@available(iOS 15, *)
public typealias TimelineViewDefaultContext = TimelineView<EveryMinuteTimelineSchedule, Never>.Context

@available(iOS 15, *)
extension TimelineView: ShimLeaf where Content: View {
  public var shimChildren: [any View] { children }
}

// https://developer.apple.com/documentation/swiftui/timelineschedule
@available(iOS 15, *)
public protocol TimelineSchedule {}

@available(iOS 15, *)
public struct EveryMinuteTimelineSchedule: TimelineSchedule, Sendable {
  public init() {}
}

@available(iOS 15, *)
extension TimelineSchedule where Self == EveryMinuteTimelineSchedule {
  public static var everyMinute: EveryMinuteTimelineSchedule { EveryMinuteTimelineSchedule() }
}
