import Glibc
import NIOCore

/// The file of a socket on which a server listens: it outlives a server that was killed.
struct SocketFile {
    private let path: String
    private let number: ino_t?
    private let device: dev_t?

    /// Lets the group of its file connect: who gets as far as the file is up to its folder.
    init(path: String) {
        self.path = path
        chmod(path, 0o660)
        let facts = Self.facts(of: path)
        (number, device) = (facts?.st_ino, facts?.st_dev)
    }

    /// Takes the file away, where it is not another server's by now. While its server lives, no
    /// other file has its number.
    func remove() {
        guard let facts = Self.facts(of: path), facts.st_ino == number, facts.st_dev == device
        else { return }
        unlink(path)
    }

    /// Takes away what a server that was killed left at a path.
    ///
    /// - Throws: `IOError` with `EADDRINUSE` where one lives there, and with `EEXIST` where the
    ///   file is something else.
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

    /// Whether anybody may be there: only a socket that nobody has open refuses a connection.
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
