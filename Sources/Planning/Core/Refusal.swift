public import Agenda
import Foundation
import Places
import Settings
import Storage
import Timekeeping
import Wording

/// The refusal of a request, in words that may be shown to the person who made it.
public struct Refusal: Error, Sendable {
    /// The kind of refusal. It decides the exit status.
    public enum Category: Sendable {
        /// A rule forbids the request. Exit status 1.
        case refused
        /// The request or an input file is invalid. Exit status 2.
        case invalid
        /// An outside service could not be reached, or refused our request. Exit status 3.
        case unreachable
        /// A bug in letsmeet. Exit status 70.
        case bug

        /// The exit status of the command.
        public var exitStatus: Int32 {
            switch self {
            case .refused: 1
            case .invalid: 2
            case .unreachable: 3
            case .bug: 70
            }
        }
    }

    /// The kind of refusal.
    public let category: Category
    /// The code for programs, such as `ambiguous_person`.
    public let code: String
    /// The message for people: what happened and what to do next, without commands and options.
    public let message: String
    /// The objects that the request may have meant.
    public let candidates: [Candidate]
    /// The actions that help, the best first.
    public let advice: [Advice]
    /// The typed text that each of the ``candidates`` may be meant by, so that a person can choose
    /// one; `nil` for other refusals.
    public private(set) var ambiguousText: String?
    /// The parts of files that could not be read, if that is the reason.
    var skipped: [ImportReport.Skipped] = []
    /// The error of this installation that is the reason; `nil` if the request is. The message
    /// names files of the installation then, so that only the people who run it may see it.
    public private(set) var fault: (any Error)?

    /// Creates a refusal.
    ///
    /// - Parameters:
    ///   - category: the kind of refusal, which decides the exit status.
    ///   - code: the code for programs.
    ///   - message: the message for people, without commands and options.
    ///   - candidates: the objects that the request may have meant.
    ///   - advice: the actions that help, the best first.
    public init(
        _ category: Category, code: String, _ message: String, candidates: [Candidate] = [],
        advice: [Advice] = []
    ) {
        self.advice = advice
        self.category = category
        self.code = code
        self.message = message.abridged
        self.candidates = candidates
    }
}

extension Refusal {
    /// The same refusal of a typed text that means several things.
    ///
    /// - Parameter text: the text as it was typed.
    /// - Returns: the refusal.
    func ofAmbiguous(_ text: String) -> Refusal {
        var refusal = self
        refusal.ambiguousText = text
        return refusal
    }
}

extension String {
    private static let unabridgedBytesMax = 4000

    /// The text, shortened to its beginning and its end if it is very long: it may contain a whole
    /// file that was passed as an argument.
    fileprivate var abridged: String {
        utf8.count <= Self.unabridgedBytesMax ? self : "\(prefix(300)) … \(suffix(600))"
    }
}

extension Refusal: CustomStringConvertible {
    /// The message.
    public var description: String { message }
}

