import ProjectDoctor
import Testing

/// False alarms are faults.
struct UsualAppTests {
  @Test(arguments: UsualApp.all)
  func `a usual app gives nothing above a hint`(_ app: UsualApp) {
    let report = app.tree.report()
    #expect(report.serious.map { "\($0.place) \($0.code) \($0.detail)" } == [])
    #expect(report.filesChecked >= 3)
  }

  @Test(arguments: UsualApp.all)
  func `a usual app is read: a fault put into it is found`(_ app: UsualApp) throws {
    var tree = app.tree
    let isCode = { (path: String) in path.hasSuffix(".swift") || path.hasSuffix(".m") || path.hasSuffix(".mm") }
    let path = try #require(tree.files.keys.filter(isCode).sorted().first)
    tree.files[path]? += Array("\n// \nvoid f() { [[AVAudioSession sharedInstance] setOutputVolume:1]; }\n".utf8)
    #expect(tree.report().serious.map(\.code) == [.inventedAPI])
  }

  @Test(arguments: [
    // Called from a closure and again when time runs out.
    ("Task { contentHandler(content) }", "contentHandler?(best!)", true),
    ("load { sound in self.contentHandler?(best!) }", "contentHandler?(best!)", true),
    ("if ready { contentHandler(content) } else { contentHandler(content) }", "contentHandler?(best!)", false),
    ("contentHandler(content); contentHandler(content)", "", true),
    ("if ready { contentHandler(content); return }; contentHandler(content)", "", false),
    ("switch kind { case 1: contentHandler(content) default: contentHandler(content) }", "", false),
    ("do { try load(); contentHandler(content) } catch { contentHandler(content) }", "", false),
  ])
  func `the content handler is called twice only where it is`(_ body: String, _ expiry: String, _ isTwice: Bool) {
    let service = """
      import UserNotifications
      class NotificationService: UNNotificationServiceExtension {
        var contentHandler: ((UNNotificationContent) -> Void)?
        override func didReceive(_ r: UNNotificationRequest, withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void) {
          \(body)
        }
        override func serviceExtensionTimeWillExpire() { \(expiry) }
      }
      """
    let report = TestFiles.shop.editing([.write("Bell/NotificationService.swift", service)]).report()
    #expect(report.codes.contains(.handlerMaybeTwice) == isTwice)
  }
}
