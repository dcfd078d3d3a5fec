import Ledger
import TestKit
import Testing
import Timekeeping

@testable import Agenda

/// If several reminders are late, only the latest is sent.
@Suite struct OvertakingTests {
    private static let zone: Zone = {
        // The rule of Helsinki, so that no time zone file is needed.
        Zone(posix: "EET-2EEST,M3.5.0/3,M10.5.0/4") ?? .utc
    }()

    /// A meeting on 5 December at noon, 10:00 UTC.
    private static func meeting() throws -> Meeting {
        Meeting(
            id: MeetingID(text: "m"), uid: "u", organizer: PersonID(text: "o"), title: "Lunch",
            time: MeetingTime(
                start: try WallTime.parse("2026-12-05T12:00"), zone: zone,
                duration: Meeting.durationDefault),
            reminders: [])
    }

    private static func row(
        _ mark: String, _ state: DeliveryState = .planned,
        start: String = "2026-12-05T10:00:00.000Z", kind: NotificationKind = .reminder
    ) throws -> LedgerRow {
        let start = try Moment.parse(start)
        let notification = NotificationKey(
            meeting: "m", occurrence: "", person: "p", kind: kind,
            mark: NotificationMark(text: "\(mark)@\(start.rfc3339(offsetSeconds: 0))"))
        return LedgerRow(
            key: DeliveryKey(notification: notification, channel: "stdout", address: ""),
            state: state, due: start, deadline: start)
    }

    struct Case: Sendable {
        let own: String
        let others: [(String, DeliveryState)]
        let now: String
        let overtaker: String?
    }

    @Test(arguments: [
        // A reminder that is sent in time is never replaced.
        Case(own: "P1D", others: [("PT1H", .planned)], now: "2026-12-04T10:00:00Z", overtaker: nil),
        Case(own: "P1D", others: [("PT1H", .planned)], now: "2026-12-05T08:59:59Z", overtaker: nil),
        // It is so late that the next reminder is due as well.
        Case(
            own: "P1D", others: [("PT1H", .planned)], now: "2026-12-05T09:00:00Z",
            overtaker: "PT1H"),
        Case(own: "PT1H", others: [("P1D", .planned)], now: "2026-12-05T09:30:00Z", overtaker: nil),
        Case(
            own: "P1W", others: [("P1D", .planned), ("PT1H", .planned), ("PT10M", .planned)],
            now: "2026-12-05T09:30:00Z", overtaker: "PT1H"),
        // A reminder that was sent, is being sent or may have arrived replaces it. One that will
        // never be sent does not.
        Case(
            own: "P1D", others: [("PT1H", .accepted)], now: "2026-12-05T09:30:00Z",
            overtaker: "PT1H"),
        Case(
            own: "P1D", others: [("PT1H", .claimed)], now: "2026-12-05T09:30:00Z",
            overtaker: "PT1H"),
        Case(
            own: "P1D", others: [("PT1H", .ambiguous)], now: "2026-12-05T09:30:00Z",
            overtaker: "PT1H"),
        Case(own: "P1D", others: [("PT1H", .failed)], now: "2026-12-05T09:30:00Z", overtaker: nil),
        Case(
            own: "P1D", others: [("PT1H", .suppressed), ("PT2H", .expired), ("PT3H", .parked)],
            now: "2026-12-05T09:30:00Z", overtaker: nil),
        // A day and 24 hours before are the same time here, and both were requested.
        Case(
            own: "P1D", others: [("PT24H", .planned)], now: "2026-12-05T09:30:00Z", overtaker: nil),
        // A snooze is a reminder like any other.
        Case(
            own: "PT1H", others: [("snooze 2026-12-05T09:20:00.000Z", .planned)],
            now: "2026-12-05T09:30:00Z", overtaker: "snooze 2026-12-05T09:20:00.000Z"),
        Case(
            own: "snooze 2026-12-05T08:20:00.000Z", others: [("PT1H", .planned)],
            now: "2026-12-05T09:30:00Z", overtaker: "PT1H"),
    ])
    func `The latest due reminder replaces the earlier ones`(_ of: Case) throws {
        let others = try of.others.map { try Self.row($0.0, $0.1) }
        let found = try Self.row(of.own).overtaker(
            among: others, of: try Self.meeting(), in: Self.zone, now: try Moment.parse(of.now))
        #expect(
            found?.key.notification.mark.text.split(separator: "@").first.map(String.init)
                == of.overtaker)
    }

    @Test func `Reminders of another start and other kinds replace nothing`() throws {
        let now = try Moment.parse("2026-12-05T09:30:00Z")
        let meeting = try Self.meeting()
        let others = [
            try Self.row("PT1H", start: "2026-12-05T09:00:00Z"),
            try Self.row("PT1H", kind: .message),
        ]
        let own = try Self.row("P1D")
        #expect(own.overtaker(among: others, of: meeting, in: Self.zone, now: now) == nil)
        let message = try Self.row("P1D", kind: .message)
        let later = [try Self.row("PT1H")]
        #expect(message.overtaker(among: later, of: meeting, in: Self.zone, now: now) == nil)
    }

    @Test func `A closed row states the reason`() throws {
        let own = try Self.row("P1D")
        let later = try Self.row("PT1H")
        #expect(
            own.reasonFor(later)
                == "its time passed before it could be sent: a later reminder "
                + "(\(later.name.prefix(8))) goes out in its place")
        #expect(own.lateness == "its time passed before it could be sent: the meeting had begun")
        #expect(
            try Self.row("x", kind: .invitation).lateness
                == "its time passed before it could be sent: the meeting was over")
    }
}
