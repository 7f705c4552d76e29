internal import Announcing
internal import AudioTools
internal import ExactJSON
internal import HTTPTransport
internal import SpokenText
internal import VoiceAudio

/// Any server that takes `POST /v1/audio/speech` as OpenAI's does (platform.openai.com/docs/api-reference/audio).
struct OpenAIVoice: SpeechVoice {
  let url: String
  let key: String?
  let model: String
  let voice: String
  let timeoutSeconds: Int
  let client: any HTTPSending

  var signature: String { "openai \(url) \(model) \(voice)" }

  func sound(_ phrase: Phrase, locale: SpokenLocale) async throws(VoiceFailure) -> [UInt8] {
    let body: JSON = [
      "model": .string(model), "voice": .string(voice), "response_format": "wav",
      "input": .string(EngineText.words(phrase, locale: locale)),
    ]
    var headers: HTTPHeaders = ["Content-Type": "application/json", "Accept": "audio/wav"]
    if let key { headers["Authorization"] = "Bearer \(key)" }
    let base = url.hasSuffix("/") ? String(url.dropLast()) : url
    let request = HTTPClientRequest(
      method: "POST", url: base.hasSuffix("/v1") ? base + "/audio/speech" : base + "/v1/audio/speech", headers: headers,
      body: body.serializedBytes(), timeoutSeconds: Double(timeoutSeconds), responseBytes: 16 << 20)
    let response: HTTPClientResponse
    do throws(HTTPClientError) { response = try await client.send(request) } catch {
      if case .timedOut = error { throw .tooSlow }
      throw .engineFailed
    }
    // Some servers write the WAV while they speak and leave its lengths open, hence “stream”.
    guard response.status == 200, let file = try? SoundFile.decode(response.body, isStream: true) else {
      throw .engineFailed
    }
    return try EngineSound.file(Sound(file.pcm))
  }
}
