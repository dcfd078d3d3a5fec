import Timekeeping

// Other programs write values that no reader can parse. Imports keep them as they are, so that
// nothing is lost, but exports must be valid (RFC 5545): a strict reader refuses the whole file.

extension CalendarComponent {
    /// The component with valid values alone. The text of a value that is not valid stays in a
    /// property of its own: `X-LETSMEET-DURATION` for `DURATION`. Alarms that never go off are left
    /// out.
    func valid() -> CalendarComponent {
        let inDays = isOfDays
        let unpaired = unpairedNames
        var component = self
        component.items = items.flatMap { item -> [Item] in
            switch item {
            case .line(let line) where unpaired.contains(line.name): [.line(line.asRemark)]
            case .line(let line): line.valid(in: name, inDays: inDays).map(Item.line)
            case .component(let inner) where inner.isSilentAlarm: []
            case .component(let inner): [.component(inner.valid())]
            }
        }
        return component
    }

    /// The component without the names of zones that nobody knows and the calendar does not
    /// describe. Times in them are read in the reader's own zone, as times without a zone are.
    func withoutUnknownZones(
        by zones: CalendarZones, _ directory: ZoneDirectory
    ) -> CalendarComponent {
        let unknown = Set(zoneNames).filter {
            !zones.describes($0) && zones.zone($0, by: directory) == nil
        }
        guard !unknown.isEmpty else { return self }
        var component = self
        component.items = items.map { item in
            guard case .line(let line) = item, let name = line.parameter("TZID"),
                unknown.contains(name)
            else { return item }
            let others = line.parameters.filter { $0.name != "TZID" }
            return .line(
                CalendarLine(line.name, others.map { ($0.name, $0.value) }, raw: line.value))
        }
        return component
    }

    /// The properties that are not allowed here because of others: a length beside an end, and the
    /// repetition of an alarm that lacks its number or its interval (RFC 5545, 3.6.1 and 3.6.6).
    private var unpairedNames: Set<String> {
        func isValid(_ name: String) -> Bool { line(name)?.isValid(in: self.name) ?? false }
        if name == "VALARM" {
            return isValid("REPEAT") && isValid("DURATION") ? [] : ["REPEAT", "DURATION"]
        }
        return isValid("DTEND") || isValid("DUE") ? ["DURATION"] : []
    }

    private var isSilentAlarm: Bool {
        name == "VALARM" && !(line("TRIGGER")?.isValid(in: name) ?? false)
    }
}

extension CalendarLine {
    /// The property, if its value is valid, or else what is left of it.
    ///
    /// - Parameters:
    ///   - component: the name of its component.
    ///   - inDays: true if the event consists of whole days.
    /// - Returns: the property, and a remark with the text if that is not valid.
    fileprivate func valid(in component: String, inDays: Bool) -> [CalendarLine] {
        switch name {
        case "RRULE", "EXRULE": [validRule(inDays: inDays)]
        case "EXDATE", "RDATE", "FREEBUSY": [validTimes]
        // An unknown class counts as private, as RFC 5545, 3.8.1.3 requires.
        case "CLASS" where !isValid(in: component):
            [CalendarLine("CLASS", raw: "PRIVATE"), asRemark]
        default: [isValid(in: component) ? self : asRemark]
        }
    }

    /// The property under a name that other programs ignore.
    fileprivate var asRemark: CalendarLine { CalendarLine("X-LETSMEET-\(name)", text: plainText) }

    private func validRule(inDays: Bool) -> CalendarLine {
        // Rules of other calendar systems are valid (RFC 7529), although they are not read here.
        guard !plainText.uppercased().contains("RSCALE=") else { return self }
        guard let (rule, faults) = try? RecurrenceRule.lenient(plainText),
            !inDays || rule.frequency >= .daily
        else { return asRemark }
        let meant = inDays ? rule.withoutTimes : rule
        return faults.isEmpty && meant == rule ? self : saying(meant.description)
    }

    private var validTimes: CalendarLine {
        let all = plainText.split(separator: ",", omittingEmptySubsequences: false)
        let valid = all.filter { $0.isTime && ($0.contains("/") || name != "FREEBUSY") }
        guard valid.count < all.count else { return self }
        return valid.isEmpty ? asRemark : saying(valid.joined(separator: ","))
    }

    /// True if the value of a property with a single value can be read by its type.
    fileprivate func isValid(in component: String) -> Bool {
        let text = plainText
        return switch name {
        case "DTSTART", "DTEND", "DUE", "RECURRENCE-ID", "DTSTAMP", "CREATED", "LAST-MODIFIED",
            "COMPLETED":
            CalendarStamp(text) != nil
        case "DURATION": TimeSpan(calendar: text) != nil
        case "TRIGGER":
            TimeSpan(calendar: text.hasPrefix("-") ? String(text.dropFirst()) : text) != nil
                || CalendarStamp(text).map { !$0.isDay } ?? false
        case "PRIORITY": Self.isNumber(text, through: 9)
        case "PERCENT-COMPLETE": Self.isNumber(text, through: 100)
        case "SEQUENCE", "REPEAT": Self.isNumber(text, through: Int(Int32.max))
        case "GEO": position != nil
        case "CLASS": Self.isToken(text)
        case "STATUS": Self.states[component]?.contains(text.uppercased()) ?? true
        case "TRANSP": ["OPAQUE", "TRANSPARENT"].contains(text.uppercased())
        case "ATTACH", "IMAGE": parameter("ENCODING")?.uppercased() != "BASE64" || isInBase64
        default: true
        }
    }

    private static func isNumber(_ text: String, through limit: Int) -> Bool {
        Int(text).map { (0...limit).contains($0) } ?? false
    }

    /// True for a name of RFC 5545, or one that another standard or program may define.
    private static func isToken(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy { $0.isLetterOrDigit || $0 == UInt8(ascii: "-") }
    }

    private static let states: [String: Set<String>] = [
        "VEVENT": ["TENTATIVE", "CONFIRMED", "CANCELLED"],
        "VTODO": ["NEEDS-ACTION", "COMPLETED", "IN-PROCESS", "CANCELLED"],
        "VJOURNAL": ["DRAFT", "FINAL", "CANCELLED"],
    ]

    private var isInBase64: Bool {
        let marks = Set("+/=".utf8)
        return value.utf8.allSatisfy { $0.isLetterOrDigit || marks.contains($0) }
    }
}
