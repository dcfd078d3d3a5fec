public import Timekeeping

/// What runs when: a crontab, as it was read.
///
/// ```
/// # Each night at four, and by New York's clocks at nine on the last day of the month
/// 0 4 * * *  catch-up=latest jitter=10m  backup --keep 7
/// CRON_TZ=America/New_York
/// 0 9 L * *  ledger prune --keep 90d
/// ```
public struct Crontab: Sendable {
    /// The lines that start something, in their order.
    public let lines: [CrontabLine]
    /// What is wrong with it, in the order of the file; a crontab that has any is not used.
    public let faults: [CrontabFault]

    /// The largest file that is read, in bytes.
    public static let bytesMax = 1 << 20
    /// The most lines that start something.
    public static let linesMax = 1000
    /// The longest line, in bytes.
    public static let lineBytesMax = 4000
}

/// A line of a crontab that starts something.
public struct CrontabLine: Sendable {
    /// When a line starts its job.
    public enum Schedule: Hashable, Sendable {
        /// At these times.
        case times(CronExpression)
        /// When the daemon starts for the first time after the machine did.
        case reboot
    }

    /// Where it stands, counted from 1.
    public let number: Int
    /// The whole line, with one blank between its words.
    let text: String
    /// What it is known by: its `id`, else its text.
    public let name: String
    /// When it starts its job.
    public let schedule: Schedule
    /// The five fields, or the word for them, as they are written.
    public let scheduleText: String
    /// By whose clocks that is meant.
    public let zone: Zone
    /// What else it says.
    public let options: LineOptions
    /// What it starts.
    public let job: Job
    /// The job as it is written.
    public let jobText: String
    /// The variables that are set above it, the last ones last.
    public let variables: [String: String]

    /// The first moment after another one at which it starts its job; `nil` where there is none.
    public func next(after moment: Moment) -> Moment? {
        guard case .times(let expression) = schedule else { return nil }
        return expression.next(after: moment, in: zone, changes: options.changes)
    }

    /// When it starts its job, in words.
    public var explanation: String {
        switch schedule {
        case .times(let expression): expression.description
        case .reboot: "When the daemon first starts after the machine did"
        }
    }

    /// All that decides when it starts its job: where this is another, its times are others.
    var timing: String { "\(zone.id) \(options.changes.rawValue) \(scheduleText)" }
}

/// What is wrong with a line of a crontab.
public struct CrontabFault: Error, Hashable, Sendable {
    /// Where it stands, counted from 1.
    public let line: Int
    /// The part of it that is wrong, such as `hour`, `jitter` or `job`; `nil` where it is none
    /// alone.
    public let field: String?
    /// What is wrong, and what to do.
    public let reason: String

    /// "line 3: hour: 25 is not in 0-23".
    public var text: String {
        "line \(line): \(field.map { "\($0): " } ?? "")\(reason)"
    }
}
