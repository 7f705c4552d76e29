// Room: as much of SwiftUI as the self-test view and the examples use, for building on Linux. It draws nothing; ``shimStrings(in:)`` says
// what a view would show. https://developer.apple.com/documentation/swiftui
@_exported import Combine
@_exported import Foundation
@_exported import UIKit

// https://developer.apple.com/documentation/swiftui/view
@available(iOS 13, *)
@MainActor @preconcurrency
public protocol View {
  associatedtype Body: View
  @ViewBuilder @MainActor @preconcurrency var body: Body { get }
}

@available(iOS 13, *)
extension Never: View {
  public var body: Never { return preconditionFailure("a leaf view has no body") }
}

/// A view of the framework: no body, but what stands in it.
@available(iOS 13, *)
public protocol ShimLeaf: View where Body == Never {
  var shimStrings: [String] { get }
  var shimChildren: [any View] { get }
}

@available(iOS 13, *)
extension ShimLeaf {
  public var body: Never { return preconditionFailure("a leaf view has no body") }
  public var shimStrings: [String] { [] }
  public var shimChildren: [any View] { [] }
}

/// For tests: every text that a view would show or let VoiceOver say, in its order.
@available(iOS 13, *)
@MainActor
public func shimStrings(in view: any View) -> [String] {
  guard let leaf = view as? any ShimLeaf else { return shimStrings(in: view.body) }
  return leaf.shimStrings + leaf.shimChildren.flatMap { shimStrings(in: $0) }
}

// https://developer.apple.com/documentation/swiftui/viewbuilder
@available(iOS 13, *)
@resultBuilder
public struct ViewBuilder {
  public static func buildBlock() -> EmptyView { EmptyView() }
  public static func buildBlock<Content>(_ content: Content) -> Content where Content: View { content }
  @available(iOS 13, *)
  @_disfavoredOverload
  public static func buildBlock<each Content>(_ content: repeat each Content) -> TupleView<(repeat each Content)>
  where repeat each Content: View {
    var children: [any View] = []
    for child in repeat each content { children.append(child) }
    return TupleView(shimChildren: children)
  }
  public static func buildExpression<Content>(_ content: Content) -> Content where Content: View { content }
  public static func buildIf<Content>(_ content: Content?) -> Content? where Content: View { content }
  public static func buildEither<TrueContent, FalseContent>(
    first: TrueContent
  ) -> _ConditionalContent<TrueContent, FalseContent> where TrueContent: View, FalseContent: View {
    _ConditionalContent(shimChildren: [first])
  }
  public static func buildEither<TrueContent, FalseContent>(
    second: FalseContent
  ) -> _ConditionalContent<TrueContent, FalseContent> where TrueContent: View, FalseContent: View {
    _ConditionalContent(shimChildren: [second])
  }
  public static func buildLimitedAvailability<Content>(_ content: Content) -> AnyView where Content: View {
    AnyView(content)
  }
}

@available(iOS 13, *)
public struct EmptyView: ShimLeaf {
  public nonisolated init() {}
}

@available(iOS 13, *)
public struct TupleView<T>: ShimLeaf {
  public let shimChildren: [any View]
  nonisolated init(shimChildren: [any View]) { self.shimChildren = shimChildren }
}

@available(iOS 13, *)
public struct AnyView: ShimLeaf {
  public let shimChildren: [any View]
  public nonisolated init<V>(_ view: V) where V: View { shimChildren = [view] }
}

@available(iOS 13, *)
public struct _ConditionalContent<TrueContent, FalseContent>: ShimLeaf {
  public let shimChildren: [any View]
  nonisolated init(shimChildren: [any View]) { self.shimChildren = shimChildren }
}

@available(iOS 13, *)
extension Optional: View where Wrapped: View {
  public var body: Never { return preconditionFailure("a leaf view has no body") }
}

@available(iOS 13, *)
extension Optional: ShimLeaf where Wrapped: View {
  public var shimChildren: [any View] { map { [$0] } ?? [] }
}

/// What a modifier gives: the view, and what the modifier adds to its texts.
@available(iOS 13, *)
struct ShimModified: ShimLeaf {
  let shimChildren: [any View]
  var shimStrings: [String] = []
}
