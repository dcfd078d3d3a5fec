import Storage
import Ledger
import Agenda
import Calendars
import Planning
import TestKit
import Testing
import Timekeeping

/// The dates of a series that its participants see.
@Suite struct SeenDatesTests {
    /// Olga's weekly lunch from 4 December on, without Ben on 18 December, when it is elsewhere,
    /// and with Dora on the 18th only.
    private func withLunches(
        _ body: (TestWorld, _ olga: Planner, _ id: MeetingID) async throws -> Void
    ) async throws {
        try await withTemporaryHome { world in
            let olga = try await world.planner()
            for name in ["Ben", "Dora"] {
                try await olga.add(name, "\(name.lowercased())@example.org")
            }
            var request = MeetingRequest.lunch(with: "Ben", start: "2026-12-04T12:00")
            request.repetition = "every friday, 4 times"
            let id = try await olga.create(request).meeting.id
            _ = try await olga.uninvite(["Ben"], from: id, on: "2026-12-18", saving: true)
            _ = try await olga.invite(["Dora"], to: id, on: "2026-12-18", saving: true)
            _ = try await olga.edit(id) {
                $0.date = "2026-12-18"
                $0.place = "Secret cellar"
            }
            try await body(world, olga, MeetingID(text: id))
        }
    }

    private func dates(_ view: MeetingView) -> [String] { view.dates.map(\.occurrence) }

    private func code(_ body: () async throws -> Void) async -> String? {
        await #expect(throws: Refusal.self) { try await body() }?.code
    }

    @Test func `A participant does not see the date from which they were removed`() async throws {
        try await withLunches { world, olga, id in
            let ben = try await world.planner(actingAs: "Ben")
            let whole = try await ben.sight(of: id)
            #expect(
                dates(whole) == ["20261204T120000", "20261211T120000", "20261225T120000"])
            #expect(try await ben.sight(of: id, on: "2026-12-11").occurrence == "20261211T120000")
            #expect(
                await code { _ = try await ben.sight(of: id, on: "2026-12-18") }
                    == "unknown_meeting")
            #expect(try await dates(olga.sight(of: id)).count == 4)
        }
    }

    @Test func `A guest of one date sees that date instead of the series`() async throws {
        try await withLunches { world, _, id in
            let dora = try await world.planner(actingAs: "Dora")
            let own = try await dora.sight(of: id)
            #expect(own.occurrence == "20261218T120000" && own.dates.isEmpty)
            #expect(own.place?.text == "Secret cellar")
            #expect(own.participants.map(\.name) == ["Olga Owner", "Dora"])
            #expect(
                await code { _ = try await dora.sight(of: id, on: "2026-12-11") }
                    == "unknown_meeting")
            // After the date, it is still the one to see.
            world.clock.advance(bySeconds: 30 * 86_400)
            let later = try await world.planner(actingAs: "Dora")
            #expect(try await later.sight(of: id).occurrence == "20261218T120000")
        }
    }

    @Test func `Changes of other dates are not in the history`() async throws {
        try await withLunches { world, olga, id in
            let ben = try await world.planner(actingAs: "Ben")
            let dora = try await world.planner(actingAs: "Dora")
            func occurrences(_ planner: Planner) async throws -> Set<String> {
                Set(try await planner.history(of: id).map(\.entry.occurrence))
            }
            #expect(try await occurrences(olga) == ["", "20261218T120000"])
            #expect(try await occurrences(ben) == [""])
            #expect(try await occurrences(dora) == ["20261218T120000"])
        }
    }

    @Test func `The history of a hidden date stays hidden when its series moves`() async throws {
        try await withLunches { world, olga, id in
            _ = try await olga.edit(id.text) { $0.start = "2026-12-05T12:00" }
            let ben = try await world.planner(actingAs: "Ben")
            let history = try await ben.history(of: id)
            #expect(!history.isEmpty && history.allSatisfy { $0.entry.occurrence.isEmpty })
            #expect(try await olga.history(of: id).contains { !$0.entry.occurrence.isEmpty })
        }
    }

    @Test func `Answers and refusals tell nothing about hidden dates`() async throws {
        try await withLunches { world, olga, id in
            // The hidden date comes before all others.
            _ = try await olga.edit(id.text) {
                $0.date = "2026-12-18"
                $0.start = "2026-12-03T11:11"
            }
            let ben = try await world.planner(actingAs: "Ben")
            let seen = try await ben.sight(of: id)
            #expect(seen.nextOccurrence?.text == "2026-12-04T12:00:00+02:00")
            let said = try await ben.answer(
                id, .going, of: ben.actor, plus: nil, note: nil, saving: true)
            #expect(said.meeting.dates.count == 3)
            #expect(!said.meeting.dates.contains { $0.place == "Secret cellar" })
            let old = Moment(milliseconds: 1)
            let changed = await #expect(throws: Refusal.self) {
                _ = try await ben.answer(
                    id, .maybe, of: ben.actor, plus: nil, note: nil, seeing: old, saving: true)
            }
            #expect(changed?.code == "time_changed")
            #expect(changed?.message.contains("Fri 4 Dec 2026, 12:00") == true)
            let dora = try await world.planner(actingAs: "Dora")
            #expect(
                await code {
                    _ = try await dora.answer(
                        id, .maybe, of: dora.actor, plus: nil, note: nil, seeing: old,
                        saving: true)
                } == "not_a_participant")
            #expect(
                await code {
                    _ = try await ben.answer(
                        id, on: "2026-12-18", .maybe, of: ben.actor, plus: nil, note: nil,
                        saving: true)
                } == "not_a_participant")
        }
    }

    @Test func `A calendar file contains the dates that its reader sees`() async throws {
        try await withLunches { world, olga, id in
            func file(_ planner: Planner) async throws -> String {
                let octets = try await planner.exportMeeting(id)
                #expect(try await planner.exportCalendar() == octets)
                #expect(try await planner.exportCalendar(rowsAtOnce: 1) == octets)
                return String(decoding: octets, as: UTF8.self).replacing("\r\n", with: "\n")
            }
            let all = try await file(olga)
            #expect(all.contains("Secret cellar") && all.contains("RRULE:FREQ=WEEKLY"))
            let without = try await file(try await world.planner(actingAs: "Ben"))
            #expect(!without.contains("Secret cellar"))
            #expect(without.contains("RRULE:FREQ=WEEKLY"))
            #expect(without.contains("EXDATE;TZID=Europe/Helsinki:20261218T120000"))
            let one = try await file(try await world.planner(actingAs: "Dora"))
            #expect(one.contains("Secret cellar") && !one.contains("RRULE:FREQ=WEEKLY"))
            #expect(one.contains("RECURRENCE-ID;TZID=Europe/Helsinki:20261218T120000"))
        }
    }
}
