import Glibc
import Logging

/// The journal of systemd, where it reads what the daemon logs (systemd.exec(5), JOURNAL_STREAM).
enum Journal {
    /// Whether a file is the one that the journal reads: its device and number are what the
    /// variable names. Somebody may have redirected it since.
    static func reads(_ descriptor: CInt, named stream: String?) -> Bool {
        var facts = stat()
        guard let stream, fstat(descriptor, &facts) == 0 else { return false }
        return stream == "\(facts.st_dev):\(facts.st_ino)"
    }

    /// The level of an event as syslog(3) counts it.
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
