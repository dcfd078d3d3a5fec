public import Timekeeping

/// The busy times of a calendar and nothing else: no titles, places or people.
///
/// An event takes time unless it is cancelled, TRANSPARENT, or declined by its owner. An all-day
/// event takes time only if it is marked OPAQUE (RFC 5545, 3.8.2.7) or as busy by Outlook. Events
/// that are tentative or not answered yet are marked as tentative. A VFREEBUSY component takes time
/// in every period that is not marked FREE. Within the range of a VAVAILABILITY (RFC 7953), all
/// times that are not marked AVAILABLE are taken.
///
/// Parts that cannot be read count as too long rather than too short, and ``remarks`` names them.
public struct BusyCalendar: Sendable {
    /// The stripped calendar, in the form in which it is stored.
    public let text: String
    /// The number of components that take time.
    public let count: Int
    /// The kinds of data that could not be read: one sentence for each, with the number of places
    /// and the first line.
    public let remarks: [String]

    /// Extracts the busy times from calendars.
    ///
    /// - Parameters:
    ///   - calendars: the calendars, as any program wrote them.
    ///   - addresses: the owner's mail addresses, to find the owner's answers.
    ///   - uids: the UIDs of events to leave out because they are already known from elsewhere.
    ///   - directory: the zone rules of the system.
    public init(
        _ calendars: [CalendarComponent], of addresses: [String], besides uids: Set<String> = [],
        by directory: ZoneDirectory
    ) {
        var doubts = BusyDoubts()
        var stripped: [CalendarComponent] = []
        var left = CalendarObject.comparedDatesMax
        let joined = BusyJoining(calendars, by: directory).joined
        for (place, calendar) in joined.enumerated() {
            var stripping = BusyStripping(
                calendar, number: place, of: addresses, besides: uids, by: directory, doubts,
                datesLeft: left)
            stripped.append(stripping.stripped())
            (doubts, left) = (stripping.doubts, stripping.datesLeft)
        }
        text = stripped.map(\.unfolded).joined()
        count = stripped.flatMap(\.components).count { $0.name != "VTIMEZONE" }
        remarks = doubts.remarks
    }

    /// The UIDs of the events in calendars.
    public static func uids(of calendars: [CalendarComponent]) -> [String] {
        calendars.flatMap(\.components).filter { $0.name == "VEVENT" }
            .compactMap { $0.line("UID")?.text }
    }
}

extension CalendarObject {
    /// True if the object or one of its dates takes its owner's time, judged by its own properties
    /// alone; see ``BusyCalendar`` for the rules.
    public var takesTime: Bool {
        !isWhole || components.contains { BusyClaim(of: $0, addresses: []) != .none }
    }
}
