import Glibc
import NIOCore

/// The file of a Unix domain socket. It remains when the server is killed.
struct SocketFile {
    private let path: String
    private let number: ino_t?
    private let device: dev_t?

    /// Lets the file's owner and group connect. The permissions of the folder decide who can reach
    /// the file.
    init(path: String) {
        self.path = path
        chmod(path, 0o660)
        let facts = Self.facts(of: path)
        (number, device) = (facts?.st_ino, facts?.st_dev)
    }

    /// Removes the file unless it now belongs to another server. It compares the inode number,
    /// which no other file has while its server runs.
    func remove() {
        guard let facts = Self.facts(of: path), facts.st_ino == number, facts.st_dev == device
        else { return }
        unlink(path)
    }

    /// Removes the socket file that a killed server left at a path.
    ///
    /// - Throws: `IOError` with `EADDRINUSE` if a server is listening there, and with `EEXIST` if
    ///   the file is not a socket.
    static func makeRoom(at path: String) throws {
        guard let facts = facts(of: path) else { return }
        guard facts.st_mode & S_IFMT == S_IFSOCK else {
            throw IOError(errnoCode: EEXIST, reason: "bind")
        }
        guard !isAnswered(path) else { throw IOError(errnoCode: EADDRINUSE, reason: "bind") }
        unlink(path)
    }

    private static func facts(of path: String) -> stat? {
        var facts = stat()
        return lstat(path, &facts) == 0 ? facts : nil
    }

    /// True unless the connection is refused, which means that no process has the socket open.
    private static func isAnswered(_ path: String) -> Bool {
        let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
        let probe = socket(AF_UNIX, kind, 0)
        guard probe >= 0 else { return true }
        defer { close(probe) }
        guard let address = try? SocketAddress(unixDomainSocketPath: path) else { return true }
        let result = address.withSockAddr { connect(probe, $0, socklen_t($1)) }
        return result == 0 || errno != ECONNREFUSED
    }
}
