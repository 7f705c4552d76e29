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
    let file = bytes(path, limit: 4 << 20).flatMap { SourceFile(path: path, bytes: $0) }
    files[path] = .some(file)
    return file
  }

  /// The bytes of a file; one that is there and cannot be read becomes a finding.
  func bytes(_ path: String, limit: Int = 64 << 20) -> [UInt8]? {
    if let bytes = tree.read(path, limit: limit) {
      filesRead += 1
      return bytes
    }
    if tree.kind(path) == .file {
      findings.append(
        Finding(
          .incomplete, Place(path), "not readable, or larger than \(limit >> 20) MiB", "无法读取，或大于 \(limit >> 20) MiB"))
    }
    return nil
  }

  private var lists: [String: Unit.List?] = [:]

  /// A property list; what cannot be read becomes a finding once.
  func list(_ path: String) -> Unit.List? {
    if let known = lists[path] { return known }
    guard let bytes = bytes(path) else {
      lists[path] = .some(nil)
      return nil
    }
    let (parsed, problem) = PropertyList.reading(bytes)
    if let problem { findings.append(Finding(.unreadablePlist, Place(path, line: problem.line), problem.message)) }
    // What was repaired for reading, or is in another encoding, is not offered for changes.
    let isPlain = problem == nil && !bytes.starts(with: "bplist".utf8) && !TextDecoding.isWide(bytes)
    let list = parsed.map { Unit.List(file: path, value: $0.root, lines: $0.keyLines, bytes: isPlain ? bytes : []) }
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
