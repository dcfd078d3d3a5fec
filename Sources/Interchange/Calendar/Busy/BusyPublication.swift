public import Timekeeping

/// When somebody is busy, for others to read (RFC 5545, 3.6.4): in UTC, and not why.
public struct BusyPublication: Sendable {
    private let uid: String
    private let from: Moment
    private let until: Moment
    private let firm: [Range<Moment>]
    private let tentative: [Range<Moment>]

    /// Says when somebody is busy within some time.
    ///
    /// - Parameters:
    ///   - uid: its name for ever.
    ///   - from: the beginning of what it tells of.
    ///   - until: the end of it.
    ///   - firm: when they are, in order; none of these touches another.
    ///   - tentative: when they may be, in order as well.
    public init(
        uid: String, from: Moment, until: Moment, firm: [Range<Moment>],
        tentative: [Range<Moment>]
    ) {
        self.uid = uid
        self.from = from
        self.until = until
        self.firm = firm
        self.tentative = tentative
    }

    /// The calendar object, which was made at a moment.
    public func octets(at now: Moment) -> [UInt8] {
        let head =
            [
                CalendarLine("VERSION", raw: "2.0"),
                CalendarLine("PRODID", raw: "-//letsmeet//letsmeet//EN"),
                CalendarLine("METHOD", raw: "PUBLISH"),
            ] + CalendarFeed.refreshLines
        let lines = [
            CalendarLine("UID", text: uid), CalendarLine("DTSTAMP", raw: CalendarTime.utc(now)),
            CalendarLine("DTSTART", raw: CalendarTime.utc(from)),
            CalendarLine("DTEND", raw: CalendarTime.utc(until)),
        ]
        let periods =
            firm.map { line($0, "BUSY") } + tentative.map { line($0, "BUSY-TENTATIVE") }
        return CalendarComponent(
            "VCALENDAR", head, [CalendarComponent("VFREEBUSY", lines + periods)]
        ).octets
    }

    private func line(_ period: Range<Moment>, _ kind: String) -> CalendarLine {
        CalendarLine(
            "FREEBUSY", [("FBTYPE", kind)],
            raw: "\(CalendarTime.utc(period.lowerBound))/\(CalendarTime.utc(period.upperBound))")
    }
}
