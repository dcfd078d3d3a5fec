/// What is wrong with a calendar object.
public struct CalendarProblem: Equatable, Sendable {
    /// How much it matters.
    public enum Severity: String, Sendable {
        /// Something of the file is not read, or not as it is meant.
        case error
        /// All is read, though other programs may not read it, or not alike.
        case warning
    }

    /// Where it is, counted from 1.
    public let line: Int
    /// How much it matters.
    public let severity: Severity
    /// What is wrong, and what is made of it, in a sentence.
    public let message: String

    /// Describes a problem.
    public init(_ severity: Severity, line: Int, _ message: String) {
        self.severity = severity
        self.line = line
        self.message = message
    }
}

/// What a file of calendar objects holds, and what is wrong with it.
public struct CalendarReading: Equatable, Sendable {
    /// Its calendar objects.
    public internal(set) var calendars: [CalendarComponent] = []
    /// What is wrong with how it is written, in the order of its lines.
    public internal(set) var problems: [CalendarProblem] = []
    /// Whether it ends before its calendar objects do.
    public internal(set) var isCutOff = false
}

/// Reads iCalendar (RFC 5545), and vCalendar 1.0 as far as it is written alike.
public enum CalendarReader {
    /// Octets of a file: 64 MiB.
    public static let octetsMax = 64 << 20
    /// Properties and components of a file.
    public static let itemsMax = 2_000_000
    /// The most problems that are named.
    public static let problemsMax = 1000
    /// How deep components may stand in each other; those of RFC 5545 go three deep.
    static let depthMax = 16

    /// The calendar objects in `octets`, in UTF-8, UTF-16, or an 8-bit encoding.
    ///
    /// Nothing that is in them makes this fail: what is whole is kept, with all that stands in it,
    /// and what is damaged is named with its line.
    public static func read(_ octets: [UInt8]) -> CalendarReading {
        guard octets.count <= octetsMax else {
            var reading = CalendarReading()
            reading.note(
                .error, line: 1,
                "The file has \(octets.count) bytes, and at most \(octetsMax) are read.")
            return reading
        }
        var session = CalendarSession(octets)
        return session.read()
    }
}

extension CalendarReading {
    mutating func note(_ severity: CalendarProblem.Severity, line: Int, _ message: String) {
        guard problems.count < CalendarReader.problemsMax else { return }
        problems.append(CalendarProblem(severity, line: line, message))
    }
}

/// One reading of a file, line by line.
private struct CalendarSession {
    private var lines: VCardLines
    private var reading = CalendarReading()
    /// What is begun and not ended, the outermost first.
    private var open: [CalendarComponent] = []
    private var itemCount = 0
    /// The first line that stands in no calendar object.
    private var outside: Int?
    private var areControlsNamed = false
    private var isEncodingNamed = false
    /// More of the last line's value, from lines that are not folded: written to it when all of
    /// them are known.
    private var more = ""

    init(_ octets: [UInt8]) {
        lines = VCardLines(SourceText.plain(octets), folding: .calendar)
    }

    mutating func read() -> CalendarReading {
        while let line = lines.next() {
            guard itemCount < CalendarReader.itemsMax else {
                reading.note(
                    .error, line: line.number,
                    "The file has more than \(CalendarReader.itemsMax) lines; the rest is left out."
                )
                break
            }
            itemCount += 1
            take(line)
        }
        takeMore()
        if let first = open.first {
            let damaged = open.last ?? first
            reading.isCutOff = true
            reading.note(
                .error, line: damaged.number,
                "\(damaged.name) is not ended: the file is cut off, and this component is left out."
            )
            leaveOutLast()
        }
        noteWhatIsOutside()
        reading.problems.sort { $0.line < $1.line }
        return reading
    }

    /// What was whole in a calendar object that is cut off is kept.
    private mutating func leaveOutLast() {
        if open.count > 1 { open.removeLast() }
        while !open.isEmpty { close() }
    }

    private mutating func take(_ line: LogicalLine) {
        if line.isCut {
            reading.note(.error, line: line.number, "The line is too long: its end is left out.")
        }
        guard let property = CalendarLine(line) else { return takeScrap(line) }
        noteDamage(of: line, property)
        takeMore()
        switch property.name {
        case "BEGIN": begin(property.plainText.uppercased(), at: line.number)
        case "END": end(property.plainText.uppercased(), at: line.number)
        default: take(property)
        }
    }

    /// What of a line is not read as it stands there is said once of a file.
    private mutating func noteDamage(of line: LogicalLine, _ property: CalendarLine) {
        if !areControlsNamed, line.bytes.contains(where: { $0 < 0x20 && $0 != 9 || $0 == 0x7F }) {
            areControlsNamed = true
            reading.note(
                .warning, line: line.number,
                "It holds control characters, which are no text: they are left out.")
        }
        if !isEncodingNamed, property.parameter("CHARSET") == nil,
            line.bytes.contains(where: { $0 > 0x7F }),
            String(validating: line.bytes, as: UTF8.self) == nil
        {
            isEncodingNamed = true
            reading.note(
                .warning, line: line.number,
                "It is not in UTF-8: it is read in an older encoding, with one octet a letter.")
        }
    }

    private mutating func take(_ property: CalendarLine) {
        guard !open.isEmpty else { return noteOutside(property.number) }
        open[open.count - 1].items.append(.line(property))
    }

    private mutating func noteOutside(_ line: Int) { outside = outside ?? line }

    private mutating func noteWhatIsOutside() {
        if reading.calendars.isEmpty, outside != nil || reading.problems.isEmpty {
            reading.note(
                .error, line: 1, "The file has no BEGIN:VCALENDAR: it is no calendar file.")
        } else if let outside {
            reading.note(
                .error, line: outside, "This stands in no calendar object, and is left out.")
        }
    }

    /// A line that is no property is more of the text before it, broken without a fold.
    private mutating func takeScrap(_ line: LogicalLine) {
        guard !open.isEmpty else { return noteOutside(line.number) }
        guard case .line(let before)? = open[open.count - 1].items.last, before.isText else {
            return reading.note(
                .error, line: line.number, "This is no property, and is left out.")
        }
        more += "\\n" + CalendarText.escaped(DecodedText(line.bytes, charset: nil).text)
        reading.note(
            .warning, line: line.number,
            "This is no property: it is read as more of \(before.name), whose lines are not folded."
        )
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
            return reading.note(.error, line: line, "BEGIN names nothing, and is left out.")
        }
        if open.isEmpty, name != "VCALENDAR" { noteOutside(line) }
        if let last = open.last, last.name == name {
            reading.note(
                .error, line: last.number, "\(name) is not ended: it ends where the next begins.")
            close()
        }
        guard open.count < CalendarReader.depthMax else {
            return reading.note(
                .error, line: line, "\(name) stands too deep in others: its lines are theirs.")
        }
        open.append(CalendarComponent(name, at: line))
    }

    private mutating func end(_ name: String, at line: Int) {
        guard let place = open.lastIndex(where: { $0.name == name }) else {
            return reading.note(.error, line: line, "END:\(name) ends nothing, and is left out.")
        }
        while open.count > place + 1 {
            let inner = open[open.count - 1]
            reading.note(
                .error, line: inner.number, "\(inner.name) is not ended: it ends with \(name).")
            close()
        }
        close()
    }

    /// Ends what was begun last.
    private mutating func close() {
        guard let done = open.popLast() else { return }
        if open.isEmpty {
            if done.name == "VCALENDAR" { reading.calendars.append(done) }
        } else {
            open[open.count - 1].items.append(.component(done))
        }
    }
}
