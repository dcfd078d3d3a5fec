import Foundation
import Glibc
import Planning
import Settings

/// The line that `letsmeetd run` prints, with a link that signs the owner in.
///
/// Standard error may be kept by a log that others read, so it is printed there only for a person:
/// on a terminal, or before anybody has signed in. The journal never gets it.
struct Greeting: Sendable {
    /// True if the line is wanted whatever happened before: standard error is a terminal.
    let isForTerminal: Bool
    /// True if standard error is the journal.
    let isForJournal: Bool

    /// A greeting for the standard error of this process.
    static var ofProcess: Greeting {
        let stream = ProcessInfo.processInfo.environment["JOURNAL_STREAM"]
        return Greeting(
            isForTerminal: isatty(2) == 1, isForJournal: Journal.reads(2, named: stream))
    }

    /// The line; `nil` if it is not wanted, or if no page can be opened.
    ///
    /// - Parameters:
    ///   - planner: the planner of the daemon.
    ///   - address: the address on which the daemon listens.
    /// - Returns: the line with its line break.
    func line(_ planner: Planner, on address: ListenAddress?) async -> String? {
        guard !isForJournal, let port = address?.port else { return nil }
        let isWanted = isForTerminal ? true : (try? await planner.isBeforeFirstVisit()) == true
        guard isWanted,
            let link = try? await planner.openLink(for: planner.owner, port: port)
        else { return nil }
        return "Open \(link.url) to sign in.\n"
    }
}
