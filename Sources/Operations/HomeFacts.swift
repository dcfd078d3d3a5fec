import Agenda
import Foundation
import Planning

/// The facts about a home folder in the file system, read without changing anything.
struct HomeFacts: Equatable {
    /// The kind of thing at the path.
    enum Kind: Equatable {
        /// A folder with these permissions.
        case folder(mode: Int)
        /// Something other than a folder.
        case file
        /// Nothing yet; holds the nearest existing folder above it.
        case nothing(above: String)
        /// Unknown, for the reason that the system gives.
        case unreachable(reason: String)
    }

    let path: String
    let kind: Kind
    /// True if this process may enter, read or write the folder, or the nearest existing one above
    /// it.
    var mayEnter = true
    var mayRead = true
    var mayWrite = true

    /// Creates facts that were found out elsewhere.
    init(path: String, kind: Kind) {
        self.path = path
        self.kind = kind
    }

    /// Reads the facts about a folder.
    init(path: String) {
        self.path = path
        var folder = path
        var facts = stat()
        while stat(folder, &facts) != 0 {
            let number = errno
            guard number == ENOENT, folder.count > 1 else {
                kind = .unreachable(reason: String(cString: strerror(number)))
                return
            }
            folder = URL(filePath: folder).deletingLastPathComponent().path(percentEncoded: false)
            if folder.count > 1, folder.hasSuffix("/") { folder = String(folder.dropLast()) }
        }
        let isFolder = facts.st_mode & S_IFMT == S_IFDIR
        switch (isFolder, folder == path) {
        case (true, true): kind = .folder(mode: Int(facts.st_mode & 0o777))
        case (true, false): kind = .nothing(above: folder)
        case (false, true): kind = .file
        case (false, false): kind = .unreachable(reason: "\(folder) is a file, not a folder")
        }
        mayEnter = access(folder, X_OK) == 0
        mayRead = access(folder, R_OK) == 0
        mayWrite = access(folder, W_OK) == 0
    }

    /// True if the content of the folder can be found, or certainly does not exist.
    var isUsable: Bool {
        switch kind {
        case .folder, .nothing: mayEnter
        case .file, .unreachable: false
        }
    }

    /// Checks the folder as a home.
    var check: HealthCheck {
        switch kind {
        case .folder(let mode): check(ofFolder: mode)
        case .file:
            HealthCheck(
                "home", .problem, "\(path) is a file, not a folder",
                advice: [
                    .say("Move the file away, or use another home folder (LETSMEET_HOME).")
                ])
        case .nothing(let above):
            mayEnter && mayWrite
                ? HealthCheck("home", "\(path) will be created by the first command")
                : HealthCheck(
                    "home", .problem,
                    "\(path) does not exist, and cannot be created in \(above)",
                    advice: [
                        .say(
                            "Use another home folder (LETSMEET_HOME), or give \(above) to the user "
                                + "who runs letsmeet.")
                    ])
        case .unreachable(let reason):
            HealthCheck(
                "home", .problem, "\(path) cannot be reached: \(reason)",
                advice: [
                    .say(
                        "Open the folders above it to the user who runs letsmeet, or use another "
                            + "home folder (LETSMEET_HOME).")
                ])
        }
    }

    private func check(ofFolder mode: Int) -> HealthCheck {
        let detail = "\(path), mode \(String(mode, radix: 8))"
        let missing = [
            mayEnter ? nil : "entered", mayRead ? nil : "read", mayWrite ? nil : "written",
        ].compactMap(\.self)
        guard missing.isEmpty else {
            return HealthCheck(
                "home", .problem, "\(detail), cannot be \(missing.joined(separator: " or "))",
                advice: [
                    .say(
                        "Give the folder to the user who runs letsmeet, then: chmod 700 \(path)")
                ])
        }
        guard mode & 0o077 == 0 else {
            return HealthCheck(
                "home", .problem, detail + ": other users can access it",
                advice: [.say("To make it private: chmod 700 \(path)")])
        }
        return HealthCheck("home", detail)
    }
}
