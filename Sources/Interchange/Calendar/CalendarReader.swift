/// A problem found in a calendar object.
public struct CalendarProblem: FileRemark {
    /// The severity of a problem.
    public enum Severity: String, Sendable {
        /// A part of the file is not read, or not as intended.
        case error
        /// Everything is read, but other programs may reject it or read it differently.
        case warning
    }

    /// The line of the file, counted from 1.
    public let line: Int
    /// The severity.
    public let severity: Severity
    /// A sentence that states the problem and its effect.
    public let message: String

    /// The severity and the message without the quoted parts of the file, which are the same for
    /// all problems of a kind.
    public var kind: String { severity.rawValue + message.withoutParticulars }

    /// Describes a problem.
    public init(_ severity: Severity, line: Int, _ message: String) {
        self.severity = severity
        self.line = line
        self.message = message
    }
}

/// The contents of a calendar file and the problems found in it.
public struct CalendarReading: Equatable, Sendable {
    /// The calendar objects.
    public internal(set) var calendars: [CalendarComponent] = []
    /// The syntax problems, in the order of their lines.
    public internal(set) var problems: RemarkList<CalendarProblem> = []
    /// True if the file ends before its calendar objects do.
    public internal(set) var isCutOff = false
    /// A sentence that names the limit that the file exceeds, so that the rest was not read; `nil`
    /// if it was read to its end.
    public internal(set) var excess: String?
    /// The line at which the file exceeds the limit, counted from 1; `nil` if it exceeds none.
    public internal(set) var excessLine: Int?

    /// A sentence that names the limit that the file exceeds, and one that names the line; `nil` if
    /// the file was read to its end.
    public var excessWithLine: String? {
        excess.map { "\($0)\(excessLine.map { " See line \($0)." } ?? "")" }
    }
}

/// A reader for iCalendar (RFC 5545), and for vCalendar 1.0 as far as its syntax is the same.
public enum CalendarReader {
    /// The largest size of a file in octets: 48 MiB.
    public static let octetsMax = 48 << 20
    /// The most lines of a file, after unfolding.
    public static let itemsMax = 600_000
    /// The most components of a file.
    public static let componentsMax = 100_000
    /// The most descriptions of time zones in one calendar object. Most files have a few.
    public static let zonesMax = 200
    /// The most parts of the description of a time zone: two a year for 150 years.
    public static let zonePartsMax = 300
    /// The most parts of all descriptions of time zones in one calendar object.
    public static let allZonePartsMax = 3000
    /// The most added and left out dates of one event.
    public static let datesMax = 20_000
    /// The most added and left out dates of all events.
    public static let allDatesMax = 100_000
    /// The most busy periods of all VFREEBUSY components.
    public static let periodsMax = 200_000
    /// The most properties of one component, without those of the components in it.
    public static let propertiesMax = 50_000
    /// The most parameters of one property.
    public static let parametersMax = 1000
    /// The most components without an end, or ends without a component.
    public static let nestingErrorsMax = 1000
    /// The deepest nesting of components; RFC 5545 needs three levels.
    static let depthMax = 16

    /// Parses the calendar objects in `octets`, which may be in UTF-8, UTF-16 or an 8-bit encoding.
    ///
    /// Reading never fails: intact components are kept with all their contents, and each damaged
    /// one is reported with its line.
    public static func read(_ octets: [UInt8]) -> CalendarReading {
        guard octets.count <= octetsMax else {
            var reading = CalendarReading()
            reading.exceed(
                at: 1, "The file has \(octets.count) bytes; at most \(octetsMax) can be read.")
            return reading
        }
        var session = CalendarSession(octets)
        return session.read()
    }
}

extension CalendarReading {
    mutating func note(_ severity: CalendarProblem.Severity, line: Int, _ message: String) {
        problems.add(CalendarProblem(severity, line: line, message))
    }

    /// Notes that the rest of the file is not read.
    mutating func exceed(at line: Int, _ message: String) {
        (excess, excessLine) = (message, line)
        note(.error, line: line, message)
    }
}

/// A single pass over a file, line by line.
private struct CalendarSession {
    private var lines: VCardLines
    private var reading = CalendarReading()
    /// The components that have begun and not ended yet, the outermost first.
    private var open: [CalendarComponent] = []
    private var itemCount = 0
    private var componentCount = 0
    private var nestingErrorCount = 0
    private var zoneCount = 0
    private var zonePartCount = 0
    private var allZonePartCount = 0
    /// The added and left out dates of the open components, by their depth.
    private var dateCounts = [Int](repeating: 0, count: CalendarReader.depthMax + 1)
    private var allDateCount = 0
    private var periodCount = 0
    /// The properties of the open components, by their depth.
    private var propertyCounts = [Int](repeating: 0, count: CalendarReader.depthMax + 1)
    /// The limit that the file exceeds, and the line at which it does.
    private var excess: (line: Int, message: String)?
    /// The first line outside any calendar object.
    private var outside: Int?
    private var areControlsNamed = false
    private var isEncodingNamed = false
    /// Text from unfolded continuation lines, to be appended to the last property once all of them
    /// are read.
    private var more = ""

