import Agenda
import Ledger
import Notifications
import Planning
import Settings
import Sinks
import Testing
import TestKit
import Timekeeping
import Wording

/// The page and the answers of guests who open their private links.
@Suite struct GuestVisitTests {
    static let base: [SettingName: String] = [
        .baseURL: "https://meet.example.org/x/", .sinks: "stdout",
    ]

    func withGuests(
        _ body: (_ planner: Planner, _ world: TestWorld) async throws -> Void
    ) async throws {
        try await withHome { world in
            let planner = try await world.planner(settings: Self.base)
            _ = try await planner.add("Anna Aalto", "anna@example.org")
            _ = try await planner.add("Ben", "ben@example.org")
            _ = try await planner.meet(
                "Games", with: "anna", "ben", "cyd@example.org", note: "Bring dice")
            try await body(planner, world)
            #expect(try await planner.brokenRules() == [])
        }
    }

    func token(
        _ who: String, _ planner: Planner, _ change: LinkChange = .none
    ) async throws -> String {
        let links = try await planner.guestLinks(of: "Games", to: [who], change: change)
        let url = try #require(links.links.first?.url)
        #expect(url.hasPrefix("https://meet.example.org/x/g/"))
        return String(url.suffix(32))
    }

    @Test func `A guest sees the meeting and its participants, but no addresses`() async throws {
        try await withGuests { planner, _ in
            let visit = try #require(try await planner.visit(by: token("anna", planner)))
            #expect(visit.readerName == "Anna Aalto")
            #expect(visit.meeting.title == "Games")
            #expect(visit.meeting.participants.map(\.name).contains("cyd"))
            let view = try JSONText.of(visit.meeting)
            for address in ["ben@example.org", "cyd@example.org"] {
                #expect(!view.contains(address))
            }
            #expect(AnswerWords.counts(visit.turnout) == "1 going · 3 haven't answered")
        }
    }

