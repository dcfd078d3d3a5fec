import Agenda
import Foundation
import Places
import Settings
import Storage
import Timekeeping
import Wording

/// Why a request was not fulfilled, in words that may be shown to the person who made it.
public struct Refusal: Error, Sendable {
    /// Whose turn it is to do something about it.
    public enum Category: Sendable {
        /// A rule says no. Exit status 1.
        case refused
        /// The request or an input file is wrong. Exit status 2.
        case invalid
        /// Something outside could not be reached, or refused us. Exit status 3.
        case unreachable
        /// A bug of ours. Exit status 70.
        case bug

        /// The status with which a command ends.
        public var exitStatus: Int32 {
            switch self {
            case .refused: 1
            case .invalid: 2
            case .unreachable: 3
            case .bug: 70
            }
        }
    }

    /// Whose turn it is.
    public let category: Category
    /// A word for programs, such as `ambiguous_person`.
    public let code: String
    /// What happened, and what to do next.
    public let message: String
    /// Among what to choose.
    public let candidates: [Candidate]
    /// The parts of files that could not be read, where that is why.
    var skipped: [ImportReport.Skipped] = []

    /// Refuses a request.
    public init(
        _ category: Category, code: String, _ message: String, candidates: [Candidate] = []
    ) {
        self.category = category
        self.code = code
        self.message = message.abridged
        self.candidates = candidates
    }
}

extension String {
    private static let unabridgedBytesMax = 4000

    /// Its beginning and its end, where somebody's whole file may have got into it as an argument.
    fileprivate var abridged: String {
        utf8.count <= Self.unabridgedBytesMax ? self : "\(prefix(300)) … \(suffix(600))"
    }
}

extension Refusal: CustomStringConvertible {
    /// The message.
    public var description: String { message }
}

extension Refusal {
    /// Says any error of the modules below as a refusal: the one place where errors get their
    /// exit status.
    public init(_ error: any Error) {
        switch error {
        case let refusal as Refusal: self = refusal
        case let violation as RuleViolation:
            self.init(
                violation.isOfEmptiness ? .invalid : .refused, code: violation.code,
                violation.message)
        case SettingsError.unwritable:
            self.init(.refused, code: "unwritable", "\(error)")
        case let error as SettingsError:
            self.init(.invalid, code: "bad_configuration", error.description)
        case let loss as StoreLoss:
            self.init(.unreachable, code: "store_lost", loss.description)
        case let error as StoreError:
            let isFull = if case .full = error { true } else { false }
            self.init(
                .refused, code: "store",
                error.description + (isFull ? " Nothing was changed." : ""))
        case let error as TimeTextError: self.init(.invalid, code: "bad_time", error.message)
        case let error as PlaceError: self.init(error)
        case InterestError.unreadable(let path, _), GazetteerError.unreadable(let path, _):
            self.init(missing: path)
        case InterestError.malformed(let line, let reason):
            self.init(
                .invalid, code: "bad_file",
                "The table of interests, line \(line): \(reason). Install letsmeet again.")
        case let error as ZoneError:
            self.init(.invalid, code: "unknown_zone", error.description)
        case let error as CocoaError:
            self.init(.unreachable, code: "file", error.localizedDescription)
        case let fault as TemplateFault:
            self.init(
                .invalid, code: "bad_template", "\(fault.description) Install letsmeet again.")
        default:
            self.init(
                .bug, code: "internal",
                "That should not happen, and is a bug of letsmeet: \(error)")
        }
    }

    /// The same refusal, of what is set somewhere.
    func placed(at place: String) -> Refusal {
        Refusal(category, code: code, "\(place): \(message)", candidates: candidates)
    }

    /// A shipped file that is not where it is sought.
    init(missing path: String) {
        self.init(
            .invalid, code: "no_shipped_files",
            "\(path), which comes with letsmeet, cannot be read. Install letsmeet again, or set "
                + "LETSMEET_SHARE.")
    }

    /// The refusal as a person reads it.
    public func text(program: String) -> String {
        (["\(program): \(message)"] + candidates.map { "  \($0.label)" })
            .joined(separator: "\n")
    }

    /// The refusal as programs read it.
    public var answer: RefusalAnswer { RefusalAnswer(self) }
}

extension Refusal {
    /// Refuses arguments of which one would be ignored beside another.
    static func conflictingArguments(_ message: String) -> Refusal {
        Refusal(.invalid, code: "usage", message)
    }

    /// Holds back a text that names nothing: whatever it was to name, the call is wrong.
    static func checkNames(_ text: String, a thing: String) throws(Refusal) {
        guard text.contains(where: { !$0.isWhitespace }) else {
            throw Refusal(.invalid, code: "usage", "The text that names a \(thing) is empty.")
        }
    }
}

/// `{"error":{"code":…,"message":…,"candidates":[…]}}`, and beside it `"skipped":[…]` where parts
/// of files could not be read.
public struct RefusalAnswer: Encodable, Sendable {
    struct Body: Encodable {
        let code: String
        let message: String
        let candidates: [Candidate]
    }

    let error: Body
    let skipped: [ImportReport.Skipped]?

    init(_ refusal: Refusal) {
        skipped = refusal.skipped.isEmpty ? nil : refusal.skipped
        error = Body(
            code: refusal.code, message: refusal.message, candidates: refusal.candidates)
    }
}

/// Something that a request may have meant.
public enum Candidate: Sendable, Encodable {
    /// A person of the address book.
    case person(PersonLine)
    /// A circle.
    case circle(CircleView)
    /// A meeting.
    case meeting(MeetingLine)
    /// A city.
    case city(CityView)
    /// A saved place.
    case place(SavedPlaceView)
    /// A word, such as an interest.
    case word(String)

    private enum Key: String, CodingKey {
        case kind, who
    }

    /// Writes what it is about, without a wrapper; of people and circles also which it is, and a
    /// WHO that means them alone.
    public func encode(to encoder: any Encoder) throws {
        if let kind {
            var container = encoder.container(keyedBy: Key.self)
            try container.encode(kind.rawValue, forKey: .kind)
            try container.encode(typed, forKey: .who)
        }
        switch self {
        case .person(let line): try line.encode(to: encoder)
        case .circle(let view): try view.encode(to: encoder)
        case .meeting(let line): try line.encode(to: encoder)
        case .city(let view): try view.encode(to: encoder)
        case .place(let view): try view.encode(to: encoder)
        case .word(let word): try word.encode(to: encoder)
        }
    }

    /// What it is; `nil` for what no WHO can mean.
    private var kind: WhoText.Kind? {
        switch self {
        case .person: .person
        case .circle: .circle
        case .meeting, .city, .place, .word: nil
        }
    }

    /// What to type so that this and nothing else is meant.
    public var typed: String {
        switch self {
        case .person(let line): line.id
        case .circle(let view): WhoText(.circle, view.name).text
        case .meeting(let line): line.id
        case .city(let view): String(view.id)
        case .place(let view): view.id
        case .word(let word): word
        }
    }

    /// One line for people to choose from.
    public var label: String {
        switch self {
        case .person(let line):
            [line.name, line.address].filter { !$0.isEmpty }.joined(separator: " · ")
                + "  (\(line.id))"
        case .circle(let view):
            "\(view.name) (circle, \(TimeWords.count(view.count, "person", plural: "people")))"
                + "  (\(typed))"
        case .meeting(let line): "\(line.title), \(line.start.words)  (\(line.id))"
        case .city(let view): "\(view.label), \(view.population) people  (\(view.id))"
        case .place(let view): "\(view.name)  (\(view.id))"
        case .word(let word): word
        }
    }
}