    init(_ octets: [UInt8]) {
        lines = VCardLines(SourceText.plain(octets), folding: .calendar)
    }

    mutating func read() -> CalendarReading {
        while excess == nil, let line = lines.next() {
            itemCount += 1
            limit(itemCount, to: CalendarReader.itemsMax, "lines", at: line.number)
            take(line)
        }
        takeMore()
        if let first = open.first {
            let damaged = open.last ?? first
            reading.isCutOff = true
            reading.note(
                .error, line: damaged.number,
                "\(damaged.name) has no END: the file is cut off, so this component is skipped."
            )
            leaveOutLast()
        }
        noteWhatIsOutside()
        if let excess { reading.exceed(at: excess.line, excess.message) }
        reading.problems.sort()
        return reading
    }

    /// Ends the reading if there is more of something than is allowed.
    private mutating func limit(_ count: Int, to most: Int, _ items: String, at line: Int) {
        guard count > most, excess == nil else { return }
        excess = (line, "The file has more than \(most) \(items); the rest is not read.")
    }

    private mutating func noteNesting(_ line: Int, _ message: String) {
        nestingErrorCount += 1
        limit(
            nestingErrorCount, to: CalendarReader.nestingErrorsMax,
            "components that do not begin or end", at: line)
        reading.note(.error, line: line, message)
    }

    /// Drops the component that is cut off and keeps the complete parts of its calendar object.
    private mutating func leaveOutLast() {
        if open.count > 1 { open.removeLast() }
        while !open.isEmpty { close() }
    }

    private mutating func take(_ line: LogicalLine) {
        if line.isCut {
            reading.note(.error, line: line.number, "The line is too long, so its end is dropped.")
        }
        guard let property = CalendarLine(line), !continuesText(property, line) else {
            return takeScrap(line)
        }
        noteDamage(of: line, property)
        takeMore()
        switch property.name {
        case "BEGIN": begin(property.plainText.uppercased(), at: line.number)
        case "END": end(property.plainText.uppercased(), at: line.number)
        default: take(property)
        }
    }

    /// Reports control characters and wrong encodings, each once for the file.
    private mutating func noteDamage(of line: LogicalLine, _ property: CalendarLine) {
        if !areControlsNamed, line.bytes.contains(where: { $0 < 0x20 && $0 != 9 || $0 == 0x7F }) {
            areControlsNamed = true
            reading.note(
                .warning, line: line.number,
                "The file contains control characters, which are dropped.")
        }
        if !isEncodingNamed, property.parameter("CHARSET") == nil,
            line.bytes.contains(where: { $0 > 0x7F }),
            String(validating: line.bytes, as: UTF8.self) == nil
        {
            isEncodingNamed = true
            reading.note(
                .warning, line: line.number,
                "The file is not valid UTF-8; it is read in an older 8-bit encoding.")
        }
    }

    private mutating func take(_ written: CalendarLine) {
        guard !open.isEmpty else { return noteOutside(written.number) }
        let property = written.inCalendarForm ?? written
        if property != written {
            reading.note(
                .warning, line: written.number,
                "\(written.name) is not in the form of RFC 5545; it is read as "
                    + "\"\(property.plainText.prefix(80))\".")
        }
        open[open.count - 1].items.append(.line(property))
        count(property)
    }

    /// Counts a property, and the dates or periods in it.
    private mutating func count(_ property: CalendarLine) {
        let line = property.number
        propertyCounts[open.count] += 1
        limit(
            propertyCounts[open.count], to: CalendarReader.propertiesMax,
            "properties in one component", at: line)
        limit(
            property.parameters.count, to: CalendarReader.parametersMax,
            "parameters in one property", at: line)
        guard ["RDATE", "EXDATE", "FREEBUSY"].contains(property.name) else { return }
        let values = 1 + property.value.utf8.count { $0 == .comma }
        guard property.name != "FREEBUSY" else {
            periodCount += values
            return limit(periodCount, to: CalendarReader.periodsMax, "busy periods", at: line)
        }
        dateCounts[open.count] += values
        allDateCount += values
        limit(
            dateCounts[open.count], to: CalendarReader.datesMax,
            "added and left out dates in one event", at: line)
        limit(
            allDateCount, to: CalendarReader.allDatesMax, "added and left out dates", at: line)
    }

    /// Counts a component that begins.
    private mutating func count(_ name: String, at line: Int) {
        componentCount += 1
        limit(componentCount, to: CalendarReader.componentsMax, "components", at: line)
        (dateCounts[open.count + 1], propertyCounts[open.count + 1]) = (0, 0)
        switch name {
        case "VCALENDAR": (zoneCount, allZonePartCount) = (0, 0)
        case "VTIMEZONE":
            zoneCount += 1
            zonePartCount = 0
            limit(zoneCount, to: CalendarReader.zonesMax, "time zones in one calendar", at: line)
        case "STANDARD", "DAYLIGHT":
            zonePartCount += 1
            allZonePartCount += 1
            limit(
                zonePartCount, to: CalendarReader.zonePartsMax, "parts in one time zone", at: line)
            limit(
                allZonePartCount, to: CalendarReader.allZonePartsMax,
                "parts in all time zones of one calendar", at: line)
        default: break
        }
    }