extension Refusal {
    /// Converts any error of the lower modules. No other code assigns exit statuses to errors.
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
            self.init(
                .invalid, code: "bad_configuration", error.description, advice: error.advice)
        case let loss as StoreLoss:
            self.init(
                .unreachable, code: "store_lost", loss.description, advice: loss.advice)
        case StoreError.accountGone:
            self.init(
                .refused, code: "account_gone", StoreError.accountGone.description)
        case let error as StoreError:
            let isFull = if case .full = error { true } else { false }
            self.init(
                .refused, code: "store",
                error.description + (isFull ? " Nothing was changed." : ""), advice: error.advice)
        case let error as TimeTextError: self.init(.invalid, code: "bad_time", error.message)
        case let error as PlaceError: self.init(error)
        case InterestError.unreadable(let path, _), GazetteerError.unreadable(let path, _):
            self.init(missing: path)
        case InterestError.malformed(let line, let reason):
            self.init(
                .invalid, code: "bad_file",
                "The table of interests, line \(line): \(reason). Reinstall letsmeet.")
        case let error as ZoneError:
            self.init(.invalid, code: "unknown_zone", error.description)
        case let error as CocoaError:
            self.init(.unreachable, code: "file", error.localizedDescription)
        case let fault as TemplateFault:
            self.init(
                .invalid, code: "bad_template", "\(fault.description) Reinstall letsmeet.")
        default:
            self.init(
                .bug, code: "internal",
                "This is a bug in letsmeet. Please report it: \(error)")
        }
        if Self.isOfInstallation(error) { fault = error }
    }

    /// True for an error of the files of this installation, whatever was requested.
    private static func isOfInstallation(_ error: any Error) -> Bool {
        switch error {
        case StoreError.peopleChanged, StoreError.accountGone, SettingsError.badValue: false
        case is StoreError, is StoreLoss, is SettingsError, is CocoaError, is TemplateFault,
            InterestError.unreadable, GazetteerError.unreadable:
            true
        default: false
        }
    }

    /// The same refusal, with this installation as its reason.
    func ofInstallation() -> Refusal {
        var refusal = self
        refusal.fault = self
        return refusal
    }

    /// The same refusal, with the place of the setting in front of its message.
    func placed(at place: String) -> Refusal {
        Refusal(
            category, code: code, "\(place): \(message)", candidates: candidates, advice: advice
        ).ofInstallation()
    }

    /// A refusal because a file that comes with letsmeet is missing or cannot be read.
    package init(missing path: String) {
        self.init(
            .invalid, code: "no_shipped_files",
            "\(path), which comes with letsmeet, cannot be read. Reinstall letsmeet, or set "
                + "LETSMEET_SHARE.")
        self = ofInstallation()
    }

    /// The message with its advice.
    public var remark: Remark { Remark(message, advice: advice) }

    /// The refusal as text for people.
    ///
    /// - Parameters:
    ///   - program: the name of the program, with which the text begins.
    ///   - renderer: puts advice into words.
    /// - Returns: the message with its advice, and a line for each candidate.
    public func text(program: String, advice renderer: Advice.Renderer) -> String {
        (["\(program): \(remark.words(renderer))"] + candidates.map { "  \($0.line)" })
            .joined(separator: "\n")
    }

    /// The refusal as JSON for programs.
    public var answer: RefusalAnswer { RefusalAnswer(self) }
}

extension SettingsError {
    /// The actions that help, the best first.
    fileprivate var advice: [Advice] {
        switch self {
        case .homeNotWritable, .homeIsFile, .homeIsEmpty: []
        case .unreadable(let file, _, _) where file.hasSuffix("/letsmeet.yaml"):
            [.installation(.checkSettings)]
        case .unreadable, .unwritable, .badValue, .noShippedFiles: []
        }
    }
}

extension StoreLoss {
    /// The actions that help.
    fileprivate var advice: [Advice] {
        switch self {
        case .gone: [.installation(.restore)]
        case .replaced, .taken: []
        }
    }
}

extension StoreError {
    /// The actions that help.
    fileprivate var advice: [Advice] {
        switch self {
        case .newerVersion, .damaged, .altered: [.installation(.restore)]
        case .peopleChanged: [.people(.list)]
        case .foreignFile, .notWritable, .notReadable, .logAlone, .full, .disk, .busy, .late,
            .accountGone, .failed:
            []
        }
    }
}

extension Refusal {
    /// Refuses arguments that exclude each other, because one of them would be ignored.
    static func conflictingArguments(_ message: String, advice: [Advice] = []) -> Refusal {
        Refusal(.invalid, code: "usage", message, advice: advice)
    }

    /// The longest name by which anything is looked up, in octets.
    private static let nameOctetsMax = 4000

