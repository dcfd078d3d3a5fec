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
    ///   - uids: events that are known otherwise, by their names; they are left out.
    public init(
        _ calendars: [CalendarComponent], of addresses: [String], besides uids: Set<String> = []
    ) {
        let stripping = BusyStripping(addresses: addresses, known: uids)
        let stripped = calendars.enumerated().map { place, calendar in
            stripping.stripped(calendar, number: place)
        }
        text = stripped.map(\.unfolded).joined()
        count = stripped.flatMap(\.components).count { $0.name != "VTIMEZONE" }
    }

    /// The names of the events in calendars.
    public static func uids(of calendars: [CalendarComponent]) -> [String] {
        calendars.flatMap(\.components).filter { $0.name == "VEVENT" }
            .compactMap { $0.line("UID")?.text }
    }
}

extension CalendarObject {
    /// Whether it takes its owner's time, as far as it says so itself: see ``BusyCalendar``.
    public var takesTime: Bool {
        let whole = components.first { $0.line("RECURRENCE-ID") == nil }
        return whole.map { BusyStripping(addresses: [], known: []).takesTime($0) } ?? true
    }
}

/// Takes out of calendars what is nobody's business.
private struct BusyStripping {
    let addresses: [String]
    let known: Set<String>

    func stripped(_ calendar: CalendarComponent, number: Int) -> CalendarComponent {
        let components = CalendarObject.all(in: calendar).enumerated().flatMap {
            place, object -> [CalendarComponent] in
            guard !known.contains(object.uid) else { return [] }
            return newest(of: object.components).compactMap { component in
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
        }.map(zone)
        // A name of the tz database has no blanks.
        let usual = calendar.lines("X-WR-TIMEZONE").filter { !$0.plainText.contains(" ") }
            .map { CalendarLine("X-WR-TIMEZONE", raw: $0.plainText) }
        return CalendarComponent("VCALENDAR", usual, zones + components)
    }

    /// Of several versions of an event, or of a date of it, the newest.
    private func newest(of components: [CalendarComponent]) -> [CalendarComponent] {
        guard components.count > 1, components.allSatisfy({ $0.name == "VEVENT" }) else {
            return components
        }
        var places: [String: Int] = [:]
        var newest: [CalendarComponent] = []
        for component in components {
            let date = component.line("RECURRENCE-ID")?.plainText ?? ""
            guard let place = places[date] else {
                places[date] = newest.count
                newest.append(component)
                continue
            }
            if component.sequence >= newest[place].sequence { newest[place] = component }
        }
        return newest
    }

    /// A zone with its rules alone.
    private func zone(_ zone: CalendarComponent) -> CalendarComponent {
        let parts = zone.components.map { part in
            CalendarComponent(
                part.name,
                times(of: part, ["DTSTART", "RRULE", "RDATE"])
                    + ["TZOFFSETFROM", "TZOFFSETTO"].flatMap { part.lines($0) }.map {
                        CalendarLine($0.name, raw: String($0.plainText.prefix(7)))
                    })
        }
        return CalendarComponent(
            "VTIMEZONE", zone.lines("TZID").map { CalendarLine("TZID", text: $0.text) }, parts)
    }

    /// An event with its times; `nil` where it takes no time, and says of nothing else that it
    /// takes none.
    private func event(
        _ event: CalendarComponent, called name: String, isWhole: Bool
    ) -> CalendarComponent? {
        let claim = claim(of: event)
        guard claim != .none || event.line("RECURRENCE-ID") != nil && isWhole,
            event.line("DTSTART") != nil || event.line("RECURRENCE-ID") != nil
        else { return nil }
        return CalendarComponent(
            "VEVENT",
            [CalendarLine("UID", raw: name), CalendarLine("STATUS", raw: claim.rawValue)]
                + times(
                    of: event,
                    ["RECURRENCE-ID", "DTSTART", "DTEND", "DURATION", "RRULE", "RDATE", "EXDATE"]))
    }

    /// What may stand beside a time and says how it is meant.
    private static let parameters: Set = ["TZID", "VALUE", "RANGE", "FBTYPE"]

    /// Properties with their times, and nothing that is none.
    private func times(of component: CalendarComponent, _ names: [String]) -> [CalendarLine] {
        names.flatMap { component.lines($0) }.compactMap { line in
            let value: String?
            switch line.name {
            case "RRULE": value = (try? RecurrenceRule(line.plainText))?.description
            case "DURATION": value = TimeSpan(calendar: line.plainText)?.calendarText
            default:
                let texts = line.plainText.split(separator: ",").filter(isTime)
                value = texts.isEmpty ? nil : texts.joined(separator: ",")
            }
            let said = line.parameters.filter { Self.parameters.contains($0.name) }
            return value.map { CalendarLine(line.name, said.map { ($0.name, $0.value) }, raw: $0) }
        }
    }

    /// Whether a text is a time, or a period between two, or of a length.
    private func isTime(_ text: Substring) -> Bool {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard let first = parts.first, CalendarStamp(first) != nil, parts.count <= 2 else {
            return false
        }
        return parts.count == 1 || CalendarStamp(parts[1]) != nil
            || TimeSpan(calendar: String(parts[1])) != nil
    }

    /// How an event takes time, as STATUS says it in what is kept.
    private enum Claim: String {
        case firm = "CONFIRMED"
        case tentative = "TENTATIVE"
        case none = "CANCELLED"
    }

    func takesTime(_ event: CalendarComponent) -> Bool { claim(of: event) != .none }

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
        let lines = times(of: component, ["FREEBUSY"]).filter {
            $0.parameter("FBTYPE")?.uppercased() != "FREE"
        }
        return lines.isEmpty ? nil : CalendarComponent("VFREEBUSY", lines)
    }
}

extension CalendarStamp {
    fileprivate var isDay: Bool { if case .day = self { true } else { false } }
}
