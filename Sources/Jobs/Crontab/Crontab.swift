public import Timekeeping

/// A parsed crontab: its job lines and its faults.
///
/// ```
/// # Every night at four, and at nine New York time on the last day of the month
/// 0 4 * * *  catch-up=latest jitter=10m  backup --keep 7
/// CRON_TZ=America/New_York
/// 0 9 L * *  ledger prune --keep 90d
/// ```
public struct Crontab: Sendable {
    /// The job lines, in the order of the file.
    public let lines: [CrontabLine]
    /// The faults, in the order of the file. A crontab with any fault is not used.
    public let faults: [CrontabFault]

    /// The size limit of the file, in bytes.
    public static let bytesMax = 1 << 20
    /// The most job lines.
    public static let linesMax = 1000
    /// The most faults; the lines behind them are not read.
    public static let faultsMax = 1000
    /// The length limit of a line, in bytes.
    public static let lineBytesMax = 4000
}

/// A line of a crontab that starts a job.
public struct CrontabLine: Sendable {
    /// The schedule of a line.
    public enum Schedule: Hashable, Sendable {
        /// At the times of a cron expression.
        case times(CronExpression)
        /// At the first start of the daemon after the machine boots.
        case reboot
    }

    /// The line number, counted from 1.
    public let number: Int
    /// The whole line, with one blank between words.
    let text: String
    /// The name that identifies the line: its `id`, or its text if it has none.
    public let name: String
    /// The schedule of the job.
    public let schedule: Schedule
    /// The five fields, or the `@` word in their place, as written.
    public let scheduleText: String
    /// The time zone of the schedule.
    public let zone: Zone
    /// The options of the line.
    public let options: LineOptions
    /// The job that the line starts.
    public let job: Job
    /// The job as written.
    public let jobText: String
    /// The variables set above the line. A later assignment replaces an earlier one.
    public let variables: [String: String]

    /// The first moment after `moment` at which the line starts its job; `nil` if there is none.
    public func next(after moment: Moment) -> Moment? {
        guard case .times(let expression) = schedule else { return nil }
        return expression.next(after: moment, in: zone, changes: options.changes)
    }

    /// The schedule in words.
    public var explanation: String {
        switch schedule {
        case .times(let expression): expression.description
        case .reboot: "When the daemon first starts after the machine boots"
        }
    }

    /// Everything that determines the times of the line. If this changes, the times change.
    var timing: String { "\(zone.id) \(options.changes.rawValue) \(scheduleText)" }
}

/// A fault in a line of a crontab.
public struct CrontabFault: Error, Hashable, Sendable {
    /// The line number, counted from 1.
    public let line: Int
    /// The faulty part of the line, such as `hour`, `jitter` or `job`; `nil` if the fault concerns
    /// no single part.
    public let field: String?
    /// The fault, and what to do about it.
    public let reason: String

    /// "line 3: hour: 25 is not in 0-23".
    public var text: String {
        "line \(line): \(field.map { "\($0): " } ?? "")\(reason)"
    }
}
