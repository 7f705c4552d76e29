import ProjectDoctor
import Testing
import VoiceAudio

struct ProjectFormTests {
  @Test func `settings of an xcconfig are inherited, overridden and conditional`() {
    // The app's id comes from an xcconfig that includes another, and the extension's from the app's.
    let clean = TestFiles.shop.editing([
      .write(
        "Config/Base.xcconfig",
        "#include \"Ids.xcconfig\"\nGROUP_ID = group.$(APP_ID) // by id\nOTHER[sdk=iphoneos*] = x"),
      .write("Config/Ids.xcconfig", "APP_ID = com.example\nAPP_ID = $(inherited).shop\n"),
    ])
    #expect(clean.report().serious == [])
    let wrong = clean.editing([.write("Config/Ids.xcconfig", "APP_ID = com.example.bazaar\n")])
    #expect(wrong.report().codes.contains(.groupNotEntitled))
  }

  @Test func `settings that refer to each other in a ring end`() {
    let ring = TestFiles.shop.editing([
      .write("Config/Base.xcconfig", "APP_ID = $(B)\nB = $(APP_ID)\nGROUP_ID = $(GROUP_ID)")
    ])
    #expect(ring.report().filesChecked > 0)
  }

  @Test func `folder-synchronised groups hold the target's files, save the exceptions`() {
    let report = SynchronisedProject.files.report()
    #expect(report.serious == [], "\(report.findings)")
    // The same folder without the exception for Info.plist and with audio in the extension's folder.
    let loud = SynchronisedProject.files.editing([
      .write("Bell/Player.swift", "import AVFoundation\nlet p: AVAudioPlayer? = nil\n")
    ])
    #expect(loud.report().findings.map { "\($0.code.rawValue) \($0.place)" } == ["ALD601 Bell/Player.swift:2"])
    let excepted = loud.editing([
      .replace(DoctorCase.pbx, "\t\t\t\tInfo.plist,\n", "\t\t\t\tInfo.plist,\n\t\t\t\tPlayer.swift,\n")
    ])
    #expect(excepted.report().serious == [])
  }

  @Test(arguments: ["", "ios/", "platforms/ios/", "app/ios/", "Shop/", "Bell/"])
  func `the project is found where Flutter, React Native and Cordova keep it`(_ prefix: String) {
    var files = TestFiles(files: [:])
    for (path, bytes) in TestFiles.shop.files { files.files[prefix + path] = bytes }
    files.files["pubspec.yaml"] = Array("name: shop\n".utf8)
    files.files[prefix + "Pods/Pods.xcodeproj/project.pbxproj"] = Array("{".utf8)
    files.files["node_modules/x/Other.xcodeproj/project.pbxproj"] = Array("{".utf8)
    #expect(files.report().serious == [])
    let broken = files.editing([.remove(prefix + "Bell/Bell.entitlements")])
    #expect(Set(broken.report().codes).isSuperset(of: [.groupNotEntitled, .missingFile]))
  }

  @Test func `a workspace leads to its projects, without the Pods`() {
    let files = TestFiles.shop.editing([
      .write(
        "Shop.xcworkspace/contents.xcworkspacedata",
        "<?xml version=\"1.0\"?>\n<Workspace version = \"1.0\">\n<FileRef location = \"group:Shop.xcodeproj\"></FileRef>\n<FileRef location = \"group:Pods/Pods.xcodeproj\"></FileRef>\n</Workspace>"
      ),
      .replace(DoctorCase.pbx, "$(APP_ID).bell", "org.other"),
    ])
    #expect(files.report("Shop.xcworkspace").codes == [.bundlePrefix])
  }

  @Test func `a generated project that is not there is said, and the files are checked`() {
    let files = TestFiles(files: [
      "project.yml": Array("name: Shop\n".utf8), "Bell/Info.plist": Array(ShopText.bellPlist.utf8),
      "Bell/NotificationService.swift": Array(
        "import UserNotifications\nclass NotificationService: UNNotificationServiceExtension {\n  override func didReceive(_ r: UNNotificationRequest, withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void) { let p = AVAudioPlayer(); contentHandler(r.content) }\n  override func serviceExtensionTimeWillExpire() {}\n}"
          .utf8),
    ])
    #expect(files.report().codes == [.notGenerated, .audioInExtension])
  }

  @Test func `Objective-C is read as well`() {
    let service = """
      #import "NotificationService.h"
      @implementation NotificationService
      // [player play]; @"AVAudioPlayer"
      - (void)didReceiveNotificationRequest:(UNNotificationRequest *)request withContentHandler:(void (^)(UNNotificationContent *))contentHandler {
        self.contentHandler = contentHandler;
        NSUserDefaults *shared = [[NSUserDefaults alloc] initWithSuiteName:@"group.com.example.shop"];
        dispatch_async(queue, ^{ if (shared) { self.contentHandler(request.content); } });
      }
      - (void)serviceExtensionTimeWillExpire {
        self.contentHandler(self.best);
      }
      @end
      """
    let files = TestFiles.shop.editing([
      .remove("Bell/NotificationService.swift"), .write("Bell/NotificationService.m", service),
      .replace(DoctorCase.pbx, "NotificationService.swift", "NotificationService.m"),
      .replace("Bell/Info.plist", "$(PRODUCT_MODULE_NAME).", ""),
    ])
    #expect(files.report().codes == [.handlerMaybeTwice])
    let wrongClass = files.editing([
      .replace("Bell/Info.plist", "<string>NotificationService", "<string>$(PRODUCT_MODULE_NAME).NotificationService")
    ])
    #expect(wrongClass.report().codes == [.principalClass, .handlerMaybeTwice])
  }

  @Test func `a plain folder of sounds`() {
    let files = TestFiles(files: [
      "a.caf": TestFiles.sound(seconds: 1), "b.wav": TestFiles.sound(seconds: 31, container: .wav),
      "c.mp3": Array("ID3".utf8) + [UInt8](repeating: 0, count: 99), "d.caf": [],
    ])
    #expect(
      files.report().findings.map { "\($0.place) \($0.code.rawValue)" } == [
        "b.wav ALD503", "c.mp3 ALD502", "d.caf ALD501",
      ])
    #expect(files.report("b.wav").codes == [.tooLongSound])
  }

  @Test func `unreadable parts are reported and the rest is checked`() {
    let files = TestFiles.shop.editing([
      .write("Shop/Info.plist", "<plist><dict>"), .replace(DoctorCase.pbx, "$(APP_ID).bell", "org.other"),
    ])
    #expect(files.report().codes == [.unreadablePlist, .bundlePrefix].sorted { $0.rawValue < $1.rawValue })
  }
}
