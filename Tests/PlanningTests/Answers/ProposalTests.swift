import Agenda
import Inbox
import Interchange
import Ledger
import Notifications
import Planning
import Sinks
import Storage
import TestKit
import Testing
import Timekeeping

/// Proposals of other times, which guests make with their calendar programs.
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
            let faults = try await planner.verifyLedger().faults
            #expect(faults.isEmpty, "\(faults)")
        }
    }

    /// A mail with a proposal, as calendar programs send it.
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

    private func open(_ planner: Planner, _ id: String, _ kind: NotificationKind) async throws
        -> [StoryView]
    {
        try await planner.ledger(states: [.planned], meeting: id, limit: 99)
            .filter { $0.delivery.kind == kind }
    }

    @Test func `The organizer is notified of a proposal, with time and comment`() async throws {
        try await withLunch { _, planner, id in
            let receipt = try await planner.receiveMail(counter(id))
            #expect(receipt.outcome == .proposed, "\(receipt.reason)")
            #expect(receipt.answer == .maybe)
            #expect(receipt.proposed?.start.text == "2026-12-06T13:00:00+02:00")
            #expect(receipt.proposed?.unsigned == true)
            let stored = try await planner.meeting(id).participants.compactMap(\.proposed)
            #expect(stored.map(\.unsigned) == [true])
            #expect(
                try await proposals(planner, id) == ["Anna maybe 2026-12-06T13:00:00+02:00"])
            let told = try await open(planner, id, .proposal)
            #expect(told.map(\.name) == ["Olga Owner"])
            let body = told.first?.body ?? ""
            #expect(body.contains("Anna may come."))
            #expect(body.contains("Anna proposes another time: Sun 6 December 2026, 13:00–14:00"))
            #expect(body.contains("> The museum is shut"))
            #expect(try await open(planner, id, .answer).isEmpty)
            #expect(try await planner.receiveMail(counter(id)).outcome == .ignored)
        }
    }

    @Test func `An accepted proposal moves the meeting and is closed`() async throws {
        try await withLunch { world, planner, id in
            _ = try await planner.receiveMail(
                counter(id, "DTSTART:20261206T110000Z\nDURATION:PT3H"))
            let preview = try await planner.accept(id, saving: false)
            #expect(preview.meeting.start.text == "2026-12-06T13:00:00+02:00")
            #expect(try await proposals(planner, id).count == 1)
            _ = try await world.engine(planner, sinks: [ScriptedSink(name: "mail")]).runOnce()
            let outcome = try await planner.accept(id, by: "Anna")
            #expect(outcome.meeting.end.text == "2026-12-06T16:00:00+02:00")
            #expect(outcome.meeting.sequence == 1)
            #expect(try await proposals(planner, id).isEmpty)
            #expect(try await open(planner, id, .change).map(\.name).sorted() == ["Anna", "Ben"])
            let refused = await refusal {
                _ = try await planner.accept(id)
            }
            #expect(refused?.code == "no_proposal")
        }
    }

    @Test func `The author of a refused proposal is notified, also in their calendar`() async throws
    {
        try await withLunch { world, planner, id in
            let sink = ScriptedSink(name: "mail", takesEnclosures: true)
            _ = try await world.engine(planner, sinks: [sink]).runOnce()
            _ = try await planner.receiveMail(counter(id))
            let outcome = try await planner.refuse(id, note: "It is shut at noon only.")
            #expect(outcome.meeting.sequence == 0)
            #expect(try await proposals(planner, id).isEmpty)
            // A refused proposal is not notified any more.
            #expect(try await open(planner, id, .proposal).isEmpty)
            _ = try await world.engine(planner, sinks: [sink]).runOnce()
            let outgoing = try #require(sink.messages.last)
            #expect(outgoing.kind == .refusal)
            #expect(outgoing.address == "anna@example.org")
            #expect(outgoing.enclosure?.entry?.method == .declineCounter)
            #expect(outgoing.enclosure?.entry?.event.sequence == 0)
            #expect(outgoing.text.contains("You proposed: Sun 6 December 2026, 13:00–14:00"))
            #expect(outgoing.text.contains("It is shut at noon only."))
        }
    }

    @Test func `The last proposal of a guest counts until the meeting moves`() async throws {
        try await withLunch { world, planner, id in
            _ = try await planner.receiveMail(counter(id))
            _ = try await planner.receiveMail(
                counter(id, "DTSTART:20261207T110000Z", stamp: "20261201T120001Z"))
            _ = try await planner.receiveMail(counter(id, from: "ben"))
            #expect(
                try await proposals(planner, id) == [
                    "Anna maybe 2026-12-07T13:00:00+02:00", "Ben maybe 2026-12-06T13:00:00+02:00",
                ])
            #expect(try await open(planner, id, .proposal).count == 2)
            let refused = await refusal {
                _ = try await planner.refuse(id)
            }
            #expect(refused?.code == "ambiguous_proposal")
            _ = try await planner.answer(
                id, .going, who: "Ben", plus: nil, note: nil, saving: true)
            #expect(try await proposals(planner, id).count == 1)
            _ = try await planner.edit(id) { $0.start = "2026-12-05T13:00" }
            #expect(try await proposals(planner, id).isEmpty)
            let late = try await planner.receiveMail(
                counter(id, stamp: "20261201T120002Z"))
            #expect(late.reason.contains("before the meeting was moved"))
        }
    }

    @Test func `A proposal without a valid time of its own counts from its arrival`() async throws {
        try await withLunch { _, planner, id in
            let undated = try await planner.receiveMail(counter(id, stamp: "x"))
            #expect(undated.outcome == .proposed, "\(undated.reason)")
            #expect(try await proposals(planner, id).count == 1)
        }
    }

    @Test func `An impossible proposal is ignored`() async throws {
        try await withLunch { _, planner, id in
            for (start, word) in [
                ("SUMMARY:x", "which time"), ("DTSTART:20251206T110000Z", "has passed"),
                ("DTSTART:29991206T110000Z", "cannot be moved"),
                ("DTSTART:20261206T110000Z\nDTEND:20261206T100000Z", "understood"),
                ("DTSTART:20261206T110000Z\nDTEND:20361206T100000Z", "cannot be moved"),
                ("DTSTART;TZID=Here:20261206T110000", "understood"),
                ("DTSTART:20261205T100000Z", "that of the meeting"),
            ] {
                let receipt = try await planner.receiveMail(counter(id, start, word: ""))
                #expect(receipt.outcome == .ignored)
                #expect(receipt.reason.contains(word), "\(word): \(receipt.reason)")
            }
            #expect(try await proposals(planner, id).isEmpty)
            #expect(try await planner.meeting(id).participants.allSatisfy { $0.answer != .maybe })
            // Some programs list all invited people; the author of the mail made the proposal.
            let many = counter(id, word: "", more: "ATTENDEE:mailto:ben@example.org\n")
            #expect(try await planner.receiveMail(many).outcome == .proposed)
            #expect(
                try await proposals(planner, id) == ["Anna invited 2026-12-06T13:00:00+02:00"])
        }
    }

    @Test func `An answer counts even if the proposal with it is not valid`() async throws {
        try await withLunch { _, planner, id in
            let receipt = try await planner.receiveMail(
                counter(id, "DTSTART:20251206T110000Z", word: ";PARTSTAT=DECLINED"))
            #expect(receipt.outcome == .answered)
            #expect(receipt.reason == "the proposed time has passed")
            let anna = try await planner.meeting(id).participants.first { $0.name == "Anna" }
            #expect(anna?.answer == .declined)
            #expect(anna?.proposed == nil)
        }
    }

    @Test func `A proposal without an answer keeps the earlier answer`() async throws {
        try await withLunch { _, planner, id in
            _ = try await planner.answer(
                id, .going, who: "Anna", plus: 1, note: "With cake", saving: true)
            let mail = String(decoding: counter(id, word: ""), as: UTF8.self)
                .replacing("COMMENT:The museum is shut\n", with: "")
            let receipt = try await planner.receiveMail(Array(mail.utf8))
            #expect(receipt.outcome == .proposed, "\(receipt.reason)")
            let anna = try await planner.meeting(id).participants.first { $0.name == "Anna" }
            #expect(anna?.answer == .going)
            #expect(anna?.note == "With cake")
            #expect(anna?.byOther == true)
            #expect(anna?.unsigned == false)
        }
    }

    @Test func `Accepting a proposal that was replaced meanwhile is refused`() async throws {
        try await withLunch { _, planner, id in
            _ = try await planner.receiveMail(counter(id))
            let choice = try await planner.proposal(for: id, by: nil)
            _ = try await planner.receiveMail(
                counter(id, "DTSTART:20261207T110000Z", stamp: "20261201T120001Z"))
            let refused = await refusal { _ = try await planner.accept(choice, saving: true) }
            #expect(refused?.code == "no_proposal")
            let name = try await planner.meeting(id).participants.compactMap(\.proposed?.id).first
            #expect(
                try await planner.accept(id, by: name).meeting.start.text.hasPrefix("2026-12-07"))
        }
    }

    @Test func `A proposed time that occurs twice is not confused with the other one`() async throws
    {
        try await withTemporaryHome { world in
            let planner = try await world.planner(environment: Self.environment)
            try await planner.add("Anna", "anna@example.org")
            let id = try await planner.create(
                .lunch(with: "Anna", start: "2027-10-30T12:00")
            ).meeting.id
            _ = try await planner.receiveMail(counter(id, "DTSTART:20271031T013000Z"))
            let refused = await refusal { _ = try await planner.accept(id) }
            #expect(refused?.code == "repeated_time")
            _ = try await planner.receiveMail(
                counter(id, "DTSTART:20271031T003000Z", stamp: "20261201T120001Z"))
            #expect(
                try await planner.accept(id).meeting.start.text == "2027-10-31T03:30:00+03:00")
        }
    }

    @Test func `Accepting the proposal of a guest who declined reopens their answer`() async throws
    {
        try await withLunch { _, planner, id in
            _ = try await planner.receiveMail(counter(id, word: ";PARTSTAT=DECLINED"))
            _ = try await planner.accept(id)
            let anna = try await planner.meeting(id).participants.first { $0.name == "Anna" }
            #expect(anna?.answer == .invited)
        }
    }

    @Test func `A move of the meeting keeps the notification of the answer, for the old time`()
        async throws
    {
        try await withLunch { world, planner, id in
            _ = try await planner.receiveMail(counter(id, word: ";PARTSTAT=DECLINED"))
            _ = try await planner.edit(id) { $0.start = "2026-12-05T13:00" }
            #expect(try await open(planner, id, .proposal).isEmpty)
            let told = try await open(planner, id, .answer)
            #expect(told.count == 1)
            #expect(told.first?.body?.contains("Anna isn't coming.") == true)
            let sink = ScriptedSink(name: "mail")
            _ = try await world.engine(planner, sinks: [sink]).runOnce()
            #expect(
                sink.messages.contains { message in
                    message.kind == .answer && message.address == "olga@example.org"
                        && message.text.contains(
                            "The answer was for the old time: Sat 5 December 2026, 12:00")
                })
        }
    }

    @Test func `Answers and proposals to a cancelled meeting are not notified`() async throws {
        try await withLunch { world, planner, id in
            _ = try await planner.receiveMail(counter(id))
            let ben = try await world.planner(environment: Self.environment, actingAs: "Ben")
            _ = try await ben.answer(id, .going, who: nil, plus: nil, note: nil, saving: true)
            #expect(try await open(planner, id, .answer).count == 1)
            #expect(try await open(planner, id, .proposal).count == 1)
            _ = try await planner.cancelMeeting(id, saving: true)
            #expect(try await open(planner, id, .answer).isEmpty)
            #expect(try await open(planner, id, .proposal).isEmpty)
        }
    }

    @Test func `An unsent refusal is dropped when the meeting moves to the refused time`()
        async throws
    {
        try await withLunch { world, planner, id in
            let sink = ScriptedSink(name: "mail")
            _ = try await world.engine(planner, sinks: [sink]).runOnce()
            _ = try await planner.receiveMail(counter(id))
            _ = try await planner.refuse(id)
            #expect(try await open(planner, id, .refusal).count == 1)
            _ = try await planner.edit(id) { $0.start = "2026-12-06T13:00" }
            #expect(try await open(planner, id, .refusal).isEmpty)
        }
    }

    @Test func `An answer sent before the proposal was refused still counts`() async throws {
        try await withLunch { world, planner, id in
            _ = try await planner.receiveMail(counter(id))
            world.clock.advance(bySeconds: 3600)
            _ = try await planner.refuse(id)
            let answer = String(decoding: counter(id, stamp: "20261201T120500Z"), as: UTF8.self)
                .replacing("COUNTER", with: "REPLY").replacing("TENTATIVE", with: "ACCEPTED")
            let receipt = try await planner.receiveMail(Array(answer.utf8))
            #expect(receipt.outcome == .answered, "\(receipt.reason)")
        }
    }

    @Test func `A refusal carries the sequence that the guest knows`() async throws {
        try await withLunch { world, planner, id in
            let sink = ScriptedSink(name: "mail", takesEnclosures: true)
            let engine = try world.engine(planner, sinks: [sink])
            _ = try await engine.runOnce()
            _ = try await planner.uninvite(["Anna"], from: id, saving: true)
            _ = try await engine.runOnce()
            _ = try await planner.invite(["Anna"], to: id, saving: true)
            _ = try await engine.runOnce()
            let known = sink.messages.last?.enclosure?.entry?.event.sequence
            #expect(known == 2)
            let proposed = try await planner.receiveMail(counter(id, sequence: 2))
            #expect(proposed.outcome == .proposed, "\(proposed.reason)")
            _ = try await planner.refuse(id)
            _ = try await engine.runOnce()
            let outgoing = try #require(sink.messages.last { $0.kind == .refusal })
            #expect(outgoing.enclosure?.entry?.event.sequence == known)
        }
    }

    @Test func `Erasing a person removes their proposal and its notification`() async throws {
        try await withLunch { world, planner, id in
            _ = try await planner.receiveMail(counter(id))
            let before = try await open(planner, id, .proposal)
            #expect(before.map { $0.body?.contains("museum") } == [true])
            _ = try await planner.erasePerson("Anna")
            #expect(try await open(planner, id, .proposal).isEmpty)
            let rows = try await planner.ledger(states: [], meeting: id, limit: 99)
            #expect(rows.allSatisfy { $0.body?.contains("museum") != true })
        }
    }

    @Test func `Other guests neither see proposals nor decide on them`() async throws {
        try await withLunch { world, planner, id in
            _ = try await planner.receiveMail(counter(id))
            let ben = try await world.planner(environment: Self.environment, actingAs: "Ben")
            #expect(try await proposals(ben, id).isEmpty)
            for deed in [
                { _ = try await ben.accept(id) },
                { _ = try await ben.refuse(id) },
            ] as [() async throws -> Void] {
                #expect(await refusal(deed)?.code == "not_organizer")
            }
        }
    }
}

extension Planner {
    fileprivate func accept(
        _ meeting: String, by who: String? = nil, saving: Bool = true
    ) async throws -> MeetingOutcome {
        try await accept(try await proposal(for: meeting, by: who), saving: saving)
    }

    @discardableResult
    fileprivate func refuse(_ meeting: String, note: String = "") async throws -> MeetingOutcome {
        try await refuse(try await proposal(for: meeting, by: nil), note: note, saving: true)
    }
}