    /// Checks that a text is not blank. A blank text cannot name anything.
    ///
    /// - Parameters:
    ///   - text: the text that the user typed.
    ///   - thing: the kind of object that it should name.
    /// - Throws: ``Refusal`` with `usage`.
    package static func checkNames(_ text: String, a thing: String) throws(Refusal) {
        guard text.contains(where: { !$0.isWhitespace }) else {
            throw Refusal(.invalid, code: "usage", "The name of the \(thing) is empty.")
        }
        guard text.utf8.count <= nameOctetsMax else {
            throw Refusal(
                .invalid, code: "usage",
                "The name of the \(thing) is longer than \(nameOctetsMax) octets.")
        }
    }
}

/// The JSON form of a refusal: `{"error":{"code":…,"message":…,"candidates":[…]}}`, with
/// `"skipped":[…]` beside it if parts of files could not be read.
public struct RefusalAnswer: Encodable, Sendable {
    package struct Body: Encodable {
        let code: String
        let message: Remark
        let candidates: [Candidate]
    }

    package let error: Body
    let skipped: [ImportReport.Skipped]?

    init(_ refusal: Refusal) {
        skipped = refusal.skipped.isEmpty ? nil : refusal.skipped
        error = Body(
            code: refusal.code, message: refusal.remark, candidates: refusal.candidates)
    }
}

/// An object that a request may have meant.
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
    /// A place of the catalogue.
    case found(PlaceView)
    /// A word, such as an interest.
    case word(String)

    private enum Key: String, CodingKey {
        case kind, who
    }

    /// Encodes the fields of the object without a wrapper. People and circles also get their kind,
    /// and a WHO that means only them.
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
        case .found(let view): try view.encode(to: encoder)
        case .word(let word): try word.encode(to: encoder)
        }
    }

    /// The kind of the object; `nil` if no WHO can mean it.
    private var kind: WhoText.Kind? {
        switch self {
        case .person: .person
        case .circle: .circle
        case .meeting, .city, .place, .found, .word: nil
        }
    }

    /// The text to type to mean exactly this object.
    public var typed: String {
        switch self {
        case .person(let line): line.id
        case .circle(let view): WhoText(.circle, view.name).text
        case .meeting(let line): line.id
        case .city(let view): String(view.id)
        case .place(let view): view.id
        case .found(let view): view.id
        case .word(let word): word
        }
    }

    /// The line that describes the object in a list of candidates.
    public var label: String {
        switch self {
        case .person(let line):
            [line.name, line.address].filter { !$0.isEmpty }.joined(separator: " · ")
                + "  (\(line.id))"
        case .circle(let view):
            "\(view.name) (circle, \(TimeWords.count(view.count, "person", plural: "people")))"
                + "  (\(typed.shellWord))"
        case .meeting(let line): "\(line.title), \(line.startWords)  (\(line.id))"
        case .city(let view): "\(view.label), \(view.population) people  (\(view.id))"
        case .place(let view): "\(view.name)  (\(view.id))"
        case .found(let view):
            [view.name, view.address].filter { !$0.isEmpty }.joined(separator: ", ")
                + "  (\(view.id))"
        case .word(let word): word
        }
    }

    /// The line of the candidate in a refusal. A word alone is to be copied.
    var line: String {
        switch self {
        case .word(let word): word.shellWord
        case .person, .circle, .meeting, .city, .place, .found: label
        }
    }
}

extension Refusal {
    /// The refusal of a text that means no meeting.
    package static func unknownMeeting(_ text: String) -> Refusal {
        switch text {
        case "next":
            Refusal(
                .refused, code: "unknown_meeting", "There are no coming meetings.",
                advice: [.meetings(.plan)])
        case "last":
            Refusal(
                .refused, code: "unknown_meeting", "There are no past meetings yet.",
                advice: [.meetings(.list)])
        default:
            Refusal(
                .refused, code: "unknown_meeting", "No meeting is called \"\(text)\".",
                advice: [.meetings(.list), .meetings(.listPast)])
        }
    }
}
