import Foundation
import Glibc
import Settings

/// The sign that a run of a command leaves when it starts: a folder, which only one process can
/// create, containing the id of that process.
struct RunSign {
    private let folder: String
    let path: String

    init(home: Home, run: String) {
        folder = home.runs
        path = "\(home.runs)/\(run)"
    }

    /// The shell script that leaves the sign and then becomes the command. A run started twice,
    /// because the daemon died before recording the first start, does nothing the second time. The
    /// arguments are the sign, the shell and the command. A `PATH` set in the crontab does not
    /// affect the script.
    static let beginning = """
        command -p mkdir -- "$1" 2>/dev/null || {
            [ -d "$1" ] && exit \(statusOfSecond)
            exit \(statusWithoutSign)
        }
        echo "$$ $(command -p cut -d ' ' -f 22 "/proc/$$/stat")" > "$1/process"
        exec "$2" -c "$3"
        """
    /// The exit status if another run of this name has started. The command itself may also return
    /// it.
    static let statusOfSecond: Int32 = 79
    /// The exit status if no sign could be left. The command itself may also return it.
    static let statusWithoutSign: Int32 = 78

    /// Whether the command has started.
    var isThere: Bool { FileManager.default.fileExists(atPath: path) }

    func makeFolder() throws {
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700])
    }

    func remove() {
        // A sign that cannot be removed does no harm: no other run has this name.
        try? FileManager.default.removeItem(atPath: path)
    }

    /// Removes the signs of ended runs of the crontab, which remain after a daemon died. What is in
    /// a folder outside the home is left alone: it may be anything.
    ///
    /// - Parameters:
    ///   - home: the home that contains the signs.
    ///   - runs: the names of the runs that have not ended.
    static func removeAll(in home: Home, but runs: Set<String>) {
        guard !home.leadsThroughLink("runs") else { return }
        let names = (try? FileManager.default.contentsOfDirectory(atPath: home.runs)) ?? []
        for name in names where !runs.contains(name) && !name.hasPrefix(handPrefix) {
            RunSign(home: home, run: name).remove()
        }
    }

    /// The prefix of the names of runs started by hand.
    static let handPrefix = "hand-"

    /// The process that left the sign, and its start time in ticks since boot.
    private var process: (id: pid_t, start: String)? {
        let text = try? String(contentsOfFile: "\(path)/process", encoding: .utf8)
        let words = (text ?? "").split(whereSeparator: \.isWhitespace)
        guard words.count == 2, let id = pid_t(words[0]), id > 1 else { return nil }
        return (id, String(words[1]))
    }

    /// Whether the process with this id left the sign.
    func isLeft(by id: pid_t) -> Bool { process?.id == id }

    /// The process that left the sign, if it is still running. Its id may have been reused by
    /// another process.
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

    /// Whether the command is still running.
    var isAlive: Bool { living != nil }

    /// Kills the command and everything in its process group.
    func kill() {
        guard let living else { return }
        Glibc.kill(-living, SIGKILL)
    }
}
