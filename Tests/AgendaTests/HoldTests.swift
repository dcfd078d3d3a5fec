import Agenda
import Ledger
import Testing
import Timekeeping

/// The effect of a person's sending hours on the plan. The meeting is on Saturday at noon, and the
/// current time is Tuesday noon, in Helsinki.
@Suite struct HoldTests {
    private func withAnna(
        quiet: [String] = [], windows: [String] = [], now: String = "2026-12-01T23:00:00+02:00"
    ) throws -> Gathering {
        var gathering = try Gathering()
        gathering.participants.removeLast()
        gathering.policies[Gathering.organizer] = []
        gathering.now = try Moment.parse(now)
        try gathering.setHours(of: Gathering.anna, quiet: quiet, windows: windows)
        gathering.plan()
        return gathering
    }

    private func row(_ words: String, in gathering: Gathering) throws -> LedgerRow {
        try #require(gathering.rows.first { $0.words == words })
    }

    @Test func `An invitation at night waits for the morning and says so`() throws {
        let gathering = try withAnna(quiet: ["22:00-08:00"])
        let row = try row("anna invitation 1", in: gathering)
        #expect(row.state == .planned)
        #expect(row.due == (try Moment.parse("2026-12-02T08:00:00+02:00")))
        #expect(row.hold == Hold(.hours, wanted: gathering.now))
        #expect(
            row.reason == "held back until 08:00: quiet hours 22:00-08:00 (Europe/Helsinki)")
    }

    @Test func `A reminder waits at a closed time and goes out at an open time`() throws {
        let gathering = try withAnna(windows: ["thu 09:00-18:00", "sat 11:30-13:00"])
        // A day before is Friday noon, which is closed. The next window opens half an hour before
        // the start.
        let day = try row("anna reminder P1D", in: gathering)
        #expect(day.due == (try Moment.parse("2026-12-05T11:30:00+02:00")))
        #expect(
            day.reason
                == "held back until 11:30: send windows thu 09:00-18:00 and sat 11:30-13:00 "
                + "(Europe/Helsinki)")
        // An hour before is Saturday at 11, which is closed too.
        let hour = try row("anna reminder PT1H", in: gathering)
        #expect(hour.due == (try Moment.parse("2026-12-05T11:30:00+02:00")))
        let invitation = try row("anna invitation 1", in: gathering)
        #expect(
            invitation.reason.hasPrefix("held back until Thu 09:00: send windows"))
    }

    @Test func `A row that would be too late is sent on time and says so`() throws {
        let gathering = try withAnna(quiet: ["fri 08:00-00:00", "sat"])
        let row = try row("anna reminder PT1H", in: gathering)
        #expect(row.due == (try Moment.parse("2026-12-05T11:00:00+02:00")))
        #expect(
            row.reason
                == "not held back by quiet hours sat (Europe/Helsinki): it would come too late")
    }

    @Test func `A row is never held back until after the start`() throws {
        // The meeting ends on Saturday at 13:00, and the quiet hours end at 12:30.
        let gathering = try withAnna(
            quiet: ["22:00-12:30"], now: "2026-12-04T23:00:00+02:00")
        let row = try row("anna invitation 1", in: gathering)
        #expect(row.due == gathering.now)
        #expect(row.reason.hasSuffix("it would come too late"))
    }

    @Test func `A change of a meeting in the next 12 hours goes at once`() throws {
        var gathering = try withAnna(quiet: ["22:00-08:00"])
        gathering.finish(.accepted, kinds: [.invitation])
        gathering.now = try Moment.parse("2026-12-04T23:00:00+02:00")
        try gathering.move(to: "2026-12-05T11:00")
        gathering.plan()
        var change = try row("anna change 2", in: gathering)
        #expect(change.due == gathering.now)
        #expect(
            change.reason
                == "not held back by quiet hours 22:00-08:00 (Europe/Helsinki): "
                + "it is about a meeting in the next 12 hours")
        // She was told that the meeting is soon, so she has to hear at once that it is not.
        gathering.finish(.accepted, kinds: [.change])
        try gathering.move(to: "2026-12-09T11:00")
        gathering.plan()
        change = try row("anna change 3", in: gathering)
        #expect(change.due == gathering.now)
    }

    @Test func `Only the cancellation of a near meeting is not held back`() throws {
        var gathering = try withAnna(quiet: ["22:00-08:00"])
        gathering.finish(.accepted, kinds: [.invitation])
        gathering.meeting.status = .cancelled
        gathering.meeting.revision += 1
        gathering.plan()
        #expect(try row("anna cancellation 2", in: gathering).due > gathering.now)
        gathering.now = try Moment.parse("2026-12-05T01:00:00+02:00")
        gathering.plan()
        #expect(try row("anna cancellation 2", in: gathering).due <= gathering.now)
    }

    @Test func `Rows are released when the sending hours are removed`() throws {
        var gathering = try withAnna(quiet: ["22:00-08:00"])
        let before = try row("anna invitation 1", in: gathering)
        gathering.hours = [:]
        let difference = gathering.plan()
        #expect(difference.rescheduled.map(\.name) == [before.name])
        let after = try row("anna invitation 1", in: gathering)
        #expect(after.due == gathering.now)
        #expect(after.hold == nil)
        #expect(after.reason == "")
    }

    @Test func `Changed sending hours apply to the originally wanted time`() throws {
        var gathering = try withAnna(quiet: ["22:00-08:00"])
        try gathering.setHours(of: Gathering.anna, quiet: ["22:00-07:00"])
        gathering.now = gathering.now.advanced(bySeconds: 3600)
        gathering.plan()
        let row = try row("anna invitation 1", in: gathering)
        #expect(row.due == (try Moment.parse("2026-12-02T07:00:00+02:00")))
        #expect(row.hold?.wanted == (try Moment.parse("2026-12-01T23:00:00+02:00")))
        #expect(gathering.plan().isEmpty)
    }

    @Test func `A retry also waits for an opening`() throws {
        var gathering = try withAnna(now: "2026-12-01T21:59:00+02:00")
        let name = try row("anna invitation 1", in: gathering).name
        let next = gathering.now.advanced(bySeconds: 300)
        gathering[name]?.due = next
        gathering[name]?.reason = "the disk was full"
        try gathering.setHours(of: Gathering.anna, quiet: ["22:00-08:00"])
        gathering.plan()
        #expect(gathering[name]?.due == (try Moment.parse("2026-12-02T08:00:00+02:00")))
        gathering.hours = [:]
        gathering.plan()
        #expect(gathering[name]?.due == next)
    }

    @Test func `Each person has their own sending hours`() throws {
        var gathering = try Gathering()
        gathering.now = try Moment.parse("2026-12-01T23:00:00+02:00")
        try gathering.setHours(of: Gathering.anna, quiet: ["22:00-08:00"])
        let york = try ZoneDirectory().zone("America/New_York")
        try gathering.setHours(of: Gathering.ben, quiet: ["22:00-08:00"], in: york)
        gathering.plan()
        #expect(try row("anna invitation 1", in: gathering).due > gathering.now)
        #expect(try row("ben invitation 1", in: gathering).due == gathering.now)
    }
}
