import Foundation
public import Logging
public import Planning
public import Timekeeping
import Transport

/// The command-line arguments of the daemon.
public struct DaemonArguments: Sendable {
    /// The home folder; `nil` for the default one.
    public var home: String?
    /// The clock and the random source.
    public var machine: Machine
    /// The time to use as the current time; `nil` for the clock's.
    public var now: Moment?
    /// The time zone for reading times; `nil` for the owner's.
    public var zone: String?
    /// The lowest level that is logged.
    public var logLevel: Logger.Level

    /// Makes arguments from their parts.
    public init(
        home: String?, machine: Machine, now: Moment? = nil, zone: String? = nil,
        logLevel: Logger.Level
    ) {
        self.home = home
        self.machine = machine
        self.now = now
        self.zone = zone
        self.logLevel = logLevel
    }

    /// The surroundings read from the environment and the home folder.
    func surroundings() throws -> PlannerSurroundings {
        try PlannerSurroundings.read(
            homeOption: home, machine: machine, now: now, zoneOption: zone)
    }

    /// A logger that writes to standard error. Standard output is a sink, so nothing is logged
    /// there.
    func logger() -> Logger {
        let file = OpenFile(descriptor: 2)
        let clock = machine.clock
        let stream = ProcessInfo.processInfo.environment["JOURNAL_STREAM"]
        let form: LineLogHandler.Form = Journal.reads(2, named: stream) ? .journal : .lines
        var logger = Logger(label: "letsmeetd") { _ in
            LineLogHandler(clock: clock, form: form) { line in
                // If nobody can read the log, there is nobody to tell.
                try? file.write(line)
            }
        }
        logger.logLevel = logLevel
        return logger
    }
}
