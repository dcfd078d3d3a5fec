import Agenda
import Foundation
import Ledger
import Planning
import Settings
import Storage
import TestKit
import Testing

@Suite("Erasing a person")
struct EraseTests {
    /// The words that are found in the bytes of the files in the home folder: the database, its
    /// log and a backup.
    private static func traces(
        of words: [String], in home: TestWorld
    ) throws -> [String] {
        let folder = home.home.path
        let files = try FileManager.default.contentsOfDirectory(atPath: folder)
        var found: [String] = []
        for file in files.sorted() {
            guard let data = FileManager.default.contents(atPath: "\(folder)/\(file)") else {
                continue
            }
            for word in words where data.range(of: Data(word.utf8)) != nil {
                found.append("\(word) in \(file)")
            }
        }
        return found
    }

    @Test func `After erasing, no file contains the name or the address, and the ledger verifies`()
        async throws
    {
        try await withHome { home in
            let planner = try await home.planner()
            _ = try await planner.add("Zelda Quixote", "Zelda.Q@example.org")
            _ = try await planner.add("Ben", "ben@example.org")
            _ = try await planner.addCircle("Chess", members: ["zelda", "ben"])
            let id = try await planner.meet(
                "Dinner for zelda quixote", with: "Chess", note: "Ask ZELDA.Q@example.org first.")
            _ = try await home.deliver()
            let later = try await home.later(minutes: 1).planner()
            _ = try await later.answer(
                id, .going, who: "zelda", plus: 0, note: "Zelda Quixote comes", saving: true)
            _ = try await later.message(id, "Zelda Quixote brings wine", to: [], saving: true)
            let words = ["Zelda", "zelda", "ZELDA", "Quixote", "quixote"]
            #expect(try !Self.traces(of: words, in: home).isEmpty)
            let report = try await later.erasePerson("Zelda Quixote")
            let pseudonym = report.pseudonym
            try await later.store.backup(to: home.home.path + "/copy.backup", overwriting: false)
            #expect(try Self.traces(of: words, in: home) == [])
            #expect(try await later.brokenRules() == [])
            let meeting = try await later.meeting(id)
            #expect(meeting.title == "Dinner for \(pseudonym)")
            #expect(meeting.participants.map(\.name) == ["Olga Owner", "Ben"])
            let rows = try await later.deliveries(of: id, to: pseudonym.suffix(6).description)
            #expect(rows.contains { $0.delivery.state == .accepted })
            #expect(
                rows.filter { $0.delivery.state == .suppressed }
                    .allSatisfy { $0.delivery.reason == "erased" })
            #expect(!rows.contains { $0.delivery.state == .planned })
            let dropped = try #require(rows.first { $0.delivery.state == .suppressed })
            let retry = await refusalCode {
                _ = try await later.retryDeliveries([dropped.delivery.key])
            }
            #expect(retry == "erased")
            #expect(try await home.later(minutes: 2).deliver().count == 1)
            #expect(try await later.people().map(\.name) == ["Ben"])
        }
    }

    @Test func `A merged person is erased under all their names`() async throws {
        try await withHome { home in
            let planner = try await home.planner()
            _ = try await planner.add("Zelda Quixote", "zelda@example.org")
            _ = try await planner.add("Dulcinea Toboso", "dulcinea@example.org")
            _ = try await planner.meet("Games", with: "dulcinea@example.org", "zelda@example.org")
            _ = try await planner.addCircle("Friends of Zelda Quixote", members: [PersonID]())
            _ = try await planner.addCircle("Friends of Dulcinea-Toboso", members: [PersonID]())
            let place = home.home.path + "/zelda quixote.geojson"
            let feature = """
                {"type":"Feature","id":"node/1","properties":{"name":"Well"},\
                "geometry":{"type":"Point","coordinates":[1,2]}}
                """
            try Data(feature.utf8).write(to: URL(filePath: place))
            _ = try await planner.importPlaces(place)
            _ = try await planner.mergePeople("zelda@example.org", "dulcinea@example.org")
            let report = try await planner.erasePerson("Zelda Quixote")
            let pseudonym = report.pseudonym
            let circles = ["Friends of \(pseudonym)", "Friends of \(pseudonym) 2"]
            let named = try await planner.circles().map { $0.name.lowercased() }
            #expect(named == circles.map { $0.lowercased() })
            for name in circles { #expect(try await planner.circle(name).1.isEmpty) }
            let words = ["Zelda", "zelda", "Dulcinea", "dulcinea", "Toboso"]
            #expect(try Self.traces(of: words, in: home) == [])
            #expect(try await planner.brokenRules() == [])
        }
    }

    @Test func `Erasing a person keeps addresses that others share, and similar texts`()
        async throws
    {
        try await withHome { home in
            let planner = try await home.planner()
            let anna = try await planner.add("Anna Berg", "family@example.org", "ann@example.org")
            _ = try await planner.add("Ben Berg", "family@example.org")
            _ = try await planner.add("Joann Berger", "joann@example.org")
            let id = try await planner.meet(
                "Games", with: "joann",
                note: "joann@example.org, ann@example.org.uk, ann@example.org")
            _ = try await planner.erasePerson(anna.id)
            let pseudonym = "erased-\(anna.id.prefix(6))"
            #expect(
                try await planner.meeting(id).note
                    == "joann@example.org, ann@example.org.uk, \(pseudonym)")
            #expect(
                try await planner.contact("ben").emails.map(\.address) == ["family@example.org"])
        }
    }

    @Test func `The suppression of a shared address stays until the last person is erased`()
        async throws
    {
        try await withHome { home in
            let planner = try await home.planner()
            let anna = try await planner.add("Anna Berg", "family@example.org")
            let ben = try await planner.add("Ben Berg", "Family@example.org")
            for (channel, origin) in [("mail", Suppression.Origin.bounce), ("stdout", .hand)] {
                _ = try await planner.store.suppress(
                    Suppression(
                        address: "family@example.org", channel: channel, origin: origin,
                        reason: "a test", since: planner.now),
                    now: planner.now, saving: true,
                    replanning: planner.replanning(because: "a test"))
            }
            let before = try await planner.store.suppressions(limit: 9)
            #expect(before.count == 2)
            _ = try await planner.erasePerson(anna.id)
            #expect(try await planner.store.suppressions(limit: 9) == before)
            // The bounce goes with the last person. What somebody decided stays, unreadable.
            _ = try await planner.erasePerson(ben.id)
            let left = try await planner.store.suppressions(limit: 9)
            #expect(left.map(\.origin) == [.hand])
            #expect(left.map(\.address) == ["erased-\(ben.id.prefix(6))"])
            #expect(try Self.traces(of: ["family@", "Family@"], in: home) == [])
        }
    }

    @Test func `A person's own contacts, circles, places and calendars are erased with them`()
        async throws
    {
        try await withHome { home in
            let planner = try await home.planner()
            let anna = try await planner.add("Anna Berg", "anna@example.org")
            let annas = try await home.planner(actingAs: "Anna")
            var quirin = ContactEdit()
            (quirin.name, quirin.emails) = ("Quirin", ["quirin@example.net"])
            quirin.note = "Knows the janitor"
            _ = try await annas.addPerson(quirin)
            _ = try await annas.addCircle("Anna's choir", members: ["quirin@example.net"])
            _ = try await annas.addPlace("Annas Laube", near: "60.17,24.94", address: "Ring 7")
            _ = try await planner.add("Zoe Zander", "zoe@example.org")
            _ = try await planner.erasePerson(anna.id)
            let own = ["janitor", "choir", "Laube", "Ring 7"]
            #expect(try Self.traces(of: own, in: home) == [])
            #expect(try await planner.person(named: "zoe@example.org").name == "Zoe Zander")
        }
    }

    @Test func `The owner and the organizer of a coming meeting cannot be erased`() async throws {
        try await withHome { home in
            let planner = try await home.planner()
            _ = try await planner.add("Anna", "anna@example.org")
            _ = try await home.planner(actingAs: "Anna").meet("Games", with: "b@example.org")
            let code = await refusalCode {
                _ = try await planner.erasePerson("anna")
            }
            #expect(code == "organizes")
            let own = await refusalCode {
                _ = try await planner.erasePerson("Olga Owner")
            }
            #expect(own == "is_owner")
        }
    }

    @Test func `A person cannot be erased while a delivery to them is being sent`() async throws {
        try await withHome { home in
            let planner = try await home.planner()
            let anna = try await planner.add("Anna", "anna@example.org")
            _ = try await planner.meet("Games", with: "anna")
            let due = try await planner.store.dueDeliveries(through: planner.now, limit: 9)
            let worker = try await planner.store.takeOnWorker(named: "dead", now: planner.now)
            _ = try await planner.store.beginAttempts(
                due.map(\.id), by: worker, dueAt: planner.now, now: planner.now,
                zones: planner.surroundings.zones)
            let code = await refusalCode {
                _ = try await planner.erasePerson("anna")
            }
            #expect(code == "sending")
            #expect(try await planner.contact(anna.id).name == "Anna")
            #expect(try await home.later(minutes: 1).deliver().count == 1)
            let later = try await home.later(minutes: 2).planner()
            #expect(try await later.erasePerson("anna").id == anna.id)
            #expect(try await later.brokenRules() == [])
        }
    }

    @Test func `The replies of mail servers lose the erased person's name and address`()
        async throws
    {
        try await withHome { home in
            let planner = try await home.planner()
            _ = try await planner.add("Anna Berg", "anna@example.org")
            let id = try await planner.meet("Games", with: "anna")
            let store = planner.store
            let due = try await store.dueDeliveries(through: planner.now, limit: 9).map(\.id)
            try await store.beginAndDie(due, now: planner.now)
            let report = AttemptReport(
                .accepted, code: "250", reply: "anna@example.org, taken for Anna Berg")
            _ = try await store.finishAttempts(
                due.map { FinishedAttempt(id: $0, report: report, verdict: Verdict(.accepted)) },
                now: planner.now
            ) { _ in planner.replanning(because: "nothing") }
            let pseudonym = try await planner.erasePerson("Anna Berg").pseudonym
            let rows = try await planner.deliveries(of: id, to: pseudonym.suffix(6).description)
            let replies = rows.flatMap(\.delivery.attempts).map(\.reply)
            #expect(replies == ["\(pseudonym), taken for \(pseudonym)"])
            #expect(try Self.traces(of: ["anna@", "Anna", "Berg"], in: home) == [])
            #expect(try await planner.brokenRules() == [])
        }
    }

    @Test func `Finding a person to erase changes nothing`() async throws {
        try await withHome { home in
            let planner = try await home.planner()
            _ = try await planner.add("Anna", "anna@example.org")
            #expect(try await planner.personToErase(named: "anna").name == "Anna")
            #expect(try await planner.contact("anna").name == "Anna")
        }
    }
}
