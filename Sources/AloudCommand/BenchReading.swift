import Glibc
import SpokenText

/// One line of the reading bench.
package struct ReadingBenchResult: Sendable {
  /// The locale.
  package let locale: String
  /// CPU nanoseconds for one amount written as UTF-8 into a buffer that is used again, as ICU writes UTF-16.
  package let nanoseconds: Double
  /// CPU nanoseconds for one amount as a `Reading`, with its list of words and its text as a string.
  package let readingNanoseconds: Double
  /// CPU nanoseconds for one batch line, from bytes to bytes.
  package let batchNanoseconds: Double
  /// Memory allocations for one amount as a `Reading` with words and text, or nil if they were not counted.
  package let allocations: Double?
  /// CPU nanoseconds for ICU4C's spell-out of the same whole number, or nil if ICU is not there.
  package let icuNanoseconds: Double?

  /// Our time against ICU's; the goal is 0.5 or less.
  package var ratio: Double? { icuNanoseconds.map { nanoseconds / $0 } }
}

/// `aloud bench reading`: how long a reading takes, against ICU4C's rule-based number format in the same process.
///
/// 1,000 seeded amounts of two decimals are read as amounts (parsing excluded, words and text made); ICU spells the whole
/// part of the same amounts through its 64-bit integer path, with the formatter built once. Each figure is the best of
/// several rounds of CPU time, so that a busy machine disturbs it little. ICU is loaded at run time and never linked.
///
/// - Parameter countsAllocations: Runs this program once more for each locale, with the same arguments, under glibc's
///   allocation tracer. Only for a program whose arguments lead back to this function.
package func benchReading(
  rounds: Int = 20, seed: UInt64 = 20_261_130, countsAllocations: Bool = false
) -> [ReadingBenchResult] {
  let amounts = ReadingBench.amounts(seed: seed)
  return ["zh-CN", "en-US"].compactMap { tag in
    guard let locale = try? SpokenLocale(tag) else { return nil }
    return ReadingBench(locale: locale, amounts: amounts, rounds: rounds).result(countsAllocations)
  }
}

/// The results as lines for a person.
package func describe(_ results: [ReadingBenchResult]) -> String {
  results.map { result in
    let own =
      "\(result.locale): \(rounded(result.nanoseconds)) ns an amount, "
      + "\(rounded(result.readingNanoseconds)) ns with words and text, \(result.allocations.map(rounded) ?? "uncounted") allocations"
    let batch = "\(rounded(result.batchNanoseconds)) ns a batch line"
    guard let icu = result.icuNanoseconds, let ratio = result.ratio else {
      return "\(own); \(batch); ICU is not installed (Debian: libicu72), so there is no ratio\n"
    }
    let verdict = ratio <= 0.5 ? "goal 0.5 met" : "goal 0.5 MISSED"
    return "\(own); \(batch); ICU \(rounded(icu)) ns; ratio \(rounded(ratio)) (\(verdict))\n"
  }.joined()
}

/// A number with two decimals at most.
private func rounded(_ value: Double) -> String {
  let hundredths = Int((value * 100).rounded())
  if value >= 100 { return String(Int(value.rounded())) }
  let fraction = hundredths % 100
  return "\(hundredths / 100).\(fraction < 10 ? "0" : "")\(fraction)"
}

/// The measuring of one locale.
private struct ReadingBench {
  let locale: SpokenLocale
  let amounts: [Amount]
  let rounds: Int

  /// Amounts as payment notices have them: all sizes below ten million, two decimals.
  static func amounts(seed: UInt64) -> [Amount] {
    var state = seed
    return (0..<1_000).compactMap { _ in
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      let size: UInt64 = [10_000, 100_000, 1_000_000, 1_000_000_000][Int(state >> 62)]
      return try? Amount(minorUnits: Int64((state >> 20) % size), currency: Currency(code: "CNY"))
    }
  }

  func result(_ countsAllocations: Bool) -> ReadingBenchResult {
    let reader = Reader(locale)
    let lines = amounts.map { Array("\(locale.tag)\tamount\t\($0.currency.code) \($0.decimalText)".utf8) }
    let wholes = amounts.map { $0.minorUnits / 100 }
    AllocationTrace.runIfAsked(locale.tag) { read(reader) }
    let allocations = countsAllocations ? AllocationTrace.count(locale.tag) : nil
    return ReadingBenchResult(
      locale: locale.tag,
      nanoseconds: best { write(reader) },
      readingNanoseconds: best { read(reader) },
      batchNanoseconds: best { readBatch(lines) },
      allocations: allocations.map { Double($0) / Double(amounts.count) },
      icuNanoseconds: ICUSpeller(locale: locale.tag).map { speller in best { wholes.forEach { speller.spell($0) } } })
  }

  private func read(_ reader: Reader) {
    for amount in amounts {
      if let reading = try? reader.read(amount) { keep(reading.text.utf8.count &+ reading.words.count) }
    }
  }

  private func write(_ reader: Reader) {
    var output: [UInt8] = []
    output.reserveCapacity(1024)
    for amount in amounts {
      output.removeAll(keepingCapacity: true)
      reader.append(amount, to: &output)
      keep(output.count)
    }
  }

  private func readBatch(_ lines: [[UInt8]]) {
    var batch = ReadingBatch()
    var output: [UInt8] = []
    for line in lines { line.withUnsafeBufferPointer { batch.append(line: $0, to: &output) } }
    keep(output.count)
  }

  /// The best CPU time of a round, for one item.
  private func best(_ work: () -> Void) -> Double {
    work()
    let times = (0..<max(1, rounds)).map { _ in
      let start = CPUTime.nanoseconds()
      work()
      return CPUTime.nanoseconds() - start
    }
    return Double(times.min() ?? 0) / Double(amounts.count)
  }
}

/// Takes a value so that the optimiser cannot leave out the work that made it.
@inline(never)
func keep(_ value: Int) {}

private enum CPUTime {
  /// CPU time of this thread.
  static func nanoseconds() -> Int {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return time.tv_sec * 1_000_000_000 + time.tv_nsec
  }
}
