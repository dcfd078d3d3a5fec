import Agenda
import Foundation
import Ledger
import Operations
import Planning
import Settings
import Storage
import TestKit
import Testing
import Timekeeping

@testable import Jobs

@Suite struct JobRunnerTests {
    private func run(_ words: String, _ world: TestWorld, _ planner: Planner) async throws
        -> JobRunView
    {
        try await planner.runJob(words.split(separator: " ").map(String.init), on: world.machine)
    }

    @Test func `Only the owner sees and checks the crontab`() async throws {
        try await withTemporaryHome { world in
            let planner = try await world.planner()
            _ = try await planner.add("Anna", "anna@example.org")
            let anna = try await world.planner(actingAs: "Anna")
            let listed = await refusal { _ = try await anna.cronList() }
            #expect(listed?.code == "not_allowed")
            let checked = await refusal { _ = try anna.checkCrontab(nil) }
            #expect(checked?.code == "not_allowed")
        }
    }

    @Test func `Only the owner runs jobs`() async throws {
        try await withTemporaryHome { world in
            let planner = try await world.planner()
            _ = try await planner.add("Anna", "anna@example.org")
            let anna = try await world.planner(actingAs: "Anna")
            for job in ["backup --keep 2", "ledger prune --keep 90d", "digest daily", "none"] {
                let refused = await refusal { _ = try await run(job, world, anna) }
                #expect(refused?.code == "not_allowed")
                #expect(refused?.message.hasSuffix("may run jobs.") == true)
            }
        }
    }

    @Test func `Backups are kept up to the given number, and no other files are removed`()
        async throws
    {
        try await withTemporaryHome { world in
            let planner = try await world.planner()
            for _ in 1...4 {
                _ = try await run("backup --keep 2", world, planner)
                world.clock.advance(bySeconds: 86_400)
            }
            let folder = world.home.backups
            try "mine".write(
                toFile: folder + "/letsmeet-2020.backup", atomically: true, encoding: .utf8)
            _ = try await run("backup --keep 2", world, planner)
            _ = try await run("backup --keep 2", world, planner)
            let files = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
            #expect(
                files == [
                    "letsmeet-2020.backup", "letsmeet-20261205T120000Z-2.backup",
                    "letsmeet-20261205T120000Z.backup",
                ])
        }
    }

    @Test func `A backup can be restored`() async throws {
        try await withTemporaryHome { world in
            let planner = try await world.planner()
            _ = try await run("backup", world, planner)
            try planner.store.close()
            let file = try #require(
                try FileManager.default.contentsOfDirectory(atPath: world.home.backups).first)
            let report = try await Planner.restore(
                world.surroundings(), from: "\(world.home.backups)/\(file)")
            #expect(report.bytes > 0)
        }
    }

    @Test func `A folder of cards is imported without duplicates`() async throws {
        try await withTemporaryHome { world in
            let folder = world.home.path + "/cards"
            let planner = try await world.planner(settings: [.contactsFolder: folder])
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: true)
            func write(_ uid: String, _ name: String) throws {
                let card = """
                    BEGIN:VCARD\r\nVERSION:3.0\r\nUID:\(uid)\r\nFN:\(name)\r\nN:;\(name);;;\r\n\
                    EMAIL:\(uid)@example.org\r\nEND:VCARD\r\n
                    """
                try card.write(
                    toFile: "\(folder)/\(uid).vcf", atomically: true, encoding: .utf8)
            }
            #expect(
                try await run("contacts sync", world, planner).detail
                    == "\(folder) contains no cards")
            try write("a", "Anna Alm")
            try write("b", "Ben Berg")
            #expect(try await run("contacts sync", world, planner).detail.hasPrefix("2 new, 0"))
            try write("b", "Benjamin Berg")
            try write("c", "Cleo Carr")
            #expect(
                try await run("contacts sync", world, planner).detail
                    == "1 new, 1 changed, 1 unchanged\nBen Berg is now called Benjamin Berg")
            #expect(
                try await run("contacts sync", world, planner).detail
                    == "0 new, 0 changed, 3 unchanged")
            #expect(try await planner.people().count == 3)
        }
    }

    @Test func `Without a folder there is nothing to import, and a missing folder is a failure`()
        async throws
    {
        try await withTemporaryHome { world in
            let planner = try await world.planner()
            #expect(
                try await run("contacts sync", world, planner).detail.hasPrefix("nothing to do"))
            let other = try await world.planner(settings: [.contactsFolder: "/no/such/folder"])
            let code = await refusal { _ = try await run("contacts sync", world, other) }?.code
            #expect(code == "no_file")
        }
    }

    @Test func `Jobs without work say so, and what helps`() async throws {
        try await withTemporaryHome { world in
            let planner = try await world.planner()
            let places = try await run("places refresh", world, planner).remark
            #expect(places.text.hasPrefix("nothing to do"))
            #expect(places.advice == [.places(.fetch(city: nil))])
            let digest = try await run("digest weekly", world, planner).remark
            #expect(digest.text == "nothing to do: nobody has chosen weekly digests")
            #expect(digest.advice == [.deliveries(.chooseDigest(.weekly))])
            #expect(
                try await run("ledger prune", world, planner).detail == "0 texts and 0 runs removed"
            )
            let zones = try await run("tzdata check", world, planner).detail
            #expect(zones.hasPrefix("tzdata ") && zones.hasSuffix("nothing changed"))
        }
    }

    @Test(arguments: ["owner.tz: Nowhere\n", "area: [\n"])
    func `The crontab is not checked if the settings that it needs are wrong`(
        settings: String
    ) async throws {
        try await withTemporaryHome { world in
            _ = try await world.planner()
            try settings.write(
                toFile: world.home.configuration, atomically: true, encoding: .utf8)
            let doctor = Doctor(homeOption: world.home.path, machine: world.machine)
            #expect(doctor.crontabCheck.status == .warning)
            #expect(doctor.crontabCheck.detail == "not checked")
        }
    }

    @Test func `An unknown job is refused, and shell commands are refused by default`()
        async throws
    {
        try await withTemporaryHome { world in
            let planner = try await world.planner()
            let code = await refusal { _ = try await run("frobnicate", world, planner) }?.code
            #expect(code == "unknown_job")
            let other = await refusal { _ = try await run("run date", world, planner) }?.code
            #expect(other == "shell_not_allowed")
        }
    }

    @Test func `A line can be run by its id, with its variables, and the run is recorded`()
        async throws
    {
        try await withTemporaryHome { world in
            let planner = try await world.planner(settings: [.allowShell: "true"])
            try "WORD=hello\n@daily id=greet run echo $WORD".write(
                toFile: world.home.crontab, atomically: true, encoding: .utf8)
            let view = try await run("greet", world, planner)
            #expect(view.state == "done" && view.detail == "hello" && view.origin == "hand")
            let list = try await planner.cronList()
            #expect(list.daemon == .none)
            #expect(list.lines.map(\.id) == ["greet"])
            #expect(list.lines.first?.last?.detail == "hello")
        }
    }

    @Test func `A guest cannot run jobs`() async throws {
        try await withTemporaryHome { world in
            let owner = try await world.planner()
            var edit = ContactEdit()
            edit.name = "Anna Alm"
            _ = try await owner.addPerson(edit)
            let guest = try await world.planner(actingAs: "Anna Alm")
            let code = await refusal { _ = try await run("backup", world, guest) }?.code
            #expect(code == "not_allowed")
        }
    }
}
