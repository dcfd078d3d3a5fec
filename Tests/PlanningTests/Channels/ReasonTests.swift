import Agenda
import Ledger
import TestKit
import Testing
import Timekeeping

@testable import Planning
@testable import Storage

/// The words for the reason and the state of a delivery.
@Suite struct ReasonTests {
    private static let now = Moment(seconds: 1_800_000_000)

    /// A delivery in this state, with the history that normally leads there.
    private func told(
        _ kind: NotificationKind, _ state: DeliveryState, to receiver: Receiver = .person("anna"),
        named name: String = "Anna", isRemoved: Bool = false, mark given: String? = nil
    ) -> DeliveryStory {
        let mark = NotificationMark(
            text: given ?? (kind == .reminder ? "PT1H@2027-01-15T09:00:00Z" : "1"))
        let key = NotificationKey(
            meeting: "m", occurrence: "", receiver: receiver, kind: kind, mark: mark)
        var attempts: [AttemptRecord] = []
        var turns = [StateChangeRecord(at: Self.now, state: .planned, reason: "")]
        var reason = ""
        func attempt(_ outcome: AttemptOutcome?, _ reply: String) -> AttemptRecord {
            AttemptRecord(at: Self.now, outcome: outcome, code: "", reply: reply)
        }
        switch state {
        case .planned: break
        case .claimed: attempts = [attempt(nil, "")]
        case .accepted: attempts = [attempt(.accepted, "")]
        case .failed:
            attempts = [attempt(.permanent, "no such box")]
            reason = "no such box"
        case .ambiguous:
            attempts = [attempt(.ambiguous, "no answer")]
            reason = "no answer"
        case .expired, .superseded, .suppressed, .parked:
            reason = "its reason"
            turns.append(StateChangeRecord(at: Self.now, state: state, reason: reason))
        }
        let row = LedgerRow(
            key: DeliveryKey(notification: key, channel: "stdout", address: ""), state: state,
            due: Self.now, deadline: Self.now.advanced(bySeconds: 3600), reason: reason)
        return DeliveryStory(
            record: DeliveryRecord(
                row: row, personName: name, personAddress: "", knownAddress: nil,
                meetingTitle: "Lunch", body: nil, isRemoved: isRemoved),
            attempts: attempts, turns: turns)
    }

    @Test(arguments: NotificationKind.allCases)
    func `Each kind in each state has words for its reason and its state`(
        kind: NotificationKind
    ) {
        for state in DeliveryState.allCases {
            let story = story(told(kind, state))
            #expect(!kind.isAboutMeeting || story.because.contains("Lunch"))
            let last = story.events.last?.what ?? ""
            let tells = story.next.text.isEmpty ? last : story.next.text
            #expect(tells.contains(" "), "\(kind) \(state): \(tells)")
            let reason = story.delivery.reason
            #expect(reason.isEmpty || last.contains(reason), "\(kind) \(state)")
        }
    }

    @Test func `Each kind has a sentence of its own`() {
        let sentences = NotificationKind.allCases.map {
            story(told($0, .planned)).because
        }
        #expect(Set(sentences).count == NotificationKind.allCases.count)
        #expect(sentences.contains("Anna gets a reminder of Lunch, 1 hour before its start"))
    }

    @Test(arguments: [
        ("P1D", "on the evening before", "on the evening before"),
        ("PT2H", "on the evening before", "on the evening before"),
        ("P3D", "on the evening 3 days before", "3 days before"),
    ])
    func `A reminder of whole days comes on an evening`(
        offset: String, reason: String, which: String
    ) {
        var told = told(.reminder, .planned, mark: "\(offset)@2027-01-15T00:00:00Z")
        told.record.isOfDays = true
        let story = story(told)
        #expect(story.because == "Anna gets a reminder of Lunch \(reason)")
        #expect(story.which == which)
    }

