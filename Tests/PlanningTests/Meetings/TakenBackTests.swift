import Agenda
import Ledger
import Notifications
import Planning
import Sinks
import TestKit
import Testing
import Timekeeping

/// Moves that are taken back before anybody was told of them.
@Suite(.timeLimit(.minutes(5))) struct TakenBackTests {
    private static let friday = "2026-12-04T12:00"
    private static let saturday = "2026-12-05T12:00"
    private static let weekly = "FREQ=WEEKLY;COUNT=5"
    private static let second = "20261211T120000"
    private static let secondStart = "2026-12-11T12:00"
    private static let third = "20261218T120000"
    private static let later = "2026-12-12T15:00"

    /// A change of a meeting.
    private struct Step {
        var start: String?
        var note: String?
        var place: String?
        var date: String?
        var repetition: String?
        var message = ""
        var isQuiet = false
        /// True to cancel, false to take a cancellation back.
        var isOff: Bool?
        /// Anna's answer to the date.
        var answer: Answer?
        /// True to send all due notifications after the change.
        var isSent = false

        func make(of id: MeetingID, by planner: Planner) async throws {
            if let answer {
                _ = try await planner.answer(
                    id.text, on: date, answer, who: "Anna", plus: nil, note: nil, saving: true)
                return
            }
            if let isOff {
                _ =
                    try await isOff
                    ? planner.cancelMeeting(id, on: date, saving: true)
                    : planner.uncancelMeeting(id, on: date, saving: true)
                return
            }
            var edit = MeetingEdit()
            (edit.start, edit.note, edit.place) = (start, note, place)
            (edit.date, edit.repetition) = (date, repetition)
            (edit.message, edit.isQuiet) = (message, isQuiet)
            _ = try await planner.editMeeting(id, edit, saving: true)
        }
    }

    /// The open changes and cancellations after Anna was invited and the steps were made.
    ///
    /// - Parameters:
    ///   - steps: the steps.
    ///   - rule: the repetition of the meeting.
    ///   - answer: her answer before the steps.
    ///   - actCount: the number of changes before the steps of which nobody is told.
    /// - Returns: the number of notifications, and the meeting.
    /// - Throws: an error of the planner or of the engine.
    private func open(
        after steps: [Step], repeating rule: String? = nil, answer: Answer? = nil,
        afterActs actCount: Int = 0
    ) async throws -> (count: Int, view: MeetingView) {
        try await withTemporaryHome { world in
            let olga = try await world.planner()
            try await olga.add("Anna", "anna@example.org")
            var wish = MeetingRequest.lunch(with: "Anna", start: Self.friday)
            wish.repetition = rule
            let id = MeetingID(text: try await olga.create(wish).meeting.id)
            let engine = try world.engine(olga, sinks: [ScriptedSink(name: "stdout")])
            _ = try await engine.runOnce()
            if let answer {
                _ = try await olga.answer(
                    id.text, answer, who: "Anna", plus: nil, note: nil, saving: true)
            }
            for number in 0..<actCount {
                _ = try await olga.edit(id.text) {
                    $0.reminders =
                        number.isMultiple(of: 2) ? [] : [TimeSpan(days: 1, seconds: 0)]
                }
            }
            for step in steps {
                world.clock.advance(bySeconds: 60)
                try await step.make(of: id, by: olga)
                let audit = try await olga.verifyLedger()
                #expect(audit.faults.map(\.rule) == [])
                if step.isSent { _ = try await engine.runOnce() }
            }
            // A later act plans again.
            let known = try await olga.meeting(id)
            if answer == nil, known.status == .confirmed {
                _ = try await olga.answer(
                    id.text, .maybe, who: "Anna", plus: nil, note: nil, saving: true)
            }
            let rows = try await olga.ledger(states: [.planned], meeting: id, limit: 99).rows
            return (
                rows.count { [.change, .cancellation].contains($0.delivery.kind) },
                try await olga.meeting(id)
            )
        }
    }

    @Test func `A move that is taken back before it was sent tells nobody`() async throws {
        let moved = try await open(after: [Step(start: Self.saturday)])
        #expect(moved.count == 1)
        let back = try await open(
            after: [Step(start: Self.saturday), Step(start: Self.friday)], answer: .going)
        #expect(back.count == 0)
        #expect(back.view.participants.last?.answer == .going)
        #expect(back.view.participants.last?.answeredFor == nil)
    }

    @Test(arguments: [
        [Step(place: "Park"), Step(place: "")],
        [Step(start: saturday), Step(start: friday, isQuiet: true)],
        [Step(start: saturday), Step(note: "Bring cake"), Step(start: friday)],
        [Step(isOff: true), Step(isOff: false)],
        [Step(start: saturday, message: "It rains"), Step(start: friday)],
    ])
    private func `Every change that is taken back unsent tells nobody`(_ steps: [Step])
        async throws
    {
        let first = try await open(after: Array(steps.prefix(1)))
        #expect(first.count == 1)
        let back = try await open(after: steps)
        #expect(back.count == 0)
    }

    @Test(arguments: [
        [Step(start: later, date: second), Step(start: secondStart, date: second)],
        [Step(place: "Park", date: second), Step(place: "", date: second)],
        [Step(date: second, isOff: true), Step(date: second, isOff: false)],
        [Step(repetition: "FREQ=DAILY;COUNT=9"), Step(repetition: weekly)],
        [Step(start: saturday), Step(start: friday)],
        [
            Step(place: "Park"), Step(date: second, isOff: true), Step(place: ""),
            Step(date: second, isOff: false),
        ],
    ])
    private func `Every change of a series that is taken back unsent tells nobody`(
        _ steps: [Step]
    ) async throws {
        let first = try await open(after: Array(steps.prefix(1)), repeating: Self.weekly)
        #expect(first.count == 1)
        let back = try await open(after: steps, repeating: Self.weekly)
        #expect(back.count == 0)
    }

    private static let answered = [
        Step(place: "Park", isSent: true), Step(date: second, answer: .declined),
        Step(place: "Hall"), Step(place: "Park"),
    ]

    @Test func `A change of a series is taken back after an answer to one of its dates`()
        async throws
    {
        let moved = try await open(
            after: Array(Self.answered.dropLast()), repeating: Self.weekly)
        #expect(moved.count == 1)
        let back = try await open(after: Self.answered, repeating: Self.weekly)
        #expect(back.count == 0)
    }

    @Test func `A change of a series with answers is told after one of which nobody was told`()
        async throws
    {
        let told = try await open(
            after: [
                Step(date: Self.second, answer: .declined), Step(place: "Park", isQuiet: true),
                Step(place: ""),
            ], repeating: Self.weekly)
        #expect(told.count == 1)
    }

    @Test(arguments: [nil, weekly])
    func `A move is taken back after a long history`(_ rule: String?) async throws {
        let back = try await open(
            after: [Step(start: Self.saturday), Step(start: Self.friday)], repeating: rule,
            afterActs: 105)
        #expect(back.count == 0)
        let told = try await open(
            after: [Step(start: Self.saturday, isQuiet: true), Step(start: Self.friday)],
            repeating: rule, afterActs: 105)
        #expect(told.count == 1)
    }

    @Test func `A date that changed is told even if a change of the series is taken back`()
        async throws
    {
        let off = try await open(
            after: [
                Step(place: "Park"), Step(date: Self.second, isOff: true), Step(place: ""),
            ], repeating: Self.weekly)
        #expect(off.count == 1)
    }

    @Test func `A date that takes place again because a repetition is taken back is told`()
        async throws
    {
        let again = try await open(
            after: [
                Step(date: "20270101T120000", isOff: true, isSent: true),
                Step(repetition: "FREQ=WEEKLY;COUNT=3"), Step(repetition: Self.weekly),
            ], repeating: Self.weekly)
        #expect(again.count == 1)
    }

    @Test func `A move that is taken back with words or without its note is told`()
        async throws
    {
        let noted = try await open(
            after: [Step(start: Self.saturday, note: "Bring cake"), Step(start: Self.friday)])
        #expect(noted.count == 1)
        let back = try await open(
            after: [Step(start: Self.saturday), Step(start: Self.friday, message: "Sorry")])
        #expect(back.count == 1)
    }

    @Test func `Who heard of a meeting by a message alone is told that it is cancelled`()
        async throws
    {
        try await withTemporaryHome { world in
            let olga = try await world.planner()
            try await olga.add("Anna", "anna@example.org")
            let id = MeetingID(
                text: try await olga.create(.lunch(with: "Anna", start: Self.friday)).meeting.id)
            _ = try await olga.message(id, "Bring coats", to: [], saving: true)
            let sink = ScriptedSink(name: "stdout") { outgoing, _ in
                AttemptReport(outgoing.kind == .invitation ? .permanent : .accepted)
            }
            _ = try await world.engine(olga, sinks: [sink]).runOnce()
            let outcome = try await olga.cancelMeeting(id, saving: true)
            #expect(outcome.notifications.added.map(\.kind) == [.cancellation])
        }
    }

    @Test func `Who will get a message is told that the meeting is cancelled`() async throws {
        try await withTemporaryHome { world in
            let olga = try await world.planner()
            try await olga.add("Anna", "anna@example.org")
            let id = MeetingID(
                text: try await olga.create(.lunch(with: "Anna", start: Self.friday)).meeting.id)
            _ = try await olga.message(id, "Bring coats", to: [], saving: true)
            _ = try await olga.cancelMeeting(id, saving: true)
            #expect(try await olga.verifyLedger().faults.map(\.rule) == [])
            let sink = ScriptedSink(name: "stdout")
            _ = try await world.engine(olga, sinks: [sink]).runOnce()
            #expect(Set(sink.messages.map(\.kind)) == [.message, .cancellation])
        }
    }

    @Test func `A circle that will get a message is told that the meeting is cancelled`()
        async throws
    {
        try await withTemporaryHome { world in
            let olga = try await world.planner()
            try await olga.add("Anna", "anna@example.org")
            try await olga.addCircle("Chess", members: ["Anna"])
            var request = ChannelRequest()
            (request.kind, request.url) = ("slack", "https://chat.example/x")
            request.readers = try await olga.readers(circle: "Chess")
            _ = try await olga.addChannel(request)
            let lunch = try await olga.create(.lunch(with: "circle:Chess", start: Self.friday))
            let id = MeetingID(text: lunch.meeting.id)
            _ = try await olga.message(id, "Bring coats", to: [], saving: true)
            _ = try await olga.cancelMeeting(id, saving: true)
            let faults = try await olga.brokenRules()
            #expect(faults == [])
            let slack = ScriptedSink(name: "slack")
            _ = try await world.engine(olga, sinks: [slack, ScriptedSink()]).runOnce()
            #expect(slack.messages.map(\.kind.rawValue).sorted() == ["cancellation", "message"])
        }
    }

    @Test func `A move that was sent is told when it is taken back`() async throws {
        let back = try await open(
            after: [Step(start: Self.saturday, isSent: true), Step(start: Self.friday)])
        #expect(back.count == 1)
        let date = try await open(
            after: [
                Step(start: Self.later, date: Self.second, isSent: true),
                Step(start: Self.secondStart, date: Self.second),
            ], repeating: Self.weekly)
        #expect(date.count == 1)
    }

    @Test(arguments: [
        [
            Step(start: later, date: second, isSent: true), Step(place: "Park", isSent: true),
            Step(start: secondStart, date: second),
        ],
        [
            Step(date: second, isOff: true, isSent: true), Step(place: "Park", isSent: true),
            Step(date: second, isOff: false),
        ],
    ])
    private func `A date is told to be as the rule says after a change of the series listed it`(
        _ steps: [Step]
    ) async throws {
        let back = try await open(after: steps, repeating: Self.weekly)
        #expect(back.count == 1)
    }

    @Test func `Who was invited while a date was moved is told that it is moved back`()
        async throws
    {
        try await withTemporaryHome { world in
            let olga = try await world.planner()
            try await olga.add("Anna", "anna@example.org")
            try await olga.add("Ben", "ben@example.org")
            var wish = MeetingRequest.lunch(with: "Anna", start: Self.friday)
            wish.repetition = Self.weekly
            let id = try await olga.create(wish).meeting.id
            for (date, start) in [
                (Self.second, Self.later), (Self.third, "2026-12-19T15:00"),
            ] {
                _ = try await world.told(olga)
                _ = try await olga.edit(id) { ($0.date, $0.start) = (date, start) }
            }
            _ = try await olga.invite(["Ben"], to: id, saving: true)
            _ = try await world.told(olga)
            _ = try await olga.edit(id) {
                ($0.date, $0.start) = (Self.second, Self.secondStart)
            }
            let faults = try await olga.brokenRules()
            #expect(faults == [])
            let told = try await world.told(olga)
            #expect(told == ["change Anna", "change Ben"])
        }
    }

    @Test func `A move that is taken back in part is told`() async throws {
        let later = try await open(
            after: [Step(start: Self.saturday), Step(start: "2026-12-04T13:00")])
        #expect(later.count == 1)
        // Anna may know the time within the first revision.
        let quiet = try await open(
            after: [
                Step(start: "2026-12-04T13:00", isQuiet: true), Step(start: Self.saturday),
                Step(start: Self.friday),
            ])
        #expect(quiet.count == 1)
    }
}
