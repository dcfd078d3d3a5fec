public import Timekeeping

/// A person's busy times for others to read, as a VFREEBUSY (RFC 5545, 3.6.4): in UTC and without
/// reasons.
public struct BusyPublication: Sendable {
    private let uid: String
    private let from: Moment
    private let until: Moment
    private let firm: [Range<Moment>]
    private let tentative: [Range<Moment>]

    /// Describes the busy times within a range.
    ///
    /// - Parameters:
    ///   - uid: the permanent UID of the publication.
    ///   - from: the start of the range.
    ///   - until: the end of the range.
    ///   - firm: times at which the person is busy, in order; no two of them touch.
    ///   - tentative: times at which the person may be busy, in order; no two of them touch.
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

    /// The calendar object, stamped with the time `now`.
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
