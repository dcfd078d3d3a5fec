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
    private func record(_ kind: NotificationKind, _ state: DeliveryState) -> DeliveryRecord {
        let mark = kind == .reminder ? "PT1H@2027-01-15T09:00:00Z" : "1"
        let key = NotificationKey(
            meeting: "m", occurrence: "", person: "anna", kind: kind, mark: mark)
        var attempts: [AttemptRecord] = []
        var turns = [TurnRecord(at: Self.now, state: .planned, reason: "")]
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
            turns.append(TurnRecord(at: Self.now, state: state, reason: reason))
        }
        let row = LedgerRow(
            key: DeliveryKey(notification: key, channel: "stdout", address: ""), state: state,
            due: Self.now, deadline: Self.now, reason: reason)
        return DeliveryRecord(
            row: row, personName: "Anna", personAddress: "", meetingTitle: "Lunch",
            attempts: attempts, turns: turns, body: nil)
    }

    @Test(arguments: NotificationKind.allCases)
    func `Every kind in every state says why it is there and what became of it`(
        kind: NotificationKind
    ) {
        for state in DeliveryState.allCases {
            let story = StoryView(record(kind, state), reader: .utc)
            #expect(story.because.contains("Lunch"))
            let last = story.events.last?.what ?? ""
            let tells = story.next.isEmpty ? last : story.next
            #expect(tells.contains(" "), "\(kind) \(state): \(tells)")
            let reason = story.delivery.reason
            #expect(reason.isEmpty || last.contains(reason), "\(kind) \(state)")
        }
    }

    @Test func `The sentence tells kinds apart`() {
        let sentences = NotificationKind.allCases.map {
            StoryView(record($0, .planned), reader: .utc).because
        }
        #expect(Set(sentences).count == NotificationKind.allCases.count)
        #expect(sentences.contains("Lunch is near: 1 hour before its start"))
    }
}
