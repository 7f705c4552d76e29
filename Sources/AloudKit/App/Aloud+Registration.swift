#if canImport(UserNotifications) && canImport(UIKit) && canImport(AVFAudio)
  import Announcing
  import ExactJSON
  public import Foundation
  import PushPayload
  import SpokenText
  import UserNotifications
  import VoiceAudio

  /// The phone's registration with the server.
  @available(iOSApplicationExtension, unavailable)
  extension Aloud {
    /// Apple gave the device token: registers with the server, unless it knows all of it already.
    ///
    /// Call it from `application(_:didRegisterForRemoteNotificationsWithDeviceToken:)`.
    public func didRegister(deviceToken: Data) {
      token = DeviceRegistration.hexadecimal(deviceToken)
      registerAgain()
    }

    /// Apple gave no token, for example without a network; it is asked again at the next start.
    ///
    /// Call it from `application(_:didFailToRegisterForRemoteNotificationsWithError:)`.
    public func didFailToRegister(_ error: any Error) { registration = .failure(error) }

    /// Registers again, if the server knows an older token, voice pack, language or version of the app.
    public func registerAgain() {
      guard token != nil else { return }
      wantsRegistration = true
      guard !isRegistering else { return }
      isRegistering = true
      Task {
        // What changes while one is under way is told in a further one.
        while wantsRegistration {
          wantsRegistration = false
          await register()
        }
        isRegistering = false
      }
    }

    private func register() async {
      guard let wanted = wantedRegistration(), let folder = phone.folder else {
        registration = .failure(RegistrationError.notKept)
        return
      }
      let text = profile(wanted)
      if let known = DeviceRecord(folder: folder), known.profile == text {
        if registration == nil { registration = .success(()) }
        return
      }
      do {
        let secret = try await secret(for: wanted)
        do { try DeviceRecord(token: wanted.token, secret: secret, profile: text).save(in: folder) } catch {
          throw RegistrationError.notKept
        }
        registration = .success(())
        // Letters that the server refused under the old secret.
        await phone.tidy()
      } catch {
        registration = .failure(error)
      }
      onChange?()
    }

    private func secret(for wanted: DeviceRegistration) async throws -> String {
      if let register = options.register { return try await register(wanted) }
      guard phone.server.base != nil else { throw RegistrationError.noServer }
      guard let key = configuration.deviceKey else { throw RegistrationError.noWay }
      return try await phone.server.register(wanted, key: key)
    }

    private func profile(_ wanted: DeviceRegistration) -> String {
      (configuration.server ?? "") + "\n" + wanted.json.serialized()
    }

    /// What the server must know of this phone now.
    private func wantedRegistration() -> DeviceRegistration? {
      guard let token else { return nil }
      let tag = phone.settings.locale ?? configuration.locale
      var wanted = DeviceRegistration(
        token: token, environment: options.environment ?? .ofThisBuild, topic: Bundle.main.bundleIdentifier ?? "",
        locale: tag, app: AppVersion.text)
      (wanted.user, wanted.groups) = (options.user, options.groups)
      wanted.pack = (try? SpokenLocale(tag)).flatMap { phone.voices.pack($0) }.map { ($0.id, $0.version) }
      wanted.sounds = Aloud.bundledSounds()
      return wanted
    }

    private static func bundledSounds() -> [String] {
      let names = (try? FileManager.default.contentsOfDirectory(atPath: Bundle.main.bundlePath)) ?? []
      return names.filter { name in [".caf", ".wav", ".aiff", ".aif"].contains { name.lowercased().hasSuffix($0) } }
    }
  }
#endif
