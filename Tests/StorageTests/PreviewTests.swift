import Agenda
import GRDB
import Ledger
import Planning
import TestKit
import Testing
import Timekeeping

@testable import Storage

/// Previews: the use cases behind commands with `--dry-run`.
@Suite struct PreviewTests {
    private typealias Action = (name: String, run: @Sendable (Planner) async throws -> Void)

    private static let changesOfMeetings: [Action] = [
        ("new", { _ = try await $0.createMeeting(.lunch(with: "Ben"), saving: false) }),
        (
            "edit",
            {
                var edit = MeetingEdit()
                edit.start = "2026-12-02T18:00"
                _ = try await $0.editMeeting("Games", edit, saving: false)
            }
        ),
        ("cancel", { _ = try await $0.cancelMeeting("Games", saving: false) }),
        (
            "cancel a date",
            { _ = try await $0.cancelMeeting("Choir", on: "2026-12-15", saving: false) }
        ),
        (
            "uncancel",
            {
                let id = try await $0.meeting("Gone").id
                _ = try await $0.uncancelMeeting(MeetingID(text: id), saving: false)
            }
        ),
        (
            "copy",
            {
                var request = MeetingRequest.lunch(with: "circle:Chess")
                request.title = "Games"
                _ = try await $0.createMeeting(request, saving: false)
            }
        ),
        ("invite", { _ = try await $0.invite(["Ben"], to: "Games", saving: false) }),
        ("uninvite", { _ = try await $0.uninvite(["Anna"], from: "Games", saving: false) }),
        (
            "rsvp",
            {
                _ = try await $0.answer(
                    "Games", .maybe, who: "Anna", plus: nil, note: nil, saving: false)
            }
        ),
        ("nudge", { _ = try await $0.nudge("Supper", who: [], note: "", saving: false) }),
        ("message", { _ = try await $0.message("Games", "Hello", to: [], saving: false) }),
        (
            "snooze",
            {
                let hour = TimeSpan(days: 0, seconds: 3600)
                _ = try await $0.snooze("Games", .after(hour), who: nil, saving: false)
            }
        ),
        (
            "drop",
            {
                let key = try await $0.outbox().rows.first?.key
                _ = try await $0.dropDeliveries([try #require(key)], saving: false)
            }
        ),
    ]

    private static let changesOfPeople: [Action] = [
        ("merge", { _ = try await $0.mergePeople("Anna", "Ben", saving: false) }),
        (
            "unmerge",
            {
                let kept = try await $0.person(named: "anna@example.org")
                _ = try await $0.unmergePerson(kept, saving: false)
            }
        ),
        (
            "remove",
            { _ = try await $0.removePerson($0.person(named: "Ben"), saving: false) }
        ),
        (
            "delete circle",
            { _ = try await $0.deleteCircle($0.circle(named: "Chess"), saving: false) }
        ),
        (
            "unsuppress",
            {
                _ = try await $0.unsuppress("v@example.org", channel: nil, saving: false)
            }
        ),
        (
            "remove sink",
            {
                let own = try await $0.channelViews().first { $0.owner != nil }
                _ = try await $0.removeChannel(try #require(own).name, saving: false)
            }
        ),
        (
            "quiet hours of a circle",
            {
                let hours = [try WeekSpan.parse("20:00-09:00")]
                let circle = try await $0.circle(named: "Chess")
                _ = try await $0.setQuietHours(hours, of: circle, saving: false)
            }
        ),
        (
            "policy",
            {
                var policy = PolicyEdit()
                policy.reminders = .own([TimeSpan(days: 0, seconds: 7200)])
                _ = try await $0.setPolicy(policy, of: "Ben", saving: false)
            }
        ),
        (
            "suppress",
            {
                _ = try await $0.suppress(
                    "anna@example.org", channel: nil, until: nil, reason: nil, saving: false)
            }
        ),
        (
            "add sink",
            {
                var request = ChannelRequest()
                request.kind = "webhook"
                request.url = "https://a.example"
                request.readers = try await $0.readers(who: "Ben")
                _ = try await $0.addChannel(request, saving: false)
            }
        ),
    ]

    /// All rows of all tables.
    private func rows(_ planner: Planner) async throws -> [String: [String]] {
        try await planner.store.read { db in
            let tables = try String.fetchAll(
                db, sql: "SELECT name FROM sqlite_master WHERE type = 'table'")
            var rows: [String: [String]] = [:]
            for table in tables {
                rows[table] = try Row.fetchAll(
                    db, sql: "/* SQLite */ SELECT * FROM \"\(table)\""
                ).map { "\($0)" }.sorted()
            }
            return rows
        }
    }

    @Test func `A preview changes nothing in the database`() async throws {
        try await TwoPeople.with { world, planner in
            _ = try await planner.mergePeople("anna@example.org", "anya@example.org")
            _ = try await planner.meet("Supper", with: "ben@example.org")
            _ = try await planner.meet("Gone", with: "ben@example.org")
            _ = try await planner.cancelMeeting("Gone", saving: true)
            var series = MeetingRequest.lunch(with: "Ben", start: "2026-12-08T19:00")
            (series.title, series.repetition) = ("Choir", "weekly")
            try await planner.create(series)
            _ = try await planner.suppress(
                "v@example.org", channel: nil, until: nil, reason: nil, saving: true)
            var request = ChannelRequest()
            (request.kind, request.url) = ("webhook", "https://b.example")
            request.readers = try await planner.readers(who: "Ben")
            _ = try await planner.addChannel(request, saving: true)
            world.clock.advance(bySeconds: 20 * 86_400)
            let before = try await rows(planner)
            for action in Self.changesOfMeetings + Self.changesOfPeople {
                try await action.run(planner)
                let after = try await rows(planner)
                let changed = after.keys.filter { before[$0] != after[$0] }.sorted()
                #expect(changed == [], "\(action.name)")
            }
        }
    }
}
