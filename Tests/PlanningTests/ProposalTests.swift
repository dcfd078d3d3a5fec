import Agenda
import Interchange
import Ledger
import Notifications
import Planning
import Sinks
import Storage
import TestKit
import Testing
import Timekeeping

/// Other times that guests propose with their calendar programs.
@Suite(.timeLimit(.minutes(5))) struct ProposalTests {
    private static let environment = [
        "LETSMEET_SMTP_URL": "smtp://127.0.0.1:1", "LETSMEET_MAIL_FROM": "olga@example.org",
    ]

    private func withLunch(_ body: (TestWorld, Planner, String) async throws -> Void) async throws {
        try await withTemporaryHome { world in
            let planner = try await world.planner(environment: Self.environment)
            try await planner.add("Anna", "anna@example.org")
            try await planner.add("Ben", "ben@example.org")
            let id = try await planner.create(.lunch(with: "Anna", "Ben")).meeting.id
            try await body(world, planner, id)
            #expect(try await planner.verifyLedger().faults.map(\.rule) == [])
        }
    }

    /// A proposal as a calendar program mails it.
    private func counter(
        _ id: String, _ start: String = "DTSTART:20261206T110000Z", from: String = "anna",
        word: String = ";PARTSTAT=TENTATIVE", sequence: Int = 0,
        stamp: String = "20261201T120000Z", more: String = ""
    ) -> [UInt8] {
        Array(
            """
            From: \(from)@example.org
            Content-Type: text/calendar; method=COUNTER; charset=utf-8

            BEGIN:VCALENDAR
            METHOD:COUNTER
            BEGIN:VEVENT
            UID:\(id)@letsmeet
            SEQUENCE:\(sequence)
            DTSTAMP:\(stamp)
            ATTENDEE\(word):mailto:\(from)@example.org
            \(more)\(start)
            COMMENT:The museum is shut
            END:VEVENT
            END:VCALENDAR
            """.utf8)
    }

    private func proposals(_ planner: Planner, _ id: String) async throws -> [String] {
        try await planner.meeting(id).participants.compactMap { guest in
            guest.proposed.map { "\(guest.name) \(guest.answer) \($0.start.text)" }
        }
    }

    private func open(_ planner: Planner, _ id: String, _ kind: String) async throws
        -> [StoryView]
    {
        try await planner.ledger(states: [.planned], meeting: id, limit: 99)
            .filter { $0.delivery.kind == kind }
    }

    @Test func `Who plans a meeting reads when somebody would rather meet`() async throws {
        try await withLunch { _, planner, id in
            let receipt = try await planner.receiveMail(counter(id))
            #expect(receipt.outcome == .proposed, "\(receipt.reason)")
            #expect(receipt.answer == "maybe")
            #expect(receipt.proposed?.start.text == "2026-12-06T13:00:00+02:00")
            #expect(
                try await proposals(planner, id) == ["Anna maybe 2026-12-06T13:00:00+02:00"])
            let told = try await open(planner, id, "proposal")
            #expect(told.map(\.name) == ["Olga Owner"])
            let body = told.first?.body ?? ""
            #expect(body.contains("Anna may come."))
            #expect(body.contains("Anna proposes another time: Sun 6 December 2026, 13:00–14:00"))
            #expect(body.contains("> The museum is shut"))
            #expect(try await open(planner, id, "answer").isEmpty)
            #expect(try await planner.receiveMail(counter(id)).outcome == .ignored)
        }
    }

    @Test func `What is taken moves the meeting, and nobody proposes it any more`() async throws {
        try await withLunch { world, planner, id in
            _ = try await planner.receiveMail(
                counter(id, "DTSTART:20261206T110000Z\nDURATION:PT3H"))
            let preview = try await planner.acceptProposal(id, who: nil, saving: false)
            #expect(preview.meeting.start.text == "2026-12-06T13:00:00+02:00")
            #expect(try await proposals(planner, id).count == 1)
            _ = try await world.engine(planner, sinks: [ScriptedSink(name: "mail")]).runOnce()
            let outcome = try await planner.acceptProposal(id, who: "Anna", saving: true)
            #expect(outcome.meeting.end.text == "2026-12-06T16:00:00+02:00")
            #expect(outcome.meeting.sequence == 1)
            #expect(try await proposals(planner, id).isEmpty)
            #expect(try await open(planner, id, "change").map(\.name).sorted() == ["Anna", "Ben"])
            let refused = await refusal {
                _ = try await planner.acceptProposal(id, who: nil, saving: true)
            }
            #expect(refused?.code == "no_proposal")
        }
    }

    @Test func `Who proposed what is refused is told, and so is their calendar`() async throws {
        try await withLunch { world, planner, id in
            let sink = ScriptedSink(name: "mail", takesEnclosures: true)
            _ = try await world.engine(planner, sinks: [sink]).runOnce()
            _ = try await planner.receiveMail(counter(id))
            let outcome = try await planner.refuseProposal(
                id, who: nil, note: "It is shut at noon only.", saving: true)
            #expect(outcome.meeting.sequence == 0)
            #expect(try await proposals(planner, id).isEmpty)
            // What nobody proposes any more need not be told.
            #expect(try await open(planner, id, "proposal").isEmpty)
            _ = try await world.engine(planner, sinks: [sink]).runOnce()
            let parcel = try #require(sink.parcels.last)
            #expect(parcel.kind == .refusal)
            #expect(parcel.address == "anna@example.org")
            #expect(parcel.enclosure?.entry?.method == .declineCounter)
            #expect(parcel.enclosure?.entry?.event.sequence == 0)
            #expect(parcel.text.contains("You proposed: Sun 6 December 2026, 13:00–14:00"))
            #expect(parcel.text.contains("It is shut at noon only."))
        }
    }

    @Test func `The last word of theirs counts, and a moved meeting asks anew`() async throws {
        try await withLunch { world, planner, id in
            _ = try await planner.receiveMail(counter(id))
            _ = try await planner.receiveMail(
                counter(id, "DTSTART:20261207T110000Z", stamp: "20261201T120001Z"))
            _ = try await planner.receiveMail(counter(id, from: "ben"))
            #expect(
                try await proposals(planner, id) == [
                    "Anna maybe 2026-12-07T13:00:00+02:00", "Ben maybe 2026-12-06T13:00:00+02:00",
                ])
            #expect(try await open(planner, id, "proposal").count == 2)
            let refused = await refusal {
                _ = try await planner.refuseProposal(id, who: nil, note: "", saving: true)
            }
            #expect(refused?.code == "ambiguous_person")
            _ = try await planner.answer(
                id, .going, who: "Ben", plus: nil, note: nil, saving: true)
            #expect(try await proposals(planner, id).count == 1)
            _ = try await planner.edit(id) { $0.start = "2026-12-05T13:00" }
            #expect(try await proposals(planner, id).isEmpty)
            let late = try await planner.receiveMail(
                counter(id, stamp: "20261201T120002Z"))
            #expect(late.reason.contains("before it was changed"))
        }
    }

    @Test func `What cannot be proposed is not`() async throws {
        try await withLunch { _, planner, id in
            for (mail, word) in [
                (counter(id, "SUMMARY:x"), "which time"),
                (counter(id, "DTSTART:20251206T110000Z"), "passed"),
                (counter(id, "DTSTART:29991206T110000Z"), "hundred years"),
                (counter(id, "DTSTART:20261206T110000Z\nDTEND:20261206T100000Z"), "understood"),
                (counter(id, "DTSTART:20261206T110000Z\nDTEND:20361206T100000Z"), "at most"),
                (counter(id, "DTSTART;TZID=Here:20261206T110000"), "understood"),
                (counter(id, "DTSTART:20261205T100000Z", word: ""), "the time that is set"),
                (counter(id, sequence: 4), "never sent"),
                (
                    counter(id, stamp: "x", more: "ATTENDEE:mailto:ben@example.org\n"),
                    "no reply"
                ),
            ] {
                let receipt = try await planner.receiveMail(mail)
                #expect(receipt.outcome == .ignored)
                #expect(receipt.reason.contains(word), "\(word): \(receipt.reason)")
            }
            #expect(try await proposals(planner, id).isEmpty)
            #expect(try await planner.meeting(id).participants.allSatisfy { $0.answer != "maybe" })
            // Some programs name all who are asked; its author proposes it.
            let many = counter(id, word: "", more: "ATTENDEE:mailto:ben@example.org\n")
            #expect(try await planner.receiveMail(many).outcome == .proposed)
            #expect(
                try await proposals(planner, id) == ["Anna invited 2026-12-06T13:00:00+02:00"])
        }
    }

    @Test func `Others see nothing of it, and decide nothing`() async throws {
        try await withLunch { world, planner, id in
            _ = try await planner.receiveMail(counter(id))
            let ben = try await world.planner(environment: Self.environment, actingAs: "Ben")
            #expect(try await proposals(ben, id).isEmpty)
            for deed in [
                { _ = try await ben.acceptProposal(id, who: nil, saving: true) },
                { _ = try await ben.refuseProposal(id, who: nil, note: "", saving: true) },
            ] as [() async throws -> Void] {
                #expect(await refusal(deed)?.code == "not_organizer")
            }
        }
    }
}
