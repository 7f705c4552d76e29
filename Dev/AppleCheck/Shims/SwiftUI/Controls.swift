import Foundation

// https://developer.apple.com/documentation/swiftui/button
@available(iOS 13, *)
public struct Button<Label>: ShimLeaf where Label: View {
  public let shimChildren: [any View]
  public init(action: @escaping @MainActor () -> Void, @ViewBuilder label: () -> Label) { shimChildren = [label()] }
}

@available(iOS 13, *)
extension Button where Label == Text {
  public init(_ titleKey: LocalizedStringKey, action: @escaping @MainActor () -> Void) {
    shimChildren = [Text(titleKey)]
  }
}

// https://developer.apple.com/documentation/swiftui/navigationlink
@available(iOS 13, *)
public struct NavigationLink<Label, Destination>: ShimLeaf where Label: View, Destination: View {
  public let shimChildren: [any View]
  public init(@ViewBuilder destination: () -> Destination, @ViewBuilder label: () -> Label) {
    shimChildren = [label(), destination()]
  }
}

@available(iOS 13, *)
extension NavigationLink where Label == Text {
  public init(_ titleKey: LocalizedStringKey, @ViewBuilder destination: () -> Destination) {
    shimChildren = [Text(titleKey), destination()]
  }
}

// https://developer.apple.com/documentation/swiftui/toggle
@available(iOS 13, *)
public struct Toggle<Label>: ShimLeaf where Label: View {
  public let shimChildren: [any View]
}

@available(iOS 13, *)
extension Toggle where Label == Text {
  public init(_ titleKey: LocalizedStringKey, isOn: Binding<Bool>) { shimChildren = [Text(titleKey)] }
  @_disfavoredOverload
  public init<S>(_ title: S, isOn: Binding<Bool>) where S: StringProtocol { shimChildren = [Text(title)] }
}

// https://developer.apple.com/documentation/swiftui/stepper
@available(iOS 13, *)
public struct Stepper<Label>: ShimLeaf where Label: View {
  public let shimChildren: [any View]
}

@available(iOS 13, *)
extension Stepper where Label == Text {
  public init<V>(
    _ titleKey: LocalizedStringKey, value: Binding<V>, in bounds: ClosedRange<V>, step: V.Stride = 1,
    onEditingChanged: @escaping (Bool) -> Void = { _ in }
  ) where V: Strideable { shimChildren = [Text(titleKey)] }
}

// https://developer.apple.com/documentation/swiftui/picker
@available(iOS 13, *)
public struct Picker<Label, SelectionValue, Content>: ShimLeaf
where Label: View, SelectionValue: Hashable, Content: View {
  public let shimChildren: [any View]
}

@available(iOS 13, *)
extension Picker where Label == Text {
  public init(
    _ titleKey: LocalizedStringKey, selection: Binding<SelectionValue>, @ViewBuilder content: () -> Content
  ) { shimChildren = [Text(titleKey), content()] }
}

// https://developer.apple.com/documentation/swiftui/datepicker
@available(iOS 13, *)
public struct DatePicker<Label>: ShimLeaf where Label: View {
  public let shimChildren: [any View]
  public typealias Components = DatePickerComponents
}

@available(iOS 13, *)
extension DatePicker where Label == Text {
  public init(
    _ titleKey: LocalizedStringKey, selection: Binding<Date>,
    displayedComponents: DatePicker<Label>.Components = [.hourAndMinute, .date]
  ) { shimChildren = [Text(titleKey)] }
}

@available(iOS 13, *)
public struct DatePickerComponents: OptionSet, Sendable {
  public let rawValue: UInt
  public init(rawValue: UInt) { self.rawValue = rawValue }
  public static let hourAndMinute = Self(rawValue: 1)
  public static let date = Self(rawValue: 2)
}

// https://developer.apple.com/documentation/swiftui/textfield
@available(iOS 13, *)
public struct TextField<Label>: ShimLeaf where Label: View {
  public let shimChildren: [any View]
}

@available(iOS 13, *)
extension TextField where Label == Text {
  public init(_ titleKey: LocalizedStringKey, text: Binding<String>) { shimChildren = [Text(titleKey)] }
}