    @Test func `A guest answers one date of a recurring meeting on that date's page`() async throws
    {
        try await withGuests { planner, _ in
            var edit = MeetingEdit()
            edit.repetition = "weekly, 3 times"
            let dates = try await planner.editMeeting("Games", edit, saving: true).meeting.dates
            let names = dates.map(\.occurrence)
            let token = try await token("anna", planner)
            let whole = try #require(try await planner.visit(by: token))
            #expect(whole.date == nil && whole.dates.count == 3)
            #expect(whole.repetition == "every week, 3 times")
            let second = try #require(try await planner.visit(by: token, on: names[1]))
            #expect(second.repetition == nil && second.dates.isEmpty)
            #expect(second.when != whole.when)
            try await second.answer(GuestReply(word: "no", plus: "", note: "Ill"))
            let again = try #require(try await planner.visit(by: token, on: names[1]))
            #expect(again.guest?.answer == .declined && again.guest?.note == "Ill")
            let all = try #require(try await planner.visit(by: token))
            #expect(all.guest?.answer == .invited)
            // A text that names no date shows the whole meeting.
            for name in ["20300101T120000", "x", "../"] {
                #expect(try await planner.visit(by: token, on: name)?.date == nil)
            }
            let file = String(decoding: try #require(await second.calendarFile()), as: UTF8.self)
            #expect(file.contains("RRULE:FREQ=WEEKLY"))
        }
    }

    @Test func `A guest invited to one date sees only that date, also in their calendar`()
        async throws
    {
        try await withGuests { planner, _ in
            var edit = MeetingEdit()
            edit.repetition = "weekly, 3 times"
            let dates = try await planner.editMeeting("Games", edit, saving: true).meeting.dates
            let second = dates[1].occurrence
            _ = try await planner.invite(
                ["dan@example.org"], to: "Games", on: second, saving: true)
            let visit = try #require(try await planner.visit(by: token("dan@example.org", planner)))
            #expect(visit.date == second)
            try await visit.answer(GuestReply(word: "yes", plus: "", note: ""))
            let view = try await planner.meeting("Games", on: second)
            #expect(view.participants.last?.answer == .going)
            let file = String(decoding: try #require(await visit.calendarFile()), as: UTF8.self)
            #expect(file.contains("RECURRENCE-ID") && !file.contains("RRULE:FREQ=WEEKLY"))
        }
    }

    @Test func `The last answer counts, and repeating it changes nothing`() async throws {
        try await withGuests { planner, _ in
            let token = try await token("anna", planner)
            for (word, plus) in [("maybe", ""), ("yes", " 2 "), ("yes", "2")] {
                let visit = try #require(try await planner.visit(by: token))
                try await visit.answer(GuestReply(word: word, plus: plus, note: "Hi\r\nyou"))
            }
            let guest = try await planner.meeting("Games").participants.first {
                $0.name == "Anna Aalto"
            }
            #expect(guest?.answer == .going && guest?.plus == 2 && guest?.note == "Hi\nyou")
            #expect(guest?.byOther == false)
            let visit = try #require(try await planner.visit(by: self.token("ben", planner)))
            #expect(!(try JSONText.of(visit.meeting)).contains("Hi"))
            #expect(AnswerWords.counts(visit.turnout) == "4 going · 2 haven't answered")
        }
    }

    @Test(arguments: [
        ("perhaps", "", "", "bad_answer"), ("", "", "", "bad_answer"),
        ("yes", "51", "", "too_many_guests"), ("yes", "-1", "", "too_many_guests"),
        ("yes", "99999999999999999999", "", "too_many_guests"),
        ("yes", "two", "", "too_many_guests"),
        ("no", "0", String(repeating: "x", count: 5001), "long_note"),
        ("no", "0", "a\u{0}b", "bad_note"),
    ])
    func `An invalid answer is refused, and changes nothing`(
        _ word: String, _ plus: String, _ note: String, _ code: String
    ) async throws {
        try await withGuests { planner, _ in
            let visit = try #require(try await planner.visit(by: token("anna", planner)))
            let refused = await refusal {
                try await visit.answer(GuestReply(word: word, plus: plus, note: note))
            }
            #expect(refused?.code == code)
            let german = Language.german
            #expect(german.problem(code) != german.problem("any other problem"))
            let guest = try await planner.meeting("Games").participants.first {
                $0.name == "Anna Aalto"
            }
            #expect(guest?.answer == .invited)
        }
    }

    @Test func `A revoked or replaced link is not valid any more`() async throws {
        try await withGuests { planner, world in
            let old = try await token("anna", planner)
            let new = try await token("anna", planner, .renewed)
            #expect(old != new)
            #expect(try await planner.visit(by: old) == nil)
            #expect(try await planner.visit(by: new) != nil)
            #expect(try await token("anna", planner) == new)
            let gone = try await planner.guestLinks(of: "Games", to: ["anna"], change: .revoked)
            #expect(gone.links.first.map { $0.url } == .some(nil))
            #expect(try await planner.visit(by: new) == nil)
            let third = try await token("anna", planner)
            #expect(![old, new].contains(third))
            #expect(try await planner.visit(by: third) != nil)
            #expect(try await planner.visit(by: token("ben", planner)) != nil)
            // Another process on the same home makes the same link.
            #expect(try await token("anna", world.planner(settings: Self.base)) == third)
        }
    }

    @Test(arguments: [
        "", "x", "style.css", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
        "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA", "' OR 1=1 --", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\0",
    ])
    func `An invalid link finds nothing and changes nothing`(_ token: String) async throws {
        try await withGuests { planner, _ in
            #expect(try await planner.visit(by: token) == nil)
            #expect(try await planner.subscription(by: token) == nil)
            try await planner.set(false, by: token)
        }
    }

    @Test func `A removed guest sees nothing of the meeting until invited again`() async throws {
        try await withGuests { planner, _ in
            let token = try await token("anna", planner)
            _ = try await planner.uninvite(["anna"], from: "Games", saving: true)
            let off = try #require(try await planner.visit(by: token))
            #expect(off.guest == nil)
            #expect(try await off.calendarFile() == nil)
            let refused = await refusal {
                try await off.answer(GuestReply(word: "yes", plus: "", note: ""))
            }
            #expect(refused?.code == "not_a_participant")
            _ = try await planner.invite(["anna"], to: "Games", saving: true)
            #expect(try await planner.visit(by: token)?.guest != nil)
        }
    }

    @Test func `A meeting that is cancelled or over takes no answers`() async throws {
        try await withGuests { planner, world in
            let token = try await token("anna", planner)
            let later = try await world.later(minutes: 110_000).planner(settings: Self.base)
            let over = try #require(try await later.visit(by: token))
            let late = await refusal {
                try await over.answer(GuestReply(word: "yes", plus: "", note: ""))
            }
            #expect(over.isOver && late?.code == "meeting_over")
            _ = try await planner.cancelMeeting("Games", saving: true)
            let off = try #require(try await planner.visit(by: token))
            let refused = await refusal {
                try await off.answer(GuestReply(word: "yes", plus: "", note: ""))
            }
            #expect(off.isCancelled && refused?.code == "meeting_cancelled")
            let file = try await String(decoding: off.calendarFile() ?? [], as: UTF8.self)
            #expect(file.contains("STATUS:CANCELLED\r\n"))
        }
    }

    @Test func `A merged person keeps the link, and an erased person loses it`() async throws {
        try await withGuests { planner, _ in
            let token = try await token("anna", planner)
            _ = try await planner.mergePeople("ben", "anna", saving: true)
            #expect(try await planner.visit(by: token)?.readerName == "Ben")
            _ = try await planner.erasePerson("ben")
            #expect(try await planner.visit(by: token) == nil)
        }
    }

    @Test func `A name that is an address is not shown, not even to the organizer`() async throws {
        try await withGuests { planner, _ in
            _ = try await planner.add("dora@old.example.org", "dora@example.org")
            _ = try await planner.invite(["dora@example.org"], to: "Games", saving: true)
            let visit = try #require(try await planner.visit(by: token("anna", planner)))
            #expect(visit.meeting.participants.map(\.name).contains("dora"))
            #expect(!(try JSONText.of(visit.meeting)).contains("@old"))
            let links = try await planner.guestLinks(
                of: "Games", to: [planner.owner.name], change: .none)
            let own = try #require(links.links.first?.url?.suffix(32))
            let planners = try #require(try await planner.visit(by: own))
            #expect(planners.isOrganizer)
            #expect(!(try JSONText.of(planners.meeting)).contains("@example.org\""))
        }
    }

    @Test func `Removal and new invitation raise the sequence in the calendar file`() async throws {
        try await withGuests { planner, world in
            let token = try await token("anna", planner)
            _ = try await world.deliver()
            _ = try await planner.uninvite(["anna"], from: "Games", saving: true)
            _ = try await world.deliver()
            _ = try await planner.invite(["anna"], to: "Games", saving: true)
            let visit = try #require(try await planner.visit(by: token))
            let file = try await String(decoding: visit.calendarFile() ?? [], as: UTF8.self)
            #expect(file.contains("SEQUENCE:2\r\n"), "\(file)")
        }
    }

    @Test func `Only the organizer sees the links of other guests`() async throws {
        try await withGuests { planner, world in
            let anna = try await world.planner(settings: Self.base, actingAs: "anna")
            #expect(try await anna.guestLinks(of: "Games", to: [], change: .none).links.count == 1)
            let refused = await refusal {
                _ = try await anna.guestLinks(of: "Games", to: ["ben"], change: .none)
            }
            #expect(refused?.code == "not_organizer")
            let all = try await planner.guestLinks(of: "Games", to: [], change: .none)
            #expect(all.links.count == 3)
            let bare = try await world.planner(settings: [.sinks: "stdout"])
            let unset = await refusal {
                _ = try await bare.guestLinks(of: "Games", to: [], change: .none)
            }
            #expect(unset?.code == "no_base_url")
        }
    }
}
