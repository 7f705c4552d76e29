/// Source files and property lists of a tree, each read once.
final class CodeLibrary {
  let tree: any FileTree
  private var files: [String: SourceFile?] = [:]
  private(set) var findings: [Finding] = []
  private(set) var filesRead = 0

  init(_ tree: any FileTree) { self.tree = tree }

  /// The scan of a source file, or `nil` if it cannot matter or cannot be read.
  func source(_ path: String) -> SourceFile? {
    if let known = files[path] { return known }
    filesRead += 1
    let file = tree.read(path, limit: 1 << 20).flatMap { SourceFile(path: path, bytes: $0) }
    files[path] = .some(file)
    return file
  }

  private var lists: [String: Unit.List?] = [:]

  /// A property list; what cannot be read becomes a finding once.
  func list(_ path: String) -> Unit.List? {
    if let known = lists[path] { return known }
    guard let bytes = tree.read(path) else {
      lists[path] = .some(nil)
      return nil
    }
    filesRead += 1
    var list: Unit.List?
    do {
      let parsed = try PropertyList.parse(bytes)
      let isXML = !bytes.starts(with: "bplist".utf8)
      list = Unit.List(file: path, value: parsed.root, lines: parsed.keyLines, bytes: isXML ? bytes : [])
    } catch {
      findings.append(Finding(.unreadablePlist, Place(path, line: error.line), error.message))
    }
    lists[path] = .some(list)
    return list
  }

  /// The names of third-party packages that a folder's manifests list, in lower case.
  func packages(_ folders: [String]) -> String {
    var text = ""
    for folder in folders {
      for name in [
        "Podfile", "Podfile.lock", "pubspec.yaml", "package.json", "Package.resolved", "Package.swift", "Cartfile",
      ] {
        if let bytes = tree.read(PathText.join(folder, name), limit: 4 << 20) {
          text += String(decoding: bytes, as: UTF8.self).lowercased()
        }
      }
    }
    return text
  }
}
