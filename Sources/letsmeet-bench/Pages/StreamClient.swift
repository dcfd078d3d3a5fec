import Dispatch
import Glibc

/// A client of event streams on a port of this machine, with plain sockets, so that it uses little
/// memory and no time while nothing comes.
struct StreamClient: Sendable {
    private let descriptor: CInt

    /// Asks for a path, and waits for what `ending` describes.
    ///
    /// - Parameters:
    ///   - path: the path.
    ///   - port: the port on 127.0.0.1.
    ///   - cookie: the value of the `Cookie` field.
    ///   - ending: text up to which the answer is awaited; `nil` for the end of the connection.
    /// - Throws: ``BenchFault`` if the answer is not 200, or does not come.
    init(_ path: String, port: UInt16, cookie: String, upTo ending: String?) throws {
        descriptor = socket(AF_INET, CInt(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let state = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(descriptor, $0, size) }
        }
        guard state == 0 else { throw BenchFault("cannot connect (errno \(errno))") }
        let request =
            "GET \(path) HTTP/1.1\r\nHost: localhost:8420\r\nCookie: \(cookie)\r\n"
            + (ending == nil ? "Connection: close\r\n\r\n" : "\r\n")
        let octets = Array(request.utf8)
        guard send(descriptor, octets, octets.count, 0) == octets.count else {
            throw BenchFault("cannot send (errno \(errno))")
        }
        try receive(upTo: ending)
    }

    private func receive(upTo ending: String?) throws {
        var text = ""
        while let part = received() {
            text += part
            if let ending, text.contains(ending) { break }
        }
        guard text.hasPrefix("HTTP/1.1 200 "), ending.map({ text.contains($0) }) ?? true else {
            throw BenchFault("the answer is \(text.prefix(40))")
        }
    }

    /// The next piece; `nil` at the end of the connection.
    private func received() -> String? {
        var buffer = [UInt8](repeating: 0, count: 16_384)
        let count = recv(descriptor, &buffer, buffer.count, 0)
        return count > 0 ? String(decoding: buffer.prefix(count), as: UTF8.self) : nil
    }

    /// Ends the connection.
    func close() { _ = Glibc.close(descriptor) }

    /// Waits until each stream got an event, on a thread of its own.
    ///
    /// - Parameter streams: the streams.
    /// - Returns: the time at which the last of them got it, on the clock of ``Meter``; `nil` after
    ///   ten seconds without.
    static func arrival(at streams: [StreamClient]) async -> UInt64? {
        await withCheckedContinuation { continuation in
            DispatchQueue.global().async {
                let areAllThere = streams.allSatisfy { $0.waitsForEvent() }
                continuation.resume(returning: areAllThere ? Meter.wallNanoseconds : nil)
            }
        }
    }

    private func waitsForEvent() -> Bool {
        var text = ""
        var wanted = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        while poll(&wanted, 1, 10_000) > 0, let part = received() {
            text += part
            if text.contains("event: change") { return true }
        }
        return false
    }
}