    private mutating func noteOutside(_ line: Int) { outside = outside ?? line }

    private mutating func noteWhatIsOutside() {
        if reading.calendars.isEmpty, outside != nil || reading.problems.isEmpty {
            reading.note(
                .error, line: 1, "The file has no BEGIN:VCALENDAR, so it is not a calendar file.")
        } else if let outside {
            reading.note(
                .error, line: outside, "This line is outside any calendar object and is skipped.")
        }
    }

    /// True if a line with a colon, such as "https://example.org" or "Note: bring cake", is not a
    /// property but continues the text before it, which another program broke without folding.
    private func continuesText(_ property: CalendarLine, _ line: LogicalLine) -> Bool {
        guard case .line(let before)? = open.last?.items.last, before.isText else { return false }
        let written = line.bytes.prefix { $0 != .colon && $0 != .semicolon }
        let isMixed =
            written.contains { (0x61...0x7A).contains($0) }
            && written.contains { (0x41...0x5A).contains($0) }
        if CalendarLine.isKnown(property.name) {
            // "Status: Cancelled" is a line of a text.
            let isSpaced = line.bytes.dropFirst(written.count).starts(with: [.colon, .space])
            return isMixed && (!more.isEmpty || isSpaced)
        }
        let isCapital = !written.contains { (0x61...0x7A).contains($0) }
        return !isCapital || !more.isEmpty
    }

    /// Handles a line that is not a property: it continues the text before it, which another
    /// program broke without folding.
    private mutating func takeScrap(_ line: LogicalLine) {
        guard !open.isEmpty else { return noteOutside(line.number) }
        guard case .line(let before)? = open[open.count - 1].items.last else {
            return noteScrap(line)
        }
        if let rule = before.withRulePart(line) {
            open[open.count - 1].items[open[open.count - 1].items.count - 1] = .line(rule)
            return reading.note(
                .warning, line: line.number,
                "This line is not a property; it is read as a part of RRULE, which is broken over "
                    + "two lines.")
        }
        guard before.isText else { return noteScrap(line) }
        more += "\\n" + CalendarText.escapedOnce(DecodedText(line.bytes, charset: nil).text)
        reading.note(
            .warning, line: line.number,
            "This line is not a property; it is read as a continuation of \(before.name), "
                + "whose lines are not folded."
        )
    }

    private mutating func noteScrap(_ line: LogicalLine) {
        reading.note(.error, line: line.number, "This line is not a property and is skipped.")
    }

    private mutating func takeMore() {
        guard !more.isEmpty, !open.isEmpty,
            case .line(let before)? = open[open.count - 1].items.popLast()
        else { return }
        open[open.count - 1].items.append(.line(before.continued(more)))
        more = ""
    }

    private mutating func begin(_ name: String, at line: Int) {
        guard !name.isEmpty else {
            return reading.note(.error, line: line, "BEGIN has no name and is skipped.")
        }
        guard name.utf8.allSatisfy({ $0.isASCIILetter || $0.isASCIIDigit || $0 == .hyphen }) else {
            return reading.note(
                .error, line: line, "BEGIN has the name of no component and is skipped.")
        }
        if open.isEmpty, name != "VCALENDAR" { noteOutside(line) }
        if let last = open.last, last.name == name {
            noteNesting(
                last.number, "\(name) has no END; it ends where the next one begins.")
            close()
        }
        guard open.count < CalendarReader.depthMax else {
            return noteNesting(
                line, "\(name) is nested too deeply; it is merged into its parent.")
        }
        count(name, at: line)
        open.append(CalendarComponent(name, at: line))
    }

    private mutating func end(_ name: String, at line: Int) {
        guard let place = open.lastIndex(where: { $0.name == name }) else {
            return noteNesting(line, "END:\(name) has no BEGIN and is skipped.")
        }
        while open.count > place + 1 {
            let inner = open[open.count - 1]
            noteNesting(inner.number, "\(inner.name) has no END; it ends with \(name).")
            close()
        }
        close()
    }

    private mutating func noteUnkept(_ line: CalendarLine) {
        reading.note(
            .warning, line: line.number,
            "The calendar has more than \(CalendarComponent.headLinesMax) properties, or more than "
                + "\(CalendarComponent.headOctetsMax) bytes of them; this one is not kept.")
    }

    /// Ends the innermost open component.
    private mutating func close() {
        guard var done = open.popLast() else { return }
        if let empty = done.line("RECURRENCE-ID"), empty.plainText.isEmpty,
            done.line("RRULE") != nil
        {
            done = done.replacing(["RECURRENCE-ID"], by: [])
            reading.note(.warning, line: empty.number, "RECURRENCE-ID is empty and is ignored.")
        }
        if open.isEmpty {
            guard done.name == "VCALENDAR" else { return }
            if let line = done.firstUnkept { noteUnkept(line) }
            reading.calendars.append(done.inICalendarForm.namingDescribedZones)
        } else {
            open[open.count - 1].items.append(.component(done))
        }
    }
}
