import Foundation
import TestKit
import Testing

@Suite(.serialized, .timeLimit(.minutes(5))) struct LostHomeTests {
    private enum Loss: CaseIterable {
        case removed, replaced, moved
    }

    @Test(arguments: Loss.allCases)
    private func `A daemon exits with the reason if its database is removed or replaced`(
        loss: Loss
    ) async throws {
        try await withFolderOnDisk { folder in
            let home = folder + "/home"
            let database = home + "/letsmeet.sqlite"
            let letsmeet = Program("letsmeet", home: home)
            #expect(try await letsmeet.run("people", "add", "Anna").status == 0)
            let files = FileManager.default
            try files.copyItem(atPath: database, toPath: folder + "/other.sqlite")
            let daemon = try await RunningDaemon(home: home)
            switch loss {
            case .removed: try files.removeItem(atPath: database)
            case .replaced: #expect(rename(folder + "/other.sqlite", database) == 0)
            case .moved: try files.moveItem(atPath: home, toPath: folder + "/elsewhere")
            }
            #expect(await daemon.end() == 3)
            let said = await daemon.errors.wholeText()
            let what = loss == .replaced ? "is no longer the file" : "is gone"
            #expect(said.contains("error"), "\(said)")
            #expect(said.contains("letsmeetd: \(database) \(what)"), "\(said)")
            #expect(said.contains("start letsmeetd again."), "\(said)")
        }
    }

    @Test func `The latest changes are kept until the database is put back`() async throws {
        try await withFolderOnDisk { folder in
            let home = folder + "/home"
            let database = home + "/letsmeet.sqlite"
            let letsmeet = Program("letsmeet", home: home)
            let daemon = try await RunningDaemon(home: home)
            #expect(try await letsmeet.run("people", "add", "Anna").status == 0)
            let files = FileManager.default
            try files.moveItem(atPath: database, toPath: folder + "/away")
            #expect(await daemon.end() == 3)
            for program in ["letsmeetd", "letsmeet"] {
                let words = program == "letsmeet" ? ["people", "list"] : ["run"]
                let refused = try await Program(program, home: home).run(words)
                #expect(refused.status == 1)
                #expect(refused.errors.contains("still holds the latest changes"))
            }
            let doctor = try await letsmeet.run("doctor")
            #expect(doctor.output.contains("missing, but its write-ahead log exists"))
            #expect(!files.fileExists(atPath: database))
            try files.moveItem(atPath: folder + "/away", toPath: database)
            let people = try await letsmeet.run("people", "list", "--json")
            #expect(people.output.contains("Anna"), "\(people.output)")
        }
    }
}
