// MARK: Samples

extension Joiner {
  /// Renders a plan as samples.
  ///
  /// Neighbouring clips run into one another for the pack's overlap; beside a pause a clip is faded over two
  /// milliseconds. So there is no step at a joint, and no sample passes the ceiling.
  public func render(_ plan: JoinPlan) throws(JoinError) -> PCM {
    let layout = PCMLayout(plan, pack)
    let gain = gain(plan)
    let samples = [Int16](unsafeUninitializedCapacity: layout.frames) { buffer, count in
      fill(buffer, plan, layout, gain)
      count = layout.frames
    }
    return PCM(sampleRate: pack.sampleRate, samples: samples)
  }

  /// Renders a plan as a file.
  ///
  /// A pack of IMA4 whose clips are neutral (``IMA4``) gives IMA4 files by copying packets; a pack of PCM gives PCM
  /// files by copying samples. Everything else is rendered and encoded once.
  /// - Throws: ``JoinError/file(_:)`` if the container cannot hold the codec.
  public func file(
    _ plan: JoinPlan, container: AudioContainer, codec: AudioCodec
  ) throws(JoinError) -> [UInt8] {
    do throws(SoundFileError) {
      if codec == .ima4, container != .wav, canCopyPackets(plan) { return try copiedPackets(plan, container) }
      if codec == .lpcm, container != .aiff, Int16(1).littleEndian == 1 { return try copiedSamples(plan, container) }
      let pcm: PCM
      do throws(JoinError) { pcm = try render(plan) } catch { throw SoundFileError(.noFrames, error.description) }
      return try SoundFile.encode(pcm, container: container, codec: codec)
    } catch {
      throw .file(error)
    }
  }

  private func copiedSamples(_ plan: JoinPlan, _ container: AudioContainer) throws(SoundFileError) -> [UInt8] {
    let layout = PCMLayout(plan, pack)
    let gain = gain(plan)
    let format = AudioFormat(sampleRate: pack.sampleRate, codec: .lpcm, container: container)
    let frame = try SoundFrame(format: format, order: .little, frames: layout.frames, dataBytes: layout.frames * 2)
    return SoundFile.assemble(frame, dataBytes: layout.frames * 2) { raw in
      fill(raw.bindMemory(to: Int16.self), plan, layout, gain)
    }
  }

  /// What all samples must be multiplied by so that none passes the ceiling; 1 if none does.
  private func gain(_ plan: JoinPlan) -> Double {
    let limit = options.ceiling * 32_767
    var peak = 0
    for case .take(let key) in plan.parts { peak = max(peak, pack.check(key).peak) }
    return Double(peak) > limit ? limit / Double(peak) : 1
  }

  private func fill(
    _ output: UnsafeMutableBufferPointer<Int16>, _ plan: JoinPlan, _ layout: PCMLayout, _ gain: Double
  ) {
    var written = 0
    for (part, start) in zip(plan.parts, layout.starts) {
      let length = layout.length(part, pack)
      let room = UnsafeMutableBufferPointer(rebasing: output[start..<start + length])
      let overlap = written - start
      switch part {
      case .silence: room.update(repeating: 0)
      case .chime(let chime): _ = room.update(fromContentsOf: chime.pcm(sampleRate: pack.sampleRate).samples)
      case .take(let key) where overlap == 0: pack.samples(key, into: room)
      case .take(let key): crossfade(key, into: room, overlap)
      }
      written = start + length
    }
    for place in plan.parts.indices { soften(plan.parts, place, layout, output) }
    guard gain < 1 else { return }
    for place in output.indices { output[place] = PCM.sample(Double(output[place]) * gain) }
  }

  /// Writes a take over the end of the one before, which fades out while this fades in.
  private func crossfade(_ key: TakeKey, into room: UnsafeMutableBufferPointer<Int16>, _ overlap: Int) {
    withUnsafeTemporaryAllocation(of: Int16.self, capacity: overlap) { old in
      for place in 0..<overlap { old[place] = room[place] }
      pack.samples(key, into: room)
      let scale = Int32(overlap + 1)
      for place in 0..<overlap {
        let share = Int32(place + 1)
        room[place] = Int16((Int32(old[place]) * (scale - share) + Int32(room[place]) * share) / scale)
      }
    }
  }

  /// Fades a take in and out where it stands beside silence or an end.
  private func soften(
    _ parts: [JoinPlan.Part], _ place: Int, _ layout: PCMLayout, _ output: UnsafeMutableBufferPointer<Int16>
  ) {
    guard case .take = parts[place] else { return }
    let length = layout.length(parts[place], pack)
    let ramp = min(PCM.frames(0.002, at: pack.sampleRate), length / 2)
    let (first, last) = (layout.starts[place], layout.starts[place] + length - 1)
    func isSpeech(_ neighbour: Int) -> Bool {
      guard parts.indices.contains(neighbour), case .take = parts[neighbour] else { return false }
      return layout.overlap > 0
    }
    for step in 0..<ramp {
      let share = Int32(step)
      if !isSpeech(place - 1) { output[first + step] = Int16(Int32(output[first + step]) * share / Int32(ramp)) }
      if !isSpeech(place + 1) { output[last - step] = Int16(Int32(output[last - step]) * share / Int32(ramp)) }
    }
  }
}

