import Foundation
import Glibc
import Settings

/// The sign that a run of a command leaves when it begins: a folder, which only one can make, and
/// in it which process it is.
struct RunSign {
    private let folder: String
    let path: String

    init(home: Home, run: String) {
        folder = home.runs
        path = "\(home.runs)/\(run)"
    }

    /// Leaves the sign, then becomes the command: a run that is begun a second time, because the
    /// daemon died before it knew of the first, does nothing. The arguments are the sign, the shell
    /// and the command; no `PATH` that a crontab sets stands in the way.
    static let beginning = """
        command -p mkdir -- "$1" 2>/dev/null || {
            [ -d "$1" ] && exit \(statusOfSecond)
            exit \(statusWithoutSign)
        }
        echo "$$ $(command -p cut -d ' ' -f 22 "/proc/$$/stat")" > "$1/process"
        exec "$2" -c "$3"
        """
    /// Another run of this name has begun; or it is the command's own status.
    static let statusOfSecond: Int32 = 79
    /// No sign could be left; or it is the command's own status.
    static let statusWithoutSign: Int32 = 78

    /// Whether the command began.
    var isThere: Bool { FileManager.default.fileExists(atPath: path) }

    func makeFolder() throws {
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700])
    }

    func remove() {
        // What cannot be removed is in nobody's way: no other run has this name.
        try? FileManager.default.removeItem(atPath: path)
    }

    /// Removes the signs of runs of the crontab that are over: a daemon died before it could.
    ///
    /// - Parameters:
    ///   - home: where they are.
    ///   - runs: those that are not over.
    static func removeAll(in home: Home, but runs: Set<String>) {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: home.runs)) ?? []
        for name in names where !runs.contains(name) && !name.hasPrefix(handPrefix) {
            RunSign(home: home, run: name).remove()
        }
    }

    /// How the names of runs begin that somebody started.
    static let handPrefix = "hand-"

    /// The process that left it, and when that began, in the machine's ticks.
    private var process: (id: pid_t, start: String)? {
        let text = try? String(contentsOfFile: "\(path)/process", encoding: .utf8)
        let words = (text ?? "").split(whereSeparator: \.isWhitespace)
        guard words.count == 2, let id = pid_t(words[0]), id > 1 else { return nil }
        return (id, String(words[1]))
    }

    /// Whether it was left by this process.
    func isLeft(by id: pid_t) -> Bool { process?.id == id }

    /// The process that left it, while it goes on; its number may be another one's by now.
    private var living: pid_t? {
        guard let process,
            let text = try? String(contentsOfFile: "/proc/\(process.id)/stat", encoding: .utf8),
            let end = text.lastIndex(of: ")")
        else { return nil }
        // The state is the third field, the start the 22nd (proc(5)).
        let fields = text[end...].split(separator: " ").dropFirst()
        guard fields.first != "Z", fields.dropFirst(19).first == process.start[...] else {
            return nil
        }
        return process.id
    }

    /// Whether the command goes on.
    var isAlive: Bool { living != nil }

    /// Ends the command, and all that it started in its group.
    func kill() {
        guard let living else { return }
        Glibc.kill(-living, SIGKILL)
    }
}
