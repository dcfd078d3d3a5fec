import Interchange
public import Timekeeping

/// What a calendar file holds, and what is wrong with it.
public struct CalendarCheckView: Encodable, Sendable {
    /// What takes place, what is to be done, and the like.
    public struct Component: Encodable, Sendable {
        /// `VEVENT`, `VTODO`, ….
        public let kind: String
        /// Its name for ever; `null` where it has none.
        @Null public var uid: String?
        /// Which date of a series it is; `null` for all else.
        @Null public var recurrenceID: String?
        /// When it begins: `20161231`, `20161231T180000Z`, or `20161231T190000` by the clocks of
        /// whoever reads it.
        @Null public var start: String?
        /// When it ends.
        @Null public var end: String?
        /// What it is about.
        @Null public var summary: String?

        private enum CodingKeys: String, CodingKey {
            case kind, uid
            case recurrenceID = "recurrence_id"
            case start, end, summary
        }
    }

    /// What is wrong.
    public struct Problem: Encodable, Sendable {
        /// Where, counted from 1.
        public let line: Int
        /// `error` or `warning`.
        public let severity: String
        /// What, in a sentence.
        public let message: String
    }

    /// What it holds, zones left out.
    public let components: [Component]
    /// What is wrong, in the order of the lines.
    public let problems: [Problem]

    /// Whether something of it is not read, or not as it is meant.
    public var hasErrors: Bool { problems.contains { $0.severity == "error" } }

    /// Reads a file and looks at it.
    ///
    /// - Parameters:
    ///   - path: the file; `-` for standard input.
    ///   - zones: the zone rules of the system.
    /// - Throws: ``Refusal`` with `unreadable_file`.
    public init(file path: String, zones: ZoneDirectory) throws(Refusal) {
        let reading = CalendarReader.read(try NamedFile(path: path).octets())
        components = reading.entries(by: zones).map(Component.init)
        problems = reading.check(by: zones).map {
            Problem(line: $0.line, severity: $0.severity.rawValue, message: $0.message)
        }
    }
}

extension CalendarCheckView.Component {
    fileprivate init(_ entry: CalendarEntry) {
        kind = entry.component.name
        uid = entry.uid
        recurrenceID = entry.recurrenceID?.words
        start = entry.start?.words
        end = entry.end?.words
        summary = entry.summary
    }
}
