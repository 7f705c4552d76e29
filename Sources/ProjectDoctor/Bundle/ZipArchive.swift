import CZip

/// What is wrong with an archive.
struct ZipError: Error, Sendable {
  var message: String
}

/// A ZIP archive as a tree of files, with zip64; nothing is unpacked before it is read.
///
/// Source: PKWARE APPNOTE.TXT 6.3.10, sections 4.3 and 4.5.
struct ZipTree: FileTree {
  struct Entry: Sendable {
    var method: Int
    var compressed: Int
    var size: Int
    var header: Int
  }

  private let bytes: [UInt8]
  private let entries: [String: Entry]
  private let folders: [String: Set<String>]

  init(_ bytes: [UInt8]) throws(ZipError) {
    self.bytes = bytes
    entries = try ZipDirectory(bytes).entries()
    var folders: [String: Set<String>] = ["": []]
    for path in entries.keys {
      var child = path
      while !child.isEmpty {
        let parent = child.parentPath
        let isNew = folders[parent, default: []].insert(child.lastPathComponent).inserted
        if !isNew { break }
        child = parent
      }
    }
    self.folders = folders
  }

  func kind(_ path: String) -> FileKind? {
    entries[path] != nil ? .file : folders[path] != nil ? .folder : nil
  }

  func list(_ path: String) -> [String] { (folders[path] ?? []).sorted() }

  func read(_ path: String, limit: Int) -> [UInt8]? {
    guard let entry = entries[path], entry.size <= limit, let data = data(entry) else { return nil }
    switch entry.method {
    case 0: return Array(data)
    case 8: return ZipTree.inflate(data, size: entry.size)
    default: return nil
    }
  }

  // The local header repeats name and extra field with lengths of its own (4.3.7).
  private func data(_ entry: Entry) -> ArraySlice<UInt8>? {
    let reader = ZipDirectory(bytes)
    guard reader.number(entry.header, 4) == 0x0403_4B50, let name = reader.number(entry.header + 26, 2),
      let extra = reader.number(entry.header + 28, 2)
    else { return nil }
    let start = entry.header + 30 + name + extra
    guard start <= bytes.count, entry.compressed <= bytes.count - start else { return nil }
    return bytes[start..<(start + entry.compressed)]
  }

  private static func inflate(_ data: ArraySlice<UInt8>, size: Int) -> [UInt8]? {
    var stream = z_stream()
    guard
      inflateInit2_(&stream, -MAX_WBITS, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK
    else { return nil }
    defer { inflateEnd(&stream) }
    var input = Array(data)
    var status: Int32 = Z_OK
    let output = [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
      input.withUnsafeMutableBufferPointer { source in
        stream.next_in = source.baseAddress
        stream.avail_in = UInt32(clamping: source.count)
        stream.next_out = buffer.baseAddress
        stream.avail_out = UInt32(clamping: size)
        status = CZip.inflate(&stream, Z_FINISH)
        count = size - Int(stream.avail_out)
      }
    }
    return status == Z_STREAM_END && output.count == size ? output : nil
  }
}

/// The central directory at the end of an archive.
struct ZipDirectory {
  private let bytes: [UInt8]

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// A little-endian number, or `nil` beyond the end or above what fits.
  func number(_ start: Int, _ size: Int) -> Int? {
    guard start >= 0, start <= bytes.count - size else { return nil }
    var value: UInt64 = 0
    for index in (0..<size).reversed() { value = value << 8 | UInt64(bytes[start + index]) }
    return Int(exactly: value)
  }

  func entries() throws(ZipError) -> [String: ZipTree.Entry] {
    guard let end = endRecord() else { throw ZipError(message: "It is no ZIP archive.") }
    guard let offset = number(end + 16, 4), let count = number(end + 10, 2) else {
      throw ZipError(message: "The archive's directory is damaged.")
    }
    let large = zip64(end)
    var position = large?.offset ?? offset
    var remaining = large?.count ?? count
    var entries: [String: ZipTree.Entry] = [:]
    while remaining > 0, number(position, 4) == 0x0201_4B50 {
      guard let next = entry(at: position, into: &entries) else { break }
      position = next
      remaining -= 1
    }
    if remaining > 0, entries.isEmpty { throw ZipError(message: "The archive's directory is damaged.") }
    return entries
  }

  private func endRecord() -> Int? {
    guard bytes.count >= 22 else { return nil }
    var position = bytes.count - 22
    let last = max(0, bytes.count - 22 - 65_535)
    while position >= last {
      if number(position, 4) == 0x0605_4B50 { return position }
      position -= 1
    }
    return nil
  }

  private func zip64(_ end: Int) -> (offset: Int, count: Int)? {
    guard end >= 20, number(end - 20, 4) == 0x0706_4B50, let record = number(end - 12, 8),
      record <= bytes.count, number(record, 4) == 0x0606_4B50, let count = number(record + 32, 8),
      let offset = number(record + 48, 8), offset <= bytes.count
    else { return nil }
    return (offset, count)
  }

  private func entry(at position: Int, into entries: inout [String: ZipTree.Entry]) -> Int? {
    guard let method = number(position + 10, 2), var compressed = number(position + 20, 4),
      var size = number(position + 24, 4), let name = number(position + 28, 2), let extra = number(position + 30, 2),
      let comment = number(position + 32, 2), var header = number(position + 42, 4),
      position + 46 + name + extra + comment <= bytes.count
    else { return nil }
    let path = String(decoding: bytes[(position + 46)..<(position + 46 + name)], as: UTF8.self)
    var field = position + 46 + name
    let fieldsEnd = field + extra
    while field + 4 <= fieldsEnd, let tag = number(field, 2), let length = number(field + 2, 2) {
      if tag == 1 {  // 4.5.3: only what did not fit stands there, in this order
        var place = field + 4
        for keyPath in [0, 1, 2] {
          let isLarge = [size, compressed, header][keyPath] == 0xFFFF_FFFF
          guard isLarge, let value = number(place, 8) else { continue }
          if keyPath == 0 { size = value } else if keyPath == 1 { compressed = value } else { header = value }
          place += 8
        }
      }
      field += 4 + length
    }
    // An entry that cannot lie in this archive is left out, so that sums of offsets stay small.
    let isPossible = header <= bytes.count && compressed <= bytes.count && size < 1 << 40
    let isInside = !path.hasSuffix("/") && !path.hasPrefix("/") && !path.split(separator: "/").contains("..")
    if isPossible, isInside {
      entries[path] = ZipTree.Entry(method: method, compressed: compressed, size: size, header: header)
    }
    return position + 46 + name + extra + comment
  }
}
