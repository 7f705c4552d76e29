import CIndexStore
public import Foundation

/// Reads the index that the compiler leaves beside a debug build: which symbol stands where.
public final class IndexStore {
  private var library: index_library
  private let store: UnsafeMutableRawPointer

  /// Opens the index of a build.
  ///
  /// - Throws: ``Toolchain/Failure`` when there is no index or no library to read it.
  public init(_ toolchain: Toolchain) throws {
    var library = index_library()
    guard index_library_open(toolchain.indexLibrary.path, &library) else {
      throw Toolchain.Failure(description: "\(toolchain.indexLibrary.path) cannot be opened")
    }
    var error: UnsafeMutableRawPointer?
    guard let store = library.store_create(toolchain.index.path, &error) else {
      library.error_dispose(error)
      throw Toolchain.Failure(description: "there is no index in \(toolchain.index.path); build in debug mode")
    }
    self.library = library
    self.store = store
  }

  deinit { library.store_dispose(store) }

  /// Every use and definition of a symbol in the Swift files of some folders; files that are gone do not count.
  public func uses(in folders: [URL]) -> [SymbolUse] {
    let prefixes = folders.map { $0.resolvingSymlinksInPath().path + "/" }
    var result: Set<SymbolUse> = []
    for unit in units() {
      guard let file = unit.file, prefixes.contains(where: { file.hasPrefix($0) }) else { continue }
      for record in unit.records { result.formUnion(uses(record: record, file: file)) }
    }
    return Array(result)
  }

  private struct Unit {
    var file: String?
    var records: [String] = []
  }

  // Callbacks of C capture nothing: what they fill is passed through.
  private final class Bag<Item> {
    var items: [Item] = []
    let library: index_library
    init(_ library: index_library) { self.library = library }
    var pointer: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }
    static func from(_ pointer: UnsafeMutableRawPointer?) -> Bag<Item>? {
      pointer.map { Unmanaged<Bag<Item>>.fromOpaque($0).takeUnretainedValue() }
    }
  }

  private func units() -> [Unit] {
    let names = Bag<String>(library)
    _ = library.store_units(store, 1, names.pointer) { context, name in
      Bag<String>.from(context)?.items.append(String(name))
      return true
    }
    return names.items.map(unit)
  }

  private func unit(_ name: String) -> Unit {
    var error: UnsafeMutableRawPointer?
    guard let reader = library.unit_create(store, name, &error) else {
      library.error_dispose(error)
      return Unit()
    }
    defer { library.unit_dispose(reader) }
    var path = String(library.unit_main_file(reader))
    guard !path.isEmpty else { return Unit() }
    if !path.hasPrefix("/") { path = String(library.unit_working_folder(reader)) + "/" + path }
    let file = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
    guard FileManager.default.fileExists(atPath: file) else { return Unit() }
    let records = Bag<(path: String, name: String)>(library)
    _ = library.unit_dependencies(reader, records.pointer) { context, dependency in
      guard let bag = Bag<(path: String, name: String)>.from(context) else { return false }
      let isRecord = bag.library.dependency_kind(dependency) == 2
      if isRecord {
        bag.items.append(
          (String(bag.library.dependency_path(dependency)), String(bag.library.dependency_name(dependency))))
      }
      return true
    }
    let own = records.items.filter { URL(fileURLWithPath: $0.path).resolvingSymlinksInPath().path == file }
    return Unit(file: file, records: own.map(\.name))
  }

  private func uses(record: String, file: String) -> [SymbolUse] {
    var error: UnsafeMutableRawPointer?
    guard let reader = library.record_create(store, record, &error) else {
      library.error_dispose(error)
      return []
    }
    defer { library.record_dispose(reader) }
    let bag = Bag<SymbolUse>(library)
    _ = library.record_occurrences(reader, bag.pointer) { context, occurrence in
      guard let bag = Bag<SymbolUse>.from(context) else { return false }
      let definition: UInt64 = 1 << 1
      let reference: UInt64 = 1 << 2
      let roles = bag.library.occurrence_roles(occurrence)
      guard roles & (definition | reference) != 0, let symbol = bag.library.occurrence_symbol(occurrence) else {
        return true
      }
      var line: UInt32 = 0
      var column: UInt32 = 0
      bag.library.occurrence_place(occurrence, &line, &column)
      bag.items.append(
        SymbolUse(
          place: SymbolPlace(file: "", line: Int(line), column: Int(column)),
          usr: String(bag.library.symbol_usr(symbol)), name: String(bag.library.symbol_name(symbol)),
          isDefinition: roles & definition != 0))
      return true
    }
    return bag.items.map { use in
      var use = use
      use.place.file = file
      return use
    }
  }
}

extension String {
  fileprivate init(_ text: index_text) {
    guard let data = text.data else {
      self = ""
      return
    }
    self = String(
      decoding: UnsafeRawBufferPointer(start: UnsafeRawPointer(data), count: text.length), as: UTF8.self)
  }
}
