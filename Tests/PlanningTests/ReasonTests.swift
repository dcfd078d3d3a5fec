import Agenda
import Ledger
import TestKit
import Testing
import Timekeeping

@testable import Planning
@testable import Storage

/// Every delivery tells why it is there, and where it stands, in words.
@Suite struct ReasonTests {
    private static let now = Moment(seconds: 1_800_000_000)

    /// A delivery as the ledger has it when it has come to a state in the ordinary way.
    private func told(_ kind: NotificationKind, _ state: DeliveryState) -> DeliveryStory {
        let mark = kind == .reminder ? "PT1H@2027-01-15T09:00:00Z" : "1"
        let key = NotificationKey(
            meeting: "m", occurrence: "", person: "anna", kind: kind, mark: mark)
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
                row: row, personName: "Anna", personAddress: "", meetingTitle: "Lunch", body: nil),
            attempts: attempts, turns: turns)
    }

    @Test(arguments: NotificationKind.allCases)
    func `Every kind in every state says why it is there and what became of it`(
        kind: NotificationKind
    ) {
        for state in DeliveryState.allCases {
            let story = story(told(kind, state))
            #expect(!kind.isAboutMeeting || story.because.contains("Lunch"))
            let last = story.events.last?.what ?? ""
            let tells = story.next.isEmpty ? last : story.next
            #expect(tells.contains(" "), "\(kind) \(state): \(tells)")
            let reason = story.delivery.reason
            #expect(reason.isEmpty || last.contains(reason), "\(kind) \(state)")
        }
    }

    @Test func `The sentence tells kinds apart`() {
        let sentences = NotificationKind.allCases.map {
            story(told($0, .planned)).because
        }
        #expect(Set(sentences).count == NotificationKind.allCases.count)
        #expect(sentences.contains("Lunch is near: 1 hour before its start"))
    }

    private func story(
        _ told: DeliveryStory, at now: Moment = Self.now, hasDaemon: Bool = true,
        breakers: [OpenBreaker] = []
    ) -> StoryView {
        StoryView(
            told, reader: .utc,
            outlook: SendingOutlook(now: now, isDaemonRunning: hasDaemon, breakers: breakers))
    }

    private func breaker(_ channel: String, until seconds: Int64) -> OpenBreaker {
        OpenBreaker(
            channel: channel, destination: channel, since: Self.now,
            until: Self.now.advanced(bySeconds: seconds), reason: "the disk is full")
    }

    @Test func `What is due and not sent says what it waits for`() {
        let due = "Fri 15 Jan 2027, 08:00 UTC"
        let waiting = told(.invitation, .planned)
        let early = Self.now.advanced(bySeconds: -1)
        #expect(story(waiting, at: early, hasDaemon: false).next == "will be sent at \(due)")
        #expect(
            story(waiting, hasDaemon: false).next
                == "has been due since \(due); no daemon is running here. Start letsmeetd, or send "
                + "now with: letsmeetd once")
        #expect(
            story(waiting).next == "has been due since \(due); letsmeetd is about to send it")
        #expect(
            story(waiting, breakers: [breaker("mail", until: 60), breaker("stdout", until: 60)])
                .next
                == "has been due since \(due); stdout is left alone until Fri 15 Jan 2027, "
                + "08:01 UTC: the disk is full")
        #expect(
            story(waiting, breakers: [breaker("stdout", until: 0)]).next
                == "has been due since \(due); letsmeetd is about to send it")
        #expect(
            story(told(.invitation, .ambiguous)).next.hasPrefix(
                "has been due again under the same id since \(due)"))
    }

    @Test func `What comes too late is not said to be sent`() {
        let late = Self.now.advanced(bySeconds: 3600)
        for state in [DeliveryState.planned, .ambiguous] {
            #expect(
                story(told(.reminder, state), at: late).next
                    == "will not be sent: it was of use until Fri 15 Jan 2027, 09:00 UTC")
        }
    }

    @Test func `What a daemon was sending that is gone is not said to be under way`() {
        let record = told(.message, .claimed)
        #expect(story(record).next == "is being sent")
        #expect(story(record, hasDaemon: false).next.hasPrefix("was being sent when letsmeetd"))
    }
}
