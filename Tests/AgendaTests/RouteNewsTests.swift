import Agenda
import Ledger
import Testing
import Timekeeping

/// News that went out on one route, and waited on another until it was taken back.
@Suite struct RouteNewsTests {
    private static let saturday = "2026-12-05T12:00"
    private static let sunday = "2026-12-06T12:00"

    private var gathering: Gathering

    /// Anna got her invitation on standard output and by mail.
    init() throws {
        gathering = try Gathering()
        gathering.participants.removeLast()
        gathering.policies = [Gathering.organizer: [], Gathering.anna: []]
        gathering.channels = [.stdout, Gathering.mail]
        gathering.noteFacts()
        gathering.plan()
        gathering.finish(.accepted)
    }

    /// Moves the meeting, and returns what waits then.
    @discardableResult
    private func move(_ gathering: inout Gathering, to wall: String) throws -> [String] {
        try gathering.move(to: wall)
        gathering.noteFacts()
        gathering.plan()
        return gathering.open
    }

    /// Cancels the meeting or takes the cancellation back, and returns what waits then.
    private func set(_ status: MeetingStatus, of gathering: inout Gathering) -> [String] {
        gathering.meeting.status = status
        gathering.meeting.revision += 1
        gathering.noteFacts()
        gathering.plan()
        return gathering.open
    }

    @Test func `A move that is taken back is told again only on the route that told it`() throws {
        var gathering = gathering
        try move(&gathering, to: Self.sunday)
        gathering.finish(.accepted, channel: "stdout")
        gathering.plan()
        #expect(gathering.open == ["anna change 2 by mail"])
        let back = try move(&gathering, to: Self.saturday)
        #expect(back == ["anna change 3"])
        gathering.finish(.accepted)
        #expect(gathering.plan().isEmpty)
        let away = try move(&gathering, to: Self.sunday)
        #expect(away == ["anna change 4", "anna change 4 by mail"])
    }

    @Test func `A route that lags behind gets the news that the others brought before`() throws {
        var gathering = gathering
        try move(&gathering, to: Self.sunday)
        gathering.finish(.accepted)
        try move(&gathering, to: Self.saturday)
        gathering.finish(.accepted, channel: "stdout")
        let away = try move(&gathering, to: Self.sunday)
        #expect(away == ["anna change 4"])
        let back = try move(&gathering, to: Self.saturday)
        #expect(back == ["anna change 5 by mail"])
        gathering.finish(.accepted)
        #expect(gathering.plan().isEmpty)
    }

    @Test func `A move that is taken back without a notification stops waiting`() throws {
        var gathering = gathering
        try move(&gathering, to: Self.sunday)
        gathering.finish(.accepted, channel: "stdout")
        try gathering.move(to: Self.saturday)
        gathering.meeting.revision = 2
        gathering.noteFacts()
        gathering.plan()
        #expect(gathering.open == [])
        #expect(gathering.plan().isEmpty)
    }

    @Test func `If the route that told a move is gone, the others tell that it is taken back`()
        throws
    {
        var gathering = gathering
        try move(&gathering, to: Self.sunday)
        gathering.finish(.accepted, channel: "stdout")
        gathering.channels = [Gathering.mail]
        let back = try move(&gathering, to: Self.saturday)
        #expect(back == ["anna change 3 by mail"])
    }

    @Test func `If the route that told a move fails, the others tell that it is taken back`()
        throws
    {
        var gathering = gathering
        try move(&gathering, to: Self.sunday)
        gathering.finish(.accepted, channel: "stdout")
        try move(&gathering, to: Self.saturday)
        gathering.finish(.failed, channel: "stdout")
        gathering.plan()
        #expect(gathering.open == ["anna change 3 by mail"])
        #expect(gathering.plan().isEmpty)
    }

    @Test func `A cancellation that is taken back is told again only on the route that told it`()
        throws
    {
        var gathering = gathering
        let off = set(.cancelled, of: &gathering)
        #expect(off == ["anna cancellation 2", "anna cancellation 2 by mail"])
        gathering.finish(.accepted, channel: "stdout")
        let on = set(.confirmed, of: &gathering)
        #expect(on == ["anna invitation 3/1"])
        #expect(gathering.plan().isEmpty)
        // It is cancelled once more: by mail, nobody was told of the first time.
        let again = set(.cancelled, of: &gathering)
        #expect(again == ["anna cancellation 2 by mail"])
        gathering.finish(.accepted)
        #expect(gathering.plan().isEmpty)
    }

    @Test func `A route that told of a cancellation alone gets the invitation after all`() throws {
        var gathering = gathering
        _ = set(.cancelled, of: &gathering)
        gathering.finish(.accepted)
        _ = set(.confirmed, of: &gathering)
        gathering.finish(.accepted, channel: "stdout")
        gathering.plan()
        #expect(gathering.open == ["anna invitation 3/1 by mail"])
        try move(&gathering, to: Self.sunday)
        let back = try move(&gathering, to: Self.saturday)
        #expect(back == ["anna invitation 5/1 by mail"])
    }

    @Test func `A date that takes place again is told again only on the route that told it`()
        throws
    {
        let date = "20261212T120000"
        var gathering = gathering
        try gathering.repeatWeekly(count: 5, plannedUntil: "2026-12-02T00:00:00+02:00")
        gathering.pastFacts = PastFacts()
        gathering.noteFacts()
        gathering.change(date) { $0.status = .cancelled }
        gathering.noteFacts(on: date)
        gathering.plan()
        let off = "anna cancellation 2 of 20261212"
        #expect(gathering.open == [off, "\(off) by mail"])
        gathering.finish(.accepted, channel: "stdout")
        gathering.change(date) { $0.status = .confirmed }
        gathering.noteFacts(on: date)
        gathering.plan()
        #expect(gathering.open == ["anna invitation 3/1 of 20261212"])
        #expect(gathering.plan().isEmpty)
    }

    @Test func `A route that told nothing yet gets what is news to the receiver`() throws {
        var gathering = gathering
        gathering.channels = [.stdout]
        try move(&gathering, to: Self.sunday)
        gathering.finish(.accepted)
        gathering.own = [
            OwnChannel(name: "bell", sink: "ntfy", receiver: .person(Gathering.anna.text))
        ]
        let back = try move(&gathering, to: Self.saturday)
        #expect(back == ["anna change 3 by ntfy"])
    }
}
