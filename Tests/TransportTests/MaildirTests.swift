import Foundation
import TestKit
import Testing
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

    @Test func `A mail is marked as read the way every mail program does, and the others stay`()
        async throws
    {
        try await withMaildir { maildir, folder in
            for name in ["new/1.a", "new/2.b", "cur/3.c:2,RF", "cur/4.d:2,S", "cur/5.e"] {
                try "Subject: \(name)\n\n".write(
                    toFile: "\(folder)/\(name)", atomically: false, encoding: .utf8)
            }
            let entries = try maildir.entries()
            #expect(entries.map(\.name) == ["1.a", "2.b", "3.c", "4.d", "5.e"])
            let second = Array("Subject: new/2.b\n\n".utf8)
            guard
                case .mail(second, let seconds) = maildir.content(
                    of: entries[1], since: 0, atMost: 100)
            else {
                Issue.record("the mail is not read")
                return
            }
            #expect(
                maildir.content(of: entries[1], since: 0, atMost: 5)
                    == .large(Array("Subje".utf8), seconds: seconds))
            #expect(maildir.content(of: entries[1], since: seconds + 1, atMost: 100) == nil)
            for entry in entries.dropFirst() { try maildir.markRead(entry) }
            #expect(try names("\(folder)/new") == ["1.a"])
            #expect(
                try names("\(folder)/cur") == ["2.b:2,S", "3.c:2,FRS", "4.d:2,S", "5.e:2,S"])
            // Another program has read and moved the mail in the meantime.
            try maildir.markRead(entries[1])
            #expect(maildir.content(of: entries[1], since: 0, atMost: 100) == .gone)
        }
    }

    @Test func `Folders, pipes, links and missing folders are not mails`() async throws {
        try await withMaildir { maildir, folder in
            try FileManager.default.createDirectory(
                atPath: "\(folder)/new/2.folder", withIntermediateDirectories: false)
            #expect(mkfifo("\(folder)/new/3.pipe", 0o600) == 0)
            try FileManager.default.createSymbolicLink(
                atPath: "\(folder)/new/4.link", withDestinationPath: "/etc/passwd")
            for entry in try maildir.entries() {
                #expect(maildir.content(of: entry, since: 0, atMost: 10_000) == .unreadable)
            }
            #expect(throws: Maildir.Fault.self) {
                _ = try Maildir(path: "\(folder)/none").entries()
            }
        }
    }
}
