import Agenda
import Foundation
@testable import Operations
import Planning
import Settings
import Storage
import TestKit
import Testing

/// The rights of other users of the machine to the files of a home, as doctor reports them.
struct PrivateFilesTests {
    @Test func `Database files that other users can read are a problem`() async throws {
        try await withHome { home in
            let planner = try await home.planner()
            for file in ["", "-wal"] {
                try FileManager.default.setAttributes(
                    [.posixPermissions: 0o644], ofItemAtPath: home.home.database + file)
            }
            let open = await CheckTests.report(home).checks.first { $0.name == "database" }
            #expect(open?.status == .problem)
            let sentences = (open?.advice ?? []).map { action in
                if case .say(let sentence) = action { sentence } else { "" }
            }
            #expect(sentences.first?.contains("chmod 600 ") == true)
            #expect(sentences.first?.split(separator: " ").count == 8)
            try planner.store.close()
        }
    }

    @Test(arguments: [
        ("letsmeet.key", 0o644, "access"), ("secrets/smtp.password", 0o640, "access"),
        ("backups/a.sqlite", 0o644, "access"),
        ("crontab", 0o666, "change"), ("letsmeet.yaml", 0o606, "change"),
        ("templates/text", 0o777, "change"),
    ])
    func `Files that other users can read or change are a problem`(
        _ name: String, _ mode: Int, _ deed: String
    ) async throws {
        try await withHome { home in
            let planner = try await home.planner()
            let file = home.home.path + "/" + name
            let folder = URL(filePath: file).deletingLastPathComponent()
            let files = FileManager.default
            try files.createDirectory(at: folder, withIntermediateDirectories: true)
            if !files.fileExists(atPath: file) {
                #expect(files.createFile(atPath: file, contents: nil))
            }
            try files.setAttributes([.posixPermissions: mode], ofItemAtPath: file)
            let open = await CheckTests.report(home).checks.first { $0.name == "database" }
            #expect(open?.status == .problem)
            #expect(
                open?.detail.hasSuffix(": other users can \(deed) \(name)") == true,
                "\(open?.detail ?? "")")
            try planner.store.close()
        }
    }
}
