import Timekeeping

/// What of a calendar says when somebody is busy, and nothing else: no title, no place, no people.
///
/// An event takes time unless it is off, TRANSPARENT, or its reader said no; a whole day only where
/// it says so (RFC 5545, 3.8.2.7). What is tentative, or not answered yet, is told apart. Of
/// VFREEBUSY what it calls busy counts.
public struct BusyCalendar: Sendable {
    /// The calendar as it is kept.
    public let text: String
    /// How many events and other things in it take time.
    public let count: Int

    /// Takes what says when somebody is busy out of calendars.
    ///
    /// - Parameters:
    ///   - calendars: the calendars, as any program wrote them.
    ///   - addresses: the mail addresses of whose time it is: their answers count.
    public init(_ calendars: [CalendarComponent], of addresses: [String]) {
        let stripping = BusyStripping(addresses: addresses)
        let stripped = calendars.enumerated().map { place, calendar in
            stripping.stripped(calendar, number: place)
        }
        text = stripped.map(\.unfolded).joined()
        count = stripped.flatMap(\.components).count { $0.name != "VTIMEZONE" }
    }
}

/// Takes out of calendars what is nobody's business.
private struct BusyStripping {
    let addresses: [String]

    func stripped(_ calendar: CalendarComponent, number: Int) -> CalendarComponent {
        let components = CalendarObject.all(in: calendar).enumerated().flatMap { place, object in
            object.components.compactMap { component in
                switch component.name {
                // By names that tell nothing.
                case "VEVENT":
                    event(component, called: "\(number)-\(place)", isWhole: object.isWhole)
                case "VFREEBUSY": periods(of: component)
                default: nil
                }
            }
        }
        let used = Set(components.flatMap(\.zoneNames))
        let zones = calendar.components.filter {
            $0.name == "VTIMEZONE" && used.contains($0.line("TZID")?.text ?? "")
        }
        let usual = calendar.lines("X-WR-TIMEZONE")
        return CalendarComponent("VCALENDAR", usual, zones + components)
    }

    private static let times = [
        "RECURRENCE-ID", "DTSTART", "DTEND", "DURATION", "RRULE", "RDATE", "EXDATE",
    ]

    /// An event with its times; `nil` where it takes no time, and says of nothing else that it
    /// takes none.
    private func event(
        _ event: CalendarComponent, called name: String, isWhole: Bool
    ) -> CalendarComponent? {
        let claim = claim(of: event)
        guard claim != .none || event.line("RECURRENCE-ID") != nil && isWhole,
            event.line("DTSTART") != nil || event.line("RECURRENCE-ID") != nil
        else { return nil }
        let times = Self.times.flatMap { event.lines($0) }
        return CalendarComponent(
            "VEVENT",
            [CalendarLine("UID", raw: name), CalendarLine("STATUS", raw: claim.rawValue)] + times)
    }

    /// How an event takes time, as STATUS says it in what is kept.
    private enum Claim: String {
        case firm = "CONFIRMED"
        case tentative = "TENTATIVE"
        case none = "CANCELLED"
    }

    private func claim(of event: CalendarComponent) -> Claim {
        let status = event.line("STATUS")?.plainText.uppercased()
        let answer = CalendarEntry.participation(of: addresses, in: event)
        guard status != "CANCELLED", answer != "DECLINED" else { return .none }
        let isTentative =
            status == "TENTATIVE" || ["TENTATIVE", "NEEDS-ACTION"].contains(answer ?? "")
        // Outlook says it in words of its own, and more exactly.
        switch event.line("X-MICROSOFT-CDO-BUSYSTATUS")?.plainText.uppercased() {
        case "FREE", "WORKINGELSEWHERE": return .none
        case "TENTATIVE": return .tentative
        case "BUSY", "OOF": return isTentative ? .tentative : .firm
        default: break
        }
        let transparency = event.line("TRANSP")?.plainText.uppercased()
        let isDay = event.line("DTSTART").map { CalendarStamp($0.plainText)?.isDay ?? false }
        guard transparency != "TRANSPARENT", transparency == "OPAQUE" || isDay != true else {
            return .none
        }
        return isTentative ? .tentative : .firm
    }

    private func periods(of component: CalendarComponent) -> CalendarComponent? {
        let lines = component.lines("FREEBUSY").filter {
            $0.parameter("FBTYPE")?.uppercased() != "FREE"
        }
        return lines.isEmpty ? nil : CalendarComponent("VFREEBUSY", lines)
    }
}

extension CalendarStamp {
    fileprivate var isDay: Bool { if case .day = self { true } else { false } }
}
