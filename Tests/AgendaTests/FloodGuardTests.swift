import Agenda
import Ledger
import Testing
import Timekeeping

@Suite struct FloodGuardTests {
    private let now = Moment(seconds: 1_800_000_000)
    private let starts = UrgentStarts(Moment(seconds: 1_800_500_000))

    private func row(_ kind: NotificationKind, deadline: Int64 = 1_800_600_000) -> LedgerRow {
        let key = NotificationKey(
            meeting: "m", occurrence: "", person: "anna", kind: kind, mark: "1")
        return LedgerRow(
            key: DeliveryKey(notification: key, channel: "stdout", address: ""), state: .planned,
            due: now, deadline: Moment(seconds: deadline))
    }

    /// A guard with this many messages, one a minute, the last of them a minute ago.
    private func guarding(_ count: Int) -> FloodGuard {
        FloodGuard(
            arrivals: (0..<count).map { now.advanced(bySeconds: Int64($0 + 1) * -60) })
    }

    @Test func `The 21st message waits until the first is an hour old`() {
        let free = row(.message).guarded(by: guarding(19), starts: starts, zone: .utc, now: now)
        #expect(free == row(.message))
        let held = row(.message).guarded(by: guarding(20), starts: starts, zone: .utc, now: now)
        #expect(held.due == now.advanced(bySeconds: 40 * 60))
        #expect(held.hold == Hold(.flood, wanted: now))
        #expect(
            held.reason
                == "held back until 08:40 (UTC): 20 messages about this meeting in an hour")
    }

    @Test func `A message that is being sent counts`() {
        var guarding = guarding(19)
        guarding.note(at: now)
        let held = row(.message).guarded(by: guarding, starts: starts, zone: .utc, now: now)
        #expect(held.due > now)
        let full = FloodGuard(arrivals: Array(repeating: now, count: 20))
        #expect(
            row(.message).guarded(by: full, starts: starts, zone: .utc, now: now).due
                == now.advanced(bySeconds: 3600))
    }

    @Test func `A message stops counting after an hour`() {
        let old = FloodGuard(
            arrivals: Array(repeating: now.advanced(bySeconds: -3600), count: 24))
        #expect(row(.message).guarded(by: old, starts: starts, zone: .utc, now: now).due == now)
    }

    @Test(arguments: NotificationKind.allCases, [600, 3600, -600])
    func `Near the start, the reserve is kept for urgent messages`(
        kind: NotificationKind, seconds: Int64
    ) {
        let near = UrgentStarts(now.advanced(bySeconds: seconds))
        func goes(_ count: Int, _ starts: UrgentStarts) -> Bool {
            row(kind).guarded(by: guarding(count), starts: starts, zone: .utc, now: now).due
                <= now
        }
        let hurries = [.change, .cancellation, .reminder].contains(kind)
        #expect(goes(15, near))
        #expect(goes(16, near) == hurries)
        #expect(goes(19, near) == hurries)
        #expect(!goes(20, near))
        #expect(goes(19, starts))
        #expect(!goes(20, starts))
    }

    @Test func `No message waits more than an hour after the clock was set back`() {
        let ahead = FloodGuard(
            arrivals: Array(repeating: now.advanced(bySeconds: 90_000), count: 20))
        let held = row(.message).guarded(by: ahead, starts: starts, zone: .utc, now: now)
        #expect(held.due == now.advanced(bySeconds: 3600))
    }

    @Test func `News replaces all other rows, otherwise the last written text does`() {
        let rows = [row(.message), row(.change), row(.message), row(.reminder)]
        #expect(LedgerRow.survivor(of: rows) == 1)
        #expect(LedgerRow.survivor(of: [row(.message), row(.nudge), row(.message)]) == 2)
        #expect(LedgerRow.survivor(of: [row(.reminder), row(.reminder)]) == 1)
    }

    @Test func `A text attached to news is passed on to the news that replaces it`() throws {
        var gathering = try Gathering()
        gathering.plan()
        let place = try #require(
            gathering.rows.firstIndex { $0.words == "anna invitation 1" })
        gathering.rows[place].body = 7
        try gathering.move(to: "2026-12-06T12:00")
        let added = gathering.plan().added
        #expect(added.first { $0.words == "anna invitation 2" }?.body == 7)
        #expect(added.count { $0.body != nil } == 1)
    }
}
