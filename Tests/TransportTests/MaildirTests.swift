import Foundation
import TestKit
import Testing
import Timekeeping
import Transport

@Suite struct MaildirTests {
    private func withMaildir(_ body: (Maildir, String) throws -> Void) async throws {
        try await withTemporaryFolder { folder in
            for name in ["new", "cur", "tmp"] {
                try FileManager.default.createDirectory(
                    atPath: "\(folder)/\(name)", withIntermediateDirectories: true)
            }
            try body(Maildir(path: folder), folder)
        }
    }

    private func names(_ folder: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
    }

    @Test func `What is taken is marked as every program marks it, and the rest stays`()
        async throws
    {
        try await withMaildir { maildir, folder in
            for name in ["new/1.a", "new/2.b", "cur/3.c:2,RF", "cur/4.d:2,S", "cur/5.e"] {
                try "Subject: \(name)\n\n".write(
                    toFile: "\(folder)/\(name)", atomically: false, encoding: .utf8)
            }
            let entries = try maildir.entries(since: .earliest)
            #expect(entries.map(\.name) == ["1.a", "2.b", "3.c", "4.d", "5.e"])
            let second = Array("Subject: new/2.b\n\n".utf8)
            #expect(maildir.octets(of: entries[1], atMost: 100) == second)
            #expect(maildir.octets(of: entries[1], atMost: 5) == nil)
            for entry in entries.dropFirst() { try maildir.markRead(entry) }
            #expect(try names("\(folder)/new") == ["1.a"])
            #expect(
                try names("\(folder)/cur") == ["2.b:2,S", "3.c:2,FRS", "4.d:2,S", "5.e:2,S"])
            // Gone meanwhile: another program has read and moved it.
            try maildir.markRead(entries[1])
            #expect(maildir.octets(of: entries[1], atMost: 100) == nil)
        }
    }

    @Test func `Old mails, folders, pipes and what has no folder are no mails`() async throws {
        try await withMaildir { maildir, folder in
            try "Old\n".write(toFile: "\(folder)/new/1.old", atomically: false, encoding: .utf8)
            try FileManager.default.setAttributes(
                [.modificationDate: Date(timeIntervalSince1970: 1_000)],
                ofItemAtPath: "\(folder)/new/1.old")
            try FileManager.default.createDirectory(
                atPath: "\(folder)/new/2.folder", withIntermediateDirectories: false)
            #expect(mkfifo("\(folder)/new/3.pipe", 0o600) == 0)
            try FileManager.default.createSymbolicLink(
                atPath: "\(folder)/new/4.link", withDestinationPath: "/etc/passwd")
            #expect(try maildir.entries(since: Moment(seconds: 2_000)).isEmpty)
            #expect(throws: TransportError.self) {
                try Maildir(path: "\(folder)/none").entries(since: .earliest)
            }
        }
    }
}
