import AloudKit
import Announcing
import ExactJSON
import Foundation
import PushPayload
import Testing
import UserNotifications

/// Files of the App Group when something is wrong with them.
struct SharedFilesTests {
  private let names = ["hearing.json", "hearing.copy.json"]

  @Test(arguments: [["hearing.json"], ["hearing.copy.json"]])
  func `one damaged copy of the state loses nothing`(damaged: [String]) async throws {
    let phone = try SimulatedPhone()
    phone.push(SimulatedPhone.payment("e1", "5"), id: "r1")
    await phone.run(to: 1_010)
    try damage(phone, damaged)
    phone.push(SimulatedPhone.payment("e1", "5"), id: "r2")
    await phone.run(to: 1_020)
    #expect(phone.answers.map(\.code) == [.spoken, .duplicate])
    #expect(phone.decided("e1") == .spoken)
  }

  @Test func `with both copies damaged the shown notifications say what was spoken`() async throws {
    let phone = try SimulatedPhone()
    phone.push(SimulatedPhone.payment("e1", "5"), id: "r1")
    await phone.run(to: 1_010)
    try damage(phone, names)
    phone.push(SimulatedPhone.payment("e1", "5"), id: "r2")
    await phone.run(to: 1_020)
    phone.push(SimulatedPhone.payment("e2", "5"), id: "r3")
    await phone.run(to: 1_030)
    #expect(phone.answers.map(\.code) == [.spoken, .duplicate, .spoken])
  }

  @Test func `a state that cannot be written or is held for long leaves the fallback sound`() async throws {
    let phone = try SimulatedPhone()
    let lock = phone.folder.state.appendingPathComponent("hearing.lock").path
    let holder = open(lock, O_RDWR | O_CREAT, 0o600)
    #expect(flock(holder, LOCK_EX) == 0)
    phone.push(SimulatedPhone.payment("e1", "5"), id: "r1")
    await phone.settle()
    #expect(phone.answers.map(\.code) == [.sharedStateBusy] && phone.answers.map(\.sound) == ["fallback.caf"])
    // The holder dies: the kernel lets go.
    close(holder)
    phone.push(SimulatedPhone.payment("e2", "5"), id: "r2")
    await phone.settle()
    #expect(phone.answers.last?.code == .spoken)
  }

  @Test func `a state that the system has sealed, or whose folder is gone, has its own reason`() {
    #expect(SharedStateError(errno: EPERM) == .locked && SharedStateError(errno: EACCES) == .locked)
    #expect(SharedStateError(errno: ENOENT) == .noAppGroup && SharedStateError(errno: ENOSPC) == .notWritten)
  }

  private func damage(_ phone: SimulatedPhone, _ names: [String]) throws {
    for name in names {
      try Data("{\"v\":1,\"led".utf8).write(to: phone.folder.state.appendingPathComponent(name))
    }
  }

  // MARK: Receipts

  @Test func `a receipt stays until the server has taken it`() async throws {
    let phone = try SimulatedPhone()
    phone.push(SimulatedPhone.payment("e1", "5"), id: "r1")
    await phone.settle()
    let outbox = try #require(phone.phone.outbox)
    let name = try #require(phone.letters.all.first?.upload.name)
    for status in [nil, 401, 500] {
      outbox.answered(name, status: status)
      #expect(outbox.count == 1)
    }
    // The next handling sends it again once it has had its time, with the secret of now.
    try DeviceRecord(token: "cd34", secret: "new", profile: "").save(in: phone.folder)
    await phone.phone.tidy()
    #expect(phone.letters.all.count == 1)
    _ = phone.time.advance(to: 1_100)
    await phone.phone.tidy()
    #expect(phone.letters.all.count == 2 && phone.letters.all.last?.upload.headers["Authorization"] == "Device new")
    #expect(phone.letters.all.last?.body["token"] == "cd34")
    outbox.answered(name, status: 202)
    #expect(outbox.count == 0)
  }

  @Test(arguments: [true, false])
  func `a draft that was left behind is settled by its notification`(wasHanded: Bool) async throws {
    let phone = try SimulatedPhone()
    let receipt = Receipt(eventID: "e1", state: .played, code: .spoken, at: 1, route: .clips)
    let draft: JSON = ["request": "r1", "receipts": [receipt.json]]
    let file = phone.folder.state.appendingPathComponent("Receipts/lost.draft")
    try phone.folder.write(Array(draft.serialized().utf8), to: file)
    let old = Date(timeIntervalSince1970: phone.time.now.unixSeconds - 300)
    try FileManager.default.setAttributes([.modificationDate: old], ofItemAtPath: file.path)
    if wasHanded {
      phone.show(ShownNotification(requestID: "r1", userInfo: [ShownNotification.codeKey: "A100"], at: 0))
    }
    await phone.phone.tidy()
    #expect(phone.letters.receipts == (wasHanded ? [receipt] : []))
    #expect(phone.phone.outbox?.count == (wasHanded ? 1 : 0))
  }
}