/// Where each part of a plan begins when clips run into one another.
private struct PCMLayout {
  private(set) var starts: [Int] = []
  private(set) var frames = 0
  let overlap: Int

  init(_ plan: JoinPlan, _ pack: VoicePack) {
    overlap = PCM.frames(pack.manifest.overlapSeconds, at: pack.sampleRate)
    var previous = 0
    for part in plan.parts {
      let length = length(part, pack)
      guard case .take = part else {
        starts.append(frames)
        frames += length
        previous = 0
        continue
      }
      // Never more than a third of either clip.
      let shared = previous > 0 ? min(overlap, previous / 3, length / 3) : 0
      starts.append(frames - shared)
      frames += length - shared
      previous = length
    }
  }

  func length(_ part: JoinPlan.Part, _ pack: VoicePack) -> Int {
    switch part {
    case .silence(let frames): frames
    case .chime(let chime): PCM.frames(chime.seconds, at: pack.sampleRate)
    case .take(let key): pack.take(key).length
    }
  }
}

// MARK: Packets

extension Joiner {
  /// Whether every clip's packets may be copied as they are.
  private func canCopyPackets(_ plan: JoinPlan) -> Bool {
    guard pack.codec == .ima4 else { return false }
    let limit = Int(options.ceiling * 32_767)
    return plan.parts.allSatisfy { part in
      guard case .take(let key) = part else { return true }
      let check = pack.check(key)
      return check.isNeutral && check.peak <= limit
    }
  }

  private func copiedPackets(_ plan: JoinPlan, _ container: AudioContainer) throws(SoundFileError) -> [UInt8] {
    let chime = options.chime.map { IMA4.neutralPackets($0.pcm(sampleRate: pack.sampleRate).samples) } ?? []
    var size = 0
    for part in plan.parts {
      switch part {
      case .silence(let frames): size += frames / IMA4.packetFrames * IMA4.packetBytes
      case .chime: size += chime.count
      case .take(let key): size += pack.take(key).length / IMA4.packetFrames * IMA4.packetBytes
      }
    }
    let frames = size / IMA4.packetBytes * IMA4.packetFrames
    let format = AudioFormat(sampleRate: pack.sampleRate, codec: .ima4, container: container)
    let frame = try SoundFrame(format: format, order: .big, frames: frames, dataBytes: size)
    return SoundFile.assemble(frame, dataBytes: size) { raw in
      var offset = 0
      func next(_ count: Int) -> UnsafeMutableRawBufferPointer {
        defer { offset += count }
        return UnsafeMutableRawBufferPointer(rebasing: raw[offset..<offset + count])
      }
      for part in plan.parts {
        switch part {
        case .silence(let frames):
          // A packet of zero bytes after a neutral one is digital silence.
          let room = next(frames / IMA4.packetFrames * IMA4.packetBytes)
          _ = room.initializeMemory(as: UInt8.self, repeating: 0)
        case .chime: next(chime.count).copyBytes(from: chime)
        case .take(let key):
          let source = pack.bytes(key)
          next(source.count).copyMemory(from: source)
        }
      }
    }
  }
}

extension IMA4 {
  /// Encodes samples so that a decoder ends as it began: faded to silence, then whole packets of silence until
  /// predictor and step index are back at zero.
  ///
  /// - Parameter samples: Sound that begins near zero; its last 64 frames are faded.
  /// - Returns: Packets for which ``isNeutral(_:)`` holds, as far as 32 packets of silence bring that about.
  package static func neutralPackets(_ samples: [Int16]) -> [UInt8] {
    var faded = samples
    let ramp = min(packetFrames, faded.count)
    for step in 0..<ramp {
      let place = faded.count - 1 - step
      faded[place] = Int16(Int32(faded[place]) * Int32(step) / Int32(packetFrames))
    }
    var bytes = [UInt8](repeating: 0, count: packets(for: faded.count) * packetBytes)
    var state = State()
    faded.withUnsafeBufferPointer { source in bytes.withUnsafeMutableBytes { encode(source, state: &state, into: $0) } }
    let silence = [Int16](repeating: 0, count: packetFrames)
    for _ in 0..<32 where !state.isNeutral {
      var packet = [UInt8](repeating: 0, count: packetBytes)
      silence.withUnsafeBufferPointer { source in
        packet.withUnsafeMutableBytes { encode(source, state: &state, into: $0) }
      }
      bytes += packet
    }
    return bytes
  }
}
