import Interchange
public import Planning
public import Timekeeping

/// The components of a calendar file, and its problems.
public struct CalendarCheckView: Encodable, Sendable {
    /// An event, a task or another component of a calendar.
    public struct Component: Encodable, Sendable {
        /// The name of the component: `VEVENT`, `VTODO`, ….
        public let kind: String
        /// The permanent UID; `null` if there is none.
        @Null public var uid: String?
        /// The original start of the occurrence that this component describes; `null` if it
        /// describes no single occurrence.
        @Null public var recurrenceID: String?
        /// The start: `20161231`, `20161231T180000Z`, or `20161231T190000` in the reader's own time
        /// zone.
        @Null public var start: String?
        /// The end, in the same forms as the start.
        @Null public var end: String?
        /// The title.
        @Null public var summary: String?

        private enum CodingKeys: String, CodingKey {
            case kind, uid
            case recurrenceID = "recurrence_id"
            case start, end, summary
        }
    }

    /// A problem in the file.
    public struct Problem: Encodable, Sendable {
        /// The line, counted from 1.
        public let line: Int
        /// `error` or `warning`.
        public let severity: String
        /// The problem in a sentence.
        public let message: String
    }

    /// Problems of one kind that are not listed.
    public struct Rest: Encodable, Sendable {
        /// The first problem of the kind, which is listed.
        public let first: Problem
        /// The number of those that are not listed.
        public let count: Int
    }

    /// The components, without time zones.
    public let components: [Component]
    /// The problems, in the order of the lines: about a thousand, and of each kind the first one.
    public let problems: [Problem]
    /// The problems that are not listed, by kind.
    public let unlisted: [Rest]
    /// The number of all problems.
    public let problemCount: Int

    /// True if letsmeet cannot read a part of the file, or may misread it.
    public var hasErrors: Bool { problems.contains { $0.severity == "error" } }

    /// Reads and checks a calendar file.
    ///
    /// - Parameters:
    ///   - path: the file; `-` for standard input.
    ///   - zones: the zone rules of the system.
    /// - Throws: ``Refusal`` with `unreadable_file`.
    public init(file path: String, zones: ZoneDirectory) throws(Refusal) {
        let reading = CalendarReader.read(try NamedFile(path: path).octets())
        components = reading.entries(by: zones).map(Component.init)
        let found = reading.check(by: zones)
        problems = found.map(Problem.init)
        unlisted = found.rests.map { Rest(first: Problem($0.first), count: $0.count) }
        problemCount = found.total
    }

    private enum CodingKeys: String, CodingKey {
        case components, problems, unlisted
        case problemCount = "problem_count"
    }
}

extension CalendarCheckView.Problem {
    fileprivate init(_ problem: CalendarProblem) {
        self.init(
            line: problem.line, severity: problem.severity.rawValue, message: problem.message)
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
