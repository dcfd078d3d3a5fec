import Glibc
import Logging

/// The systemd journal, if it reads the daemon's log (systemd.exec(5), JOURNAL_STREAM).
enum Journal {
    /// Whether the journal reads this file: its device and inode match the variable. They differ if
    /// somebody has redirected the stream since.
    static func reads(_ descriptor: CInt, named stream: String?) -> Bool {
        var facts = stat()
        guard let stream, fstat(descriptor, &facts) == 0 else { return false }
        return stream == "\(facts.st_dev):\(facts.st_ino)"
    }

    /// The syslog(3) priority of a log level.
    static func priority(_ level: Logger.Level) -> Int {
        switch level {
        case .trace, .debug: 7
        case .info: 6
        case .notice: 5
        case .warning: 4
        case .error: 3
        case .critical: 2
        }
    }
}
