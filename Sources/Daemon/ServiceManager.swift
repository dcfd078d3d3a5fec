import Foundation
import Glibc

/// The program that started the daemon as a service, where it wants to hear of it: systemd
/// (sd_notify(3)).
struct ServiceManager: Sendable {
    private let path: String
    /// How often it wants to hear that all is well; `nil` where it does not.
    let watchdog: Duration?

    /// - Returns: `nil` where nobody wants to hear anything.
    init?(environment: [String: String], process: Int32) {
        guard let path = environment["NOTIFY_SOCKET"], path.count > 1,
            path.hasPrefix("/") || path.hasPrefix("@")
        else { return nil }
        self.path = path
        let isOurs = environment["WATCHDOG_PID"].map { $0 == String(process) } ?? true
        let microseconds = environment["WATCHDOG_USEC"].flatMap { Int64($0) } ?? 0
        watchdog = isOurs && microseconds > 0 ? .microseconds(microseconds) : nil
    }

    /// Tells it something, such as `READY=1`; where it does not listen, there is nobody to tell.
    func tell(_ state: String) {
        let socket = Glibc.socket(
            AF_UNIX, CInt(SOCK_DGRAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue), 0)
        guard socket >= 0 else { return }
        defer { close(socket) }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        var name = Array(path.utf8)
        // A name that begins so has no place among the files.
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
