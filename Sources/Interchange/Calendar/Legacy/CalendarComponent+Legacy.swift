import Timekeeping

/// Forms of other programs and of vCalendar 1.0.
extension CalendarComponent {
    /// A calendar object in the form of iCalendar. The events that programs mark as whole days have
    /// dates, and a vCalendar 1.0 object has the zones, rules and lists of RFC 5545.
    var inICalendarForm: CalendarComponent {
        guard name == "VCALENDAR" else { return self }
        let object = line("VERSION")?.plainText == "1.0" ? withoutVCalendarForms : self
        guard object.components.contains(where: \.isMarkedAsDays) else { return object }
        var plain = object
        plain.items = object.items.map { item in
            guard case .component(let part) = item, part.isMarkedAsDays else { return item }
            return .component(part.inDays)
        }
        return plain
    }

    /// A vCalendar 1.0 object whose zone is described, whose times name it, and whose rules and
    /// lists of dates are those of RFC 5545.
    private var withoutVCalendarForms: CalendarComponent {
        let zone = VCalendarZone(self)
        var object = self
        object.items = items.compactMap { item in
            switch item {
            case .line(let line):
                // The zone is described by a component instead.
                let isOfZone = ["TZ", "DAYLIGHT"].contains(line.name)
                return isOfZone && zone?.component != nil ? nil : item
            case .component(let part):
                let plain = part.withPlainLists
                return .component(zone?.placing(plain) ?? plain)
            }
        }
        if let description = zone?.component { object.items.insert(.component(description), at: 0) }
        return object
    }

    private var withPlainLists: CalendarComponent {
        var part = self
        part.items = items.map { item in
            guard case .line(let line) = item else { return item }
            switch line.name {
            case "RRULE":
                return VCalendarRule(line.plainText).map { .line(line.saying($0.text)) } ?? item
            case "EXDATE", "RDATE":
                let dates = line.plainText.split { ";,".contains($0) || $0.isWhitespace }
                return .line(line.saying(dates.joined(separator: ",")))
            default: return item
            }
        }
        return part
    }
}

/// Whole days that are written as times from midnight on.
extension CalendarComponent {
    /// The properties with which Exchange and Funambol mark whole days.
    private static let marks: Set = ["X-MICROSOFT-CDO-ALLDAYEVENT", "X-FUNAMBOL-ALLDAY"]

    var isMarkedAsDays: Bool {
        guard name == "VEVENT" else { return false }
        let isMarked = items.contains { item in
            guard case .line(let line) = item, Self.marks.contains(line.name) else { return false }
            return ["TRUE", "1"].contains(line.plainText.uppercased())
        }
        let isAtMidnight = line("DTSTART")?.midnight != nil
        return isMarked && isAtMidnight && (line("DTEND").map { $0.dayAfter != nil } ?? true)
    }

    /// The event with dates instead of times.
    fileprivate var inDays: CalendarComponent {
        var event = self
        event.items = items.map { item in
            guard case .line(let line) = item else { return item }
            let day =
                switch line.name {
                case "DTSTART": line.midnight
                case "DTEND": line.dayAfter
                default: CivilDate?.none
                }
            guard let day else { return item }
            return .line(line.saying(CalendarStamp.day(day).description, type: "DATE"))
        }
        return event
    }
}

extension CalendarLine {
    private var wall: WallTime? {
        switch CalendarStamp(plainText) {
        case .wall(let wall)?: wall
        case .utc(let moment)?: WallTime(secondsSince1970: moment.seconds)
        case .day, nil: nil
        }
    }

    /// The day that begins at this time; `nil` for another time.
    fileprivate var midnight: CivilDate? {
        wall.flatMap { $0.time == .midnight ? $0.date : nil }
    }

    /// The day after the last one, if an event ends at midnight or in the minute before;
    /// otherwise `nil`.
    fileprivate var dayAfter: CivilDate? {
        guard let wall else { return nil }
        return wall.time == .midnight
            ? wall.date
            : WallTime(secondsSince1970: wall.secondsSince1970 + 60).date == wall.date
                ? nil : wall.date.adding(days: 1)
    }
}
