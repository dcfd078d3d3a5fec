import Sinks
import Notifications
import Agenda
import Ledger
import Planning
import TestKit
import Testing
import Timekeeping

/// The reasons of deliveries that a change supersedes.
@Suite(.timeLimit(.minutes(5))) struct SupersedingTests {
    private static func edit(_ change: (inout MeetingEdit) -> Void) -> MeetingEdit {
        var edit = MeetingEdit()
        change(&edit)
        return edit
    }

    private static let edits: [(edit: MeetingEdit, reason: String)] = [
        (edit { $0.start = "2026-12-05T13:00" }, "the start changed"),
        (edit { $0.duration = TimeSpan(days: 0, seconds: 7200) }, "the length changed"),
        (edit { $0.reminders = [] }, "the reminders changed"),
        (
            edit {
                $0.title = "Dinner"
                $0.start = "2026-12-05T19:00"
                $0.place = "Kappeli"
            }, "the title, the start and the place changed"
        ),
    ]

    @Test(arguments: edits)
    func `An edit names the facts that it changed`(edit: MeetingEdit, reason: String) async throws {
        try await withHome { world in
            let olga = try await world.planner()
            try await olga.add("Anna", "anna@example.org")
            let id = MeetingID(text: try await olga.create(.lunch(with: "Anna")).meeting.id)
            _ = try await olga.editMeeting(id, edit, saving: true)
            let rows = try await olga.ledger(states: [.superseded], meeting: id, limit: 99).rows
            #expect(!rows.isEmpty)
            #expect(Set(rows.map(\.delivery.reason)) == [reason])
        }
    }

    @Test func `A change of single or later dates of a series is named as such`() async throws {
        try await withHome { world in
            let olga = try await world.planner()
            try await olga.add("Anna", "anna@example.org")
            let start = "2026-12-19T14:00"
            for (edit, reason) in [
                (
                    Self.edit { ($0.date, $0.start) = ("2026-12-19", start) },
                    "the start changed for the date Sat 19 December 2026"
                ),
                (
                    Self.edit { ($0.from, $0.start) = ("2026-12-19", start) },
                    "later dates of the series changed"
                ),
            ] {
                var lunch = MeetingRequest.lunch(with: "Anna")
                lunch.repetition = "every week"
                let id = MeetingID(text: try await olga.create(lunch).meeting.id)
                _ = try await olga.editMeeting(id, edit, saving: true)
                let rows = try await olga.ledger(states: [.superseded], meeting: id, limit: 99)
                    .rows
                #expect(Set(rows.map(\.delivery.reason)) == [reason])
            }
        }
    }

    @Test func `Notifying people of quiet changes includes those of single dates, once`()
        async throws
    {
        try await withHome { world in
            let olga = try await world.planner()
            try await olga.add("Anna", "anna@example.org")
            var lunch = MeetingRequest.lunch(with: "Anna")
            lunch.repetition = "every week"
            let id = MeetingID(text: try await olga.create(lunch).meeting.id)
            _ = try await world.deliver()
            let quiet = Self.edit {
                ($0.date, $0.start, $0.isQuiet) = ("2026-12-19", "2026-12-19T14:00", true)
            }
            let kept = try await olga.editMeeting(id, quiet, saving: true)
            #expect(kept.notifications.added.allSatisfy { $0.kind == .reminder })
            let notifying = Self.edit { $0.isNotified = true }
            for isFirst in [true, false] {
                let told = try await olga.editMeeting(id, notifying, saving: true)
                let changes = told.notifications.added.filter { $0.kind == .change }
                let dates = changes.map { String($0.occurrence.prefix(8)) }
                #expect(dates == (isFirst ? ["20261219"] : []))
                _ = try await world.deliver()
            }
            #expect(try await olga.verifyLedger().faults.isEmpty)
        }
    }

    @Test func `The reason of a cancelled date names the date`() async throws {
        // The reminders of the date are planned 35 days ahead.
        try await withTemporaryHome { world in
            let olga = try await world.planner()
            try await olga.add("Anna", "anna@example.org")
            var lunch = MeetingRequest.lunch(with: "Anna")
            lunch.repetition = "every week"
            let id = MeetingID(text: try await olga.create(lunch).meeting.id)
            _ = try await olga.cancelMeeting(id, on: "2026-12-19", saving: true)
            let rows = try await olga.ledger(states: [.superseded], meeting: id, limit: 99).rows
            let reminders = rows.filter { $0.delivery.kind == .reminder }.map(\.delivery.reason)
            let reason = "the meeting was cancelled for the date Sat 19 December 2026"
            #expect(Set(reminders) == [reason])
        }
    }

    @Test func `A cancellation says whether the meeting is off or its receiver was removed`()
        async throws
    {
        try await withHome { world in
            let olga = try await world.planner()
            try await olga.add("Anna", "anna@example.org")
            try await olga.add("Ben", "ben@example.org")
            let id = MeetingID(
                text: try await olga.create(.lunch(with: "Anna", "Ben")).meeting.id)
            _ = try await world.engine(olga, sinks: [ScriptedSink(name: "stdout")]).runOnce()
            func reasons() async throws -> [String] {
                try await olga.ledger(states: [], meeting: id, limit: 99).rows
                    .filter { $0.delivery.kind == .cancellation }.map(\.because).sorted()
            }
            _ = try await olga.uninvite(["Ben"], from: id.text, saving: true)
            #expect(try await reasons() == ["Ben was removed from Lunch"])
            _ = try await olga.cancelMeeting(id, saving: true)
            #expect(try await reasons().first == "Lunch was cancelled")
        }
    }

    private func withLunch(
        _ body: (TestWorld, Planner, MeetingID) async throws -> Void
    ) async throws {
        try await withHome { world in
            let olga = try await world.planner()
            try await olga.add("Anna", "anna@example.org")
            let id = MeetingID(text: try await olga.create(.lunch(with: "Anna")).meeting.id)
            #expect(try await world.told(olga) == ["invitation Anna"])
            try await body(world, olga, id)
            #expect(try await world.told(olga).isEmpty)
            #expect(try await olga.verifyLedger().faults.isEmpty)
        }
    }

    @Test func `What is taken back before anybody was told of it is told to nobody`() async throws {
        try await withLunch { world, olga, id in
            _ = try await olga.cancelMeeting(id, saving: true)
            _ = try await olga.uncancelMeeting(id, saving: true)
            #expect(try await world.told(olga).isEmpty)
            _ = try await olga.cancelMeeting(id, saving: true)
            _ = try await olga.uncancelMeeting(id, saving: true)
            _ = try await olga.editMeeting(
                id, Self.edit { $0.start = "2026-12-06T12:00" }, saving: true)
            #expect(try await world.told(olga) == ["change Anna"])
        }
    }

    private func tellNote(_ olga: Planner, of id: MeetingID) async throws {
        _ = try await olga.editMeeting(
            id,
            Self.edit {
                $0.note = "Bring cake."
                $0.isNotified = true
            }, saving: true)
    }

    @Test func `Another note is told, even if all else was taken back`() async throws {
        try await withLunch { world, olga, id in
            _ = try await olga.editMeeting(
                id, Self.edit { $0.start = "2026-12-06T12:00" }, saving: true)
            try await tellNote(olga, of: id)
            _ = try await olga.editMeeting(
                id, Self.edit { $0.start = "2026-12-05T12:00" }, saving: true)
            #expect(try await world.told(olga) == ["change Anna"])
        }
    }

    @Test(arguments: [("Dinner", nil), (nil, "Bring cake.")] as [(String?, String?)])
    func `Texts that were edited beside a move that was taken back can be told later`(
        _ title: String?, _ note: String?
    ) async throws {
        try await withLunch { world, olga, id in
            for edit in [
                Self.edit { $0.start = "2026-12-06T12:00" },
                Self.edit { ($0.title, $0.note) = (title, note) },
                Self.edit { $0.start = "2026-12-05T12:00" },
            ] {
                _ = try await olga.editMeeting(id, edit, saving: true)
            }
            #expect(try await world.told(olga).isEmpty)
            let told = Self.edit { $0.isNotified = true }
            _ = try await olga.editMeeting(id, told, saving: true)
            #expect(try await world.told(olga) == ["change Anna"])
            let again = try await olga.editMeeting(id, told, saving: true)
            #expect(again.remarks == ["Nothing changes."])
        }
    }

    @Test func `Only who knows no texts beside a move that was taken back is told them later`()
        async throws
    {
        try await withLunch { world, olga, id in
            try await olga.add("Ben", "ben@example.org")
            _ = try await olga.invite(["Ben"], to: id.text, saving: true)
            #expect(try await world.told(olga) == ["invitation Ben"])
            _ = try await olga.edit(id.text) { $0.start = "2026-12-06T12:00" }
            let busy = ScriptedSink { outgoing, _ in
                AttemptReport(outgoing.name == "Anna" ? .retry : .accepted, reply: "busy")
            }
            _ = try await world.engine(olga, sinks: [busy]).runOnce()
            #expect(busy.messages.count == 2)
            _ = try await olga.edit(id.text) { $0.title = "Dinner" }
            _ = try await olga.edit(id.text) { $0.start = "2026-12-05T12:00" }
            #expect(try await world.told(olga) == ["change Ben"])
            let told = Self.edit { $0.isNotified = true }
            _ = try await olga.editMeeting(id, told, saving: true)
            // Anna is told although what comes next is taken back as well.
            for start in ["2026-12-06T12:00", "2026-12-05T12:00"] {
                _ = try await olga.edit(id.text) { $0.start = start }
                #expect(try await olga.brokenRules() == [])
            }
            #expect(try await world.told(olga) == ["change Anna"])
            let again = try await olga.editMeeting(id, told, saving: true)
            #expect(again.remarks == ["Nothing changes."])
        }
    }

    @Test func `Nothing is told later if a move that was taken back was all`() async throws {
        try await withLunch { world, olga, id in
            for start in ["2026-12-06T12:00", "2026-12-05T12:00"] {
                _ = try await olga.editMeeting(
                    id, Self.edit { $0.start = start }, saving: true)
            }
            let again = try await olga.editMeeting(
                id, Self.edit { $0.isNotified = true }, saving: true)
            #expect(again.remarks == ["Nothing changes."])
        }
    }

    @Test(arguments: [
        edit {
            $0.start = "2026-12-07T12:00"
            $0.isQuiet = true
        },
        edit { $0.note = "Bring cake." },
    ])
    func `What nobody was told can be told after a long history`(_ last: MeetingEdit)
        async throws
    {
        try await withLunch { world, olga, id in
            _ = try await olga.edit(id.text) { $0.start = "2026-12-06T12:00" }
            try await olga.add("Ben", "ben@example.org")
            for _ in 0..<50 {
                _ = try await olga.invite(["Ben"], to: id.text, saving: true)
                _ = try await olga.uninvite(["Ben"], from: id.text, saving: true)
            }
            _ = try await olga.edit(id.text) { $0.start = "2026-12-05T12:00" }
            _ = try await olga.editMeeting(id, last, saving: true)
            #expect(try await world.told(olga).isEmpty)
            _ = try await olga.edit(id.text) { $0.isNotified = true }
            #expect(try await world.told(olga) == ["change Anna"])
        }
    }

    @Test func `Another note is told to who was told of a new start`() async throws {
        try await withLunch { world, olga, id in
            _ = try await olga.editMeeting(
                id, Self.edit { $0.start = "2026-12-06T12:00" }, saving: true)
            #expect(try await world.told(olga) == ["change Anna"])
            try await tellNote(olga, of: id)
            #expect(try await world.told(olga) == ["change Anna"])
        }
    }

    @Test func `A change of several facts is told, although the start was taken back`()
        async throws
    {
        try await withLunch { world, olga, id in
            for (start, note) in [("2026-12-06T12:00", "Bring cash."), ("2026-12-05T12:00", nil)] {
                _ = try await olga.editMeeting(
                    id,
                    Self.edit {
                        $0.start = start
                        $0.note = note
                    }, saving: true)
            }
            #expect(try await world.told(olga) == ["change Anna"])
        }
    }
}
