import Combine
import Foundation

// https://developer.apple.com/documentation/swiftui/binding
@available(iOS 13, *)
@propertyWrapper @dynamicMemberLookup
public struct Binding<Value> {
  let shimGet: () -> Value
  let shimSet: (Value) -> Void
  init(shimGet: @escaping () -> Value, shimSet: @escaping (Value) -> Void) {
    (self.shimGet, self.shimSet) = (shimGet, shimSet)
  }
  public var wrappedValue: Value {
    get { shimGet() }
    nonmutating set { shimSet(newValue) }
  }
  public var projectedValue: Binding<Value> { self }
  public subscript<Subject>(dynamicMember keyPath: WritableKeyPath<Value, Subject>) -> Binding<Subject> {
    Binding<Subject>(
      shimGet: { shimGet()[keyPath: keyPath] },
      shimSet: { member in
        var value = shimGet()
        value[keyPath: keyPath] = member
        shimSet(value)
      })
  }
}

final class ShimBox<Value> {
  var value: Value
  init(_ value: Value) { self.value = value }
}

// https://developer.apple.com/documentation/swiftui/state
@available(iOS 13, *)
@propertyWrapper
public struct State<Value> {
  private let box: ShimBox<Value>
  public init(wrappedValue value: Value) { box = ShimBox(value) }
  public var wrappedValue: Value {
    get { box.value }
    nonmutating set { box.value = newValue }
  }
  public var projectedValue: Binding<Value> {
    let box = box
    return Binding(shimGet: { box.value }, shimSet: { box.value = $0 })
  }
}

// https://developer.apple.com/documentation/swiftui/stateobject
@available(iOS 14, *)
@propertyWrapper @MainActor @preconcurrency
public struct StateObject<ObjectType> where ObjectType: ObservableObject {
  private let object: ObjectType
  public nonisolated init(wrappedValue thunk: @autoclosure @escaping () -> ObjectType) { object = thunk() }
  public var wrappedValue: ObjectType { object }
  public var projectedValue: ObservedObject<ObjectType>.Wrapper {
    ObservedObject(wrappedValue: object).projectedValue
  }
}

// https://developer.apple.com/documentation/swiftui/observedobject
@available(iOS 13, *)
@propertyWrapper @MainActor @preconcurrency
public struct ObservedObject<ObjectType> where ObjectType: ObservableObject {
  public nonisolated init(wrappedValue: ObjectType) { self.wrappedValue = wrappedValue }
  public var wrappedValue: ObjectType
  public var projectedValue: ObservedObject<ObjectType>.Wrapper { Wrapper(object: wrappedValue) }

  @dynamicMemberLookup @MainActor @preconcurrency
  public struct Wrapper {
    let object: ObjectType
    public subscript<Subject>(
      dynamicMember keyPath: ReferenceWritableKeyPath<ObjectType, Subject>
    ) -> Binding<Subject> {
      let object = object
      return Binding(shimGet: { object[keyPath: keyPath] }, shimSet: { object[keyPath: keyPath] = $0 })
    }
  }
}
