import Foundation

/// What the system says of a home folder: looked up without changing anything.
struct HomeFacts: Equatable {
    /// What is there.
    enum Kind: Equatable {
        /// A folder with these permissions.
        case folder(mode: Int)
        /// Something that is no folder.
        case file
        /// Nothing yet; the nearest folder above it that is there.
        case nothing(above: String)
        /// It cannot be told, for the reason that the system gives.
        case unreachable(reason: String)
    }

    let path: String
    let kind: Kind
    /// What this process may do in the folder, or in the nearest one above it.
    var mayEnter = true
    var mayRead = true
    var mayWrite = true

    /// Facts that were found out elsewhere.
    init(path: String, kind: Kind) {
        self.path = path
        self.kind = kind
    }

    /// Looks a folder up.
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

    /// Whether all that is in it can be found, or is known not to be there.
    var isUsable: Bool {
        switch kind {
        case .folder, .nothing: mayEnter
        case .file, .unreachable: false
        }
    }

    /// What is wrong with it as a home, and what to do.
    var check: HealthCheck {
        switch kind {
        case .folder(let mode): check(ofFolder: mode)
        case .file:
            HealthCheck(
                "home", .problem, "\(path) is a file, not a folder",
                advice: "Move it away, or name another home with --home.")
        case .nothing(let above):
            mayEnter && mayWrite
                ? HealthCheck("home", "\(path) is made by the first command")
                : HealthCheck(
                    "home", .problem, "\(path) is not there, and cannot be made in \(above)",
                    advice: "Name another home with --home, or give \(above) to the user who runs "
                        + "letsmeet.")
        case .unreachable(let reason):
            HealthCheck(
                "home", .problem, "\(path) cannot be reached: \(reason)",
                advice: "Open the folders above it to the user who runs letsmeet, or name "
                    + "another home with --home.")
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
                advice: "Give the folder to the user who runs letsmeet, and: chmod 700 \(path)")
        }
        guard mode & 0o077 == 0 else {
            return HealthCheck(
                "home", .problem, detail + ": others can look into it",
                advice: "chmod 700 \(path)")
        }
        return HealthCheck("home", detail)
    }
}
