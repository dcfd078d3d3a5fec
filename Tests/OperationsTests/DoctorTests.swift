import Agenda
import Foundation
@testable import Operations
import TestKit
import Testing
import Timekeeping

@testable import Planning

@Suite struct DoctorTests {
    @Test(arguments: [
        (-1, true, HealthCheck.Status.ok), (-1, false, .ok), (0, false, .ok), (1, false, .warning),
        (120, true, .ok), (121, true, .warning), (300, true, .warning), (301, true, .problem),
        (301, false, .problem),
    ])
    func `An overdue delivery becomes a problem with time, and is a warning without a daemon`(
        lateSeconds: Int64, hasDaemon: Bool, status: HealthCheck.Status
    ) {
        let check = Doctor.ledgerCheck(
            openDeliveries: 2, lateMilliseconds: lateSeconds * 1000, hasDaemon: hasDaemon)
        #expect(check.status == status)
        guard status != .ok else { return }
        #expect(check.detail.contains(hasDaemon ? "although a daemon" : "no daemon"))
        #expect(check.advice.contains(.installation(.sendNow)) == !hasDaemon)
        #expect(!check.advice.isEmpty)
    }

    @Test(arguments: [
        ("2025b", "2026-06-30T23:59:59Z", false), ("2025b", "2026-07-01T00:00:00Z", true),
        ("2026f", "2026-11-25T00:00:00Z", false), ("2019c", "2026-01-01T00:00:00Z", true),
        ("", "2026-11-25T00:00:00Z", false), ("unknown", "2026-11-25T00:00:00Z", false),
    ])
    func `Time zone rules are old half a year after their year`(
        version: String, now: String, areOld: Bool
    ) throws {
        #expect(try Doctor.areOldRules(version, at: Moment.parse(now)) == areOld)
    }

    private func facts(
        _ kind: HomeFacts.Kind, mayEnter: Bool = true, mayRead: Bool = true, mayWrite: Bool = true
    ) -> HomeFacts {
        var facts = HomeFacts(path: "/a/home", kind: kind)
        facts.mayEnter = mayEnter
        facts.mayRead = mayRead
        facts.mayWrite = mayWrite
        return facts
    }

    @Test func `A home that cannot be used is a problem with advice`() {
        let bad = [
            (facts(.file), "is a file, not a folder"),
            (facts(.unreachable(reason: "Permission denied")), "cannot be reached"),
            (facts(.nothing(above: "/a"), mayWrite: false), "cannot be created in /a"),
            (facts(.folder(mode: 0o500), mayWrite: false), "cannot be written"),
            (facts(.folder(mode: 0o600), mayEnter: false), "cannot be entered"),
            (facts(.folder(mode: 0o755)), "other users can access it"),
        ]
        for (facts, words) in bad {
            #expect(facts.check.status == .problem)
            #expect(facts.check.detail.contains(words))
            #expect(!facts.check.advice.isEmpty)
        }
        #expect(facts(.folder(mode: 0o700)).check.status == .ok)
        #expect(facts(.nothing(above: "/a")).check.status == .ok)
        #expect(!facts(.folder(mode: 0o600), mayEnter: false).isUsable)
    }

    @Test func `Folders, files and missing paths are recognized`() async throws {
        try await withTemporaryFolder { folder in
            let file = folder + "/file"
            _ = FileManager.default.createFile(atPath: file, contents: nil)
            #expect(HomeFacts(path: folder).kind == .folder(mode: 0o700))
            #expect(HomeFacts(path: file).kind == .file)
            #expect(HomeFacts(path: folder + "/a/b").kind == .nothing(above: folder))
            #expect(
                HomeFacts(path: file + "/a").kind == .unreachable(reason: "Not a directory"))
        }
    }
}
