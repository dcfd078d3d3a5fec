import Foundation
public import Logging
public import Planning
public import Timekeeping
import Transport

/// What the daemon was told on its command line.
public struct DaemonArguments: Sendable {
    /// The home folder; `nil` for the usual one.
    public var home: String?
    /// Clock and chance.
    public var machine: Machine
    /// The time to take as now; `nil` for the clock's.
    public var now: Moment?
    /// The zone in which times are read; `nil` for the owner's.
    public var zone: String?
    /// What is logged.
    public var logLevel: Logger.Level

    /// Puts arguments together.
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

    /// What the process finds around it.
    func surroundings() throws -> PlannerSurroundings {
        try PlannerSurroundings.read(
            homeOption: home, machine: machine, now: now, zoneOption: zone)
    }

    /// A logger that writes to standard error, and never to standard output, which is a sink.
    func logger() -> Logger {
        let file = OpenFile(descriptor: 2)
        let clock = machine.clock
        let stream = ProcessInfo.processInfo.environment["JOURNAL_STREAM"]
        let form: LineLogHandler.Form = Journal.reads(2, named: stream) ? .journal : .lines
        var logger = Logger(label: "letsmeetd") { _ in
            LineLogHandler(clock: clock, form: form) { line in
                // Where nobody reads what is said, there is nobody to tell.
                try? file.write(line)
            }
        }
        logger.logLevel = logLevel
        return logger
    }
}
