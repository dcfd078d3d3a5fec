import Foundation
import Glibc

/// The service manager that started the daemon and expects notifications: systemd (sd_notify(3)).
struct ServiceManager: Sendable {
    private let path: String
    /// The interval at which the watchdog expects a sign of life; `nil` if there is no watchdog.
    let watchdog: Duration?

    /// Reads the environment variables of the service manager.
    ///
    /// - Returns: `nil` if there is no service manager that expects notifications.
    init?(environment: [String: String], process: Int32) {
        guard let path = environment["NOTIFY_SOCKET"], path.count > 1,
            path.hasPrefix("/") || path.hasPrefix("@")
        else { return nil }
        self.path = path
        let isOurs = environment["WATCHDOG_PID"].map { $0 == String(process) } ?? true
        let microseconds = environment["WATCHDOG_USEC"].flatMap { Int64($0) } ?? 0
        watchdog = isOurs && microseconds > 0 ? .microseconds(microseconds) : nil
    }

    /// The service manager of this process; `nil` if there is none.
    static var ofProcess: ServiceManager? {
        let process = ProcessInfo.processInfo
        return ServiceManager(
            environment: process.environment, process: process.processIdentifier)
    }

    /// Sends a state such as `READY=1`. If the service manager is not listening, nothing happens.
    func tell(_ state: String) {
        let socket = Glibc.socket(
            AF_UNIX, CInt(SOCK_DGRAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue), 0)
        guard socket >= 0 else { return }
        defer { close(socket) }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        var name = Array(path.utf8)
        // `@` marks an abstract socket, whose name begins with a zero byte.
        if name[0] == UInt8(ascii: "@") { name[0] = 0 }
        guard name.count < MemoryLayout.size(ofValue: address.sun_path) else { return }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: name) }
        let length = socklen_t(MemoryLayout<sa_family_t>.size + name.count)
        let bytes = Array(state.utf8)
        withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                _ = sendto(socket, bytes, bytes.count, CInt(MSG_NOSIGNAL), address, length)
            }
        }
    }
}