    @Test func `Reminders of whole days are known by the meeting as it is now`() async throws {
        try await withTemporaryHome { world in
            let planner = try await world.planner()
            try await planner.add("Anna", "anna@example.org")
            var request = MeetingRequest.lunch(with: "Anna", start: "2026-12-12")
            (request.isAllDay, request.end) = (true, "2026-12-13")
            try await planner.create(request)
            func reasons() async throws -> [String] {
                let id = MeetingID(text: try await planner.meeting("Lunch").id)
                return try await planner.stories(of: id, limit: 9)
                    .filter { $0.delivery.kind == .reminder && !$0.isVoid }.map(\.because)
            }
            let ofDays: [String] = try await reasons()
            #expect(ofDays.contains("Anna gets a reminder of Lunch on the evening before"))
            var edit = MeetingEdit()
            (edit.start, edit.duration) = ("2026-12-12T18:00", TimeSpan(days: 0, seconds: 7200))
            _ = try await planner.editMeeting("Lunch", edit, saving: true)
            let ofHours: [String] = try await reasons()
            #expect(ofHours.contains("Anna gets a reminder of Lunch, 1 day before its start"))
        }
    }

    @Test(arguments: [
        (Audience.installation, "installation", "the installation", "the installation"),
        (.circle("c"), "Hikers", "the circle Hikers", "the circle Hikers"),
        (.meeting(MeetingID(text: "m")), "Lunch", "everybody in Lunch", "this meeting"),
    ])
    func `An audience is not worded as a person`(
        audience: Audience, name: String, receiver: String, owner: String
    ) {
        func story(_ kind: NotificationKind, isRemoved: Bool = false) -> StoryView {
            self.story(
                told(kind, .planned, to: audience.receiver, named: name, isRemoved: isRemoved))
        }
        #expect(story(.invitation).receiver == receiver)
        #expect(story(.invitation).because == "guests are invited to Lunch")
        #expect(story(.cancellation).because == "Lunch was cancelled")
        #expect(
            story(.cancellation, isRemoved: true).because == "the guests were removed from Lunch")
        #expect(
            story(.reminder).because
                == "the channel of \(owner) gets a reminder of Lunch, 1 hour before its start")
    }

    private func story(
        _ told: DeliveryStory, at now: Moment = Self.now, hasDaemon: Bool = true,
        breakers: [OpenBreaker] = []
    ) -> StoryView {
        StoryView(
            told, reader: .utc, identities: DeliveryIdentities(key: nil),
            outlook: SendingOutlook(now: now, isDaemonRunning: hasDaemon, breakers: breakers))
    }

    private func breaker(_ channel: String, until seconds: Int64) -> OpenBreaker {
        OpenBreaker(
            channel: channel, destination: channel, since: Self.now,
            until: Self.now.advanced(bySeconds: seconds), reason: "the disk is full")
    }

    @Test func `A due delivery says what it waits for`() {
        let due = "Fri 15 Jan 2027, 08:00 UTC"
        let waiting = told(.invitation, .planned)
        let early = Self.now.advanced(bySeconds: -1)
        #expect(story(waiting, at: early, hasDaemon: false).next == "It will be sent on \(due).")
        #expect(
            story(waiting, hasDaemon: false).next
                == Remark(
                    "It has been due since \(due), but letsmeetd is not running.",
                    advice: .installation(.startDaemon), .installation(.sendNow)))
        let soon = "It has been due since \(due), and letsmeetd is about to send it."
        #expect(story(waiting).next.text == soon)
        #expect(
            story(waiting, breakers: [breaker("mail", until: 60), breaker("stdout", until: 60)])
                .next.text
                == "It has been due since \(due), but stdout is paused until Fri 15 Jan 2027, "
                + "08:01 UTC (the disk is full).")
        #expect(story(waiting, breakers: [breaker("stdout", until: 0)]).next.text == soon)
        #expect(
            story(told(.invitation, .ambiguous)).next.text.hasPrefix(
                "It has been due again under the same identity since \(due)"))
    }

    @Test func `A delivery past its deadline says that it will not be sent`() {
        let late = Self.now.advanced(bySeconds: 3600)
        for state in [DeliveryState.planned, .ambiguous] {
            #expect(
                story(told(.reminder, state), at: late).next
                    == "It will not be sent: its deadline was Fri 15 Jan 2027, 09:00 UTC.")
        }
    }

    @Test func `A delivery of a stopped daemon does not count as being sent`() {
        let record = told(.message, .claimed)
        #expect(story(record).next == "It is being sent.")
        #expect(
            story(record, hasDaemon: false).next.text.hasPrefix(
                "It was being sent when letsmeetd"))
    }
}
