import Timekeeping

/// The busy times of a calendar and nothing else: no titles, places or people.
///
/// An event takes time unless it is cancelled, TRANSPARENT, or declined by its owner. An all-day
/// event takes time only if it is marked OPAQUE (RFC 5545, 3.8.2.7) or as busy by Outlook. Events
/// that are tentative or not answered yet are marked as tentative. A VFREEBUSY component takes time
/// in every period that is not marked FREE.
public struct BusyCalendar: Sendable {
    /// The stripped calendar, in the form in which it is stored.
    public let text: String
    /// The number of components that take time.
    public let count: Int

    /// Extracts the busy times from calendars.
    ///
    /// - Parameters:
    ///   - calendars: the calendars, as any program wrote them.
    ///   - addresses: the owner's mail addresses, to find the owner's answers.
    ///   - uids: the UIDs of events to leave out because they are already known from elsewhere.
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

    /// The UIDs of the events in calendars.
    public static func uids(of calendars: [CalendarComponent]) -> [String] {
        calendars.flatMap(\.components).filter { $0.name == "VEVENT" }
            .compactMap { $0.line("UID")?.text }
    }
}

extension CalendarObject {
    /// True if the object takes its owner's time, judged by its own properties alone; see
    /// ``BusyCalendar`` for the rules.
    public var takesTime: Bool {
        let whole = components.first { $0.line("RECURRENCE-ID") == nil }
        return whole.map { BusyStripping(addresses: [], known: []).takesTime($0) } ?? true
    }
}

/// Removes private data from calendars.
private struct BusyStripping {
    let addresses: [String]
    let known: Set<String>

    func stripped(_ calendar: CalendarComponent, number: Int) -> CalendarComponent {
        let components = CalendarObject.all(in: calendar).enumerated().flatMap {
            place, object -> [CalendarComponent] in
            guard !known.contains(object.uid) else { return [] }
            return newest(of: object.components).compactMap { component in
                switch component.name {
                // Events get new UIDs that reveal nothing.
                case "VEVENT":
                    event(
                        component.asMeant(inDays: object.isOfDays(component)),
                        called: "\(number)-\(place)", isWhole: object.isWhole)
                case "VFREEBUSY": periods(of: component)
                default: nil
                }
            }
        }
        let used = Set(components.flatMap(\.zoneNames))
        let zones = calendar.components.filter {
            $0.name == "VTIMEZONE" && used.contains($0.line("TZID")?.text ?? "")
        }.map(zone)
        // Names from the tz database contain no spaces.
        let usual = calendar.lines("X-WR-TIMEZONE").filter { !$0.plainText.contains(" ") }
            .map { CalendarLine("X-WR-TIMEZONE", raw: $0.plainText) }
        return CalendarComponent("VCALENDAR", usual, zones + components)
    }

    /// The newest version of each event and of each occurrence.
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

    /// A zone reduced to its rules.
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

    /// An event reduced to its times; `nil` if it takes no time. An occurrence of a series that
    /// takes no time is kept, because it overrides the series.
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

    /// The parameters that affect how a time is read.
    private static let parameters: Set = ["TZID", "VALUE", "RANGE", "FBTYPE"]

    /// The named properties that hold times or rules, without values that cannot be read.
    private func times(of component: CalendarComponent, _ names: [String]) -> [CalendarLine] {
        names.flatMap { component.lines($0) }.compactMap { line in
            let value: String?
            switch line.name {
            case "RRULE":
                value = (try? RecurrenceRule.lenient(line.plainText))?.rule.description
            case "DURATION": value = TimeSpan(calendar: line.plainText)?.calendarText
            default:
                let texts = line.plainText.split(separator: ",").filter(isTime)
                value = texts.isEmpty ? nil : texts.joined(separator: ",")
            }
            let said = line.parameters.filter { Self.parameters.contains($0.name) }
            return value.map { CalendarLine(line.name, said.map { ($0.name, $0.value) }, raw: $0) }
        }
    }

    /// True if a text is a time, or a period given by its end or its length.
    private func isTime(_ text: Substring) -> Bool {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard let first = parts.first, CalendarStamp(first) != nil, parts.count <= 2 else {
            return false
        }
        return parts.count == 1 || CalendarStamp(parts[1]) != nil
            || TimeSpan(calendar: String(parts[1])) != nil
    }

    /// The kind of time an event takes, stored as its STATUS.
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
        // Outlook's own property is more exact.
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
