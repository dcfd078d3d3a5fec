public import Timekeeping

/// What a line of a crontab says beside its time and its job.
public struct LineOptions: Hashable, Sendable {
    /// What becomes of times that passed while nothing ran.
    public enum CatchUp: Hashable, Sendable {
        /// They are let go.
        case none
        /// The latest of them comes.
        case latest
        /// All of them come that lie no further back.
        case all(TimeSpan)
    }

    /// What becomes of a time that comes while the line's last run goes on.
    public enum Overlap: String, CaseIterable, Sendable {
        /// It is left out.
        case skip
        /// It comes afterwards.
        case wait
    }

    /// By which the line is known when its text changes; `nil` for by its text.
    public var id: String?
    /// What becomes of times that passed while nothing ran.
    public var catchUp = CatchUp.latest
    /// What becomes of a time that comes while the line's last run goes on.
    public var overlap = Overlap.skip
    /// It comes so many seconds late at most, so that not all come at once.
    public var jitterSeconds = 0
    /// How it goes on when the clocks are changed.
    public var changes = CronExpression.ClockChanges.debian
    /// It is ended after so many seconds; `nil` where that is not said.
    public var limitSeconds: Int?

    /// An hour.
    public static let limitSecondsDefault = 3600
    /// The longest of all times in options: 366 days.
    static let daysMax = 366
    /// The longest id.
    static let idCharactersMax = 64
    /// The options that there are, as help says them.
    public static let formsText =
        "id=NAME, catch-up=none|latest|all:7d, overlap=skip|wait, jitter=10m, "
        + "dst=debian|skip|both, limit=1h"

    /// No option is given.
    public init() {}

    /// Takes an option such as `jitter=10m`.
    mutating func take(_ name: String, _ value: String) throws(OptionFault) {
        switch name {
        case "id": id = try Self.checkedID(value)
        case "catch-up": catchUp = try Self.catchUp(value)
        case "overlap": overlap = try Self.choice(value, of: name)
        case "jitter": jitterSeconds = try Self.seconds(value, daysMax: 1)
        case "dst": changes = try Self.choice(value, of: name)
        case "limit":
            let seconds = try Self.seconds(value, daysMax: 7)
            guard seconds > 0 else { throw OptionFault("a limit is a second at least") }
            limitSeconds = seconds
        default:
            throw OptionFault(
                "there is no option \(name.quotedBriefly). Known are: \(Self.formsText)")
        }
    }

    private static func checkedID(_ value: String) throws(OptionFault) -> String {
        let isPlain = value.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"),
                UInt8(ascii: "."):
                true
            default: false
            }
        }
        guard !value.isEmpty, value.utf8.count <= idCharactersMax, isPlain else {
            throw OptionFault(
                "an id is made of letters, digits, - _ and ., at most \(idCharactersMax)")
        }
        return value
    }

    private static func catchUp(_ value: String) throws(OptionFault) -> CatchUp {
        switch value {
        case "none": return .none
        case "latest": return .latest
        case "all": throw OptionFault("all wants a window, such as all:7d")
        default: break
        }
        guard value.hasPrefix("all:") else {
            throw OptionFault("\(value.quotedBriefly) is none of none, latest and all:7d")
        }
        let span = try span(String(value.dropFirst("all:".count)), daysMax: daysMax)
        guard span != .zero else { throw OptionFault("a window is longer than nothing") }
        return .all(span)
    }

    private static func choice<Choice: RawRepresentable & CaseIterable>(
        _ value: String, of name: String
    ) throws(OptionFault) -> Choice where Choice.RawValue == String {
        guard let choice = Choice(rawValue: value) else {
            let known = Choice.allCases.map(\.rawValue).joined(separator: " or ")
            throw OptionFault("\(value.quotedBriefly) is not \(known)")
        }
        return choice
    }

    private static func seconds(_ value: String, daysMax: Int) throws(OptionFault) -> Int {
        let span = try span(value, daysMax: daysMax)
        return span.days * 86_400 + span.seconds
    }

    private static func span(_ value: String, daysMax: Int) throws(OptionFault) -> TimeSpan {
        let span: TimeSpan
        do throws(TimeTextError) {
            span = try TimeSpan.parse(value)
        } catch {
            // The sentence gets its full stop with the line's.
            let isSentence = error.message.hasSuffix(".")
            throw OptionFault(isSentence ? String(error.message.dropLast()) : error.message)
        }
        guard span.days * 86_400 + span.seconds <= daysMax * 86_400 else {
            throw OptionFault("\(value.quotedBriefly) is longer than \(daysMax) days")
        }
        return span
    }
}

/// Why an option cannot be used, for people.
struct OptionFault: Error {
    let reason: String

    init(_ reason: String) {
        self.reason = reason
    }
}
