public import Timekeeping

/// The options of a line of a crontab.
public struct LineOptions: Hashable, Sendable {
    /// The treatment of times missed while the daemon was not running.
    public enum CatchUp: Hashable, Sendable {
        /// Missed times are skipped.
        case none
        /// The job runs once for the latest missed time.
        case latest
        /// The job runs for all missed times within this span.
        case all(TimeSpan)
    }

    /// The treatment of a time that comes while the last run of the line is still running.
    public enum Overlap: String, CaseIterable, Sendable {
        /// The new run is skipped.
        case skip
        /// The new run starts after the old one.
        case wait
    }

    /// The id that identifies the line even if its text changes; `nil` if the text identifies it.
    public var id: String?
    /// The treatment of missed times.
    public var catchUp = CatchUp.latest
    /// The treatment of a time that comes while the last run of the line is still running.
    public var overlap = Overlap.skip
    /// The maximum delay of a run in seconds. The delays vary so that not all jobs start at once.
    public var jitterSeconds = 0
    /// The treatment of clock changes such as daylight saving time.
    public var changes = CronExpression.ClockChanges.debian
    /// The number of seconds after which a run is ended; `nil` if not set.
    public var limitSeconds: Int?

    /// The default limit in seconds: an hour.
    public static let limitSecondsDefault = 3600
    /// The longest time in any option: 366 days.
    static let daysMax = 366
    /// The length limit of an id.
    static let idCharactersMax = 64
    /// The forms of all options, for help.
    public static let formsText =
        "id=NAME, catch-up=none|latest|all:7d, overlap=skip|wait, jitter=10m, "
        + "dst=debian|skip|both, limit=1h"

    /// Makes options with the default values.
    public init() {}

    /// Parses an option such as `jitter=10m`.
    mutating func take(_ name: String, _ value: String) throws(OptionFault) {
        switch name {
        case "id": id = try Self.checkedID(value)
        case "catch-up": catchUp = try Self.catchUp(value)
        case "overlap": overlap = try Self.choice(value, of: name)
        case "jitter": jitterSeconds = try Self.seconds(value, daysMax: 1)
        case "dst": changes = try Self.choice(value, of: name)
        case "limit":
            let seconds = try Self.seconds(value, daysMax: 7)
            guard seconds > 0 else {
                throw OptionFault("the limit must be at least one second")
            }
            limitSeconds = seconds
        default:
            throw OptionFault(
                "there is no option \(name.quotedBriefly). The options are: \(Self.formsText)")
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
                "an id consists of letters, digits, - _ and ., at most \(idCharactersMax)")
        }
        return value
    }

    private static func catchUp(_ value: String) throws(OptionFault) -> CatchUp {
        switch value {
        case "none": return .none
        case "latest": return .latest
        case "all": throw OptionFault("all needs a time span, such as all:7d")
        default: break
        }
        guard value.hasPrefix("all:") else {
            throw OptionFault("\(value.quotedBriefly) is not none, latest or all:7d")
        }
        let span = try span(String(value.dropFirst("all:".count)), daysMax: daysMax)
        guard span != .zero else {
            throw OptionFault("the time span of all must be longer than zero")
        }
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
            // The caller adds the full stop.
            let isSentence = error.message.hasSuffix(".")
            throw OptionFault(isSentence ? String(error.message.dropLast()) : error.message)
        }
        guard span.days * 86_400 + span.seconds <= daysMax * 86_400 else {
            throw OptionFault("\(value.quotedBriefly) is longer than \(daysMax) days")
        }
        return span
    }
}

/// The reason why an option is refused, for people.
struct OptionFault: Error {
    let reason: String

    init(_ reason: String) {
        self.reason = reason
    }
}
