import Foundation
import Glibc

/// A connection to a server on this machine that sends exactly the given bytes, valid or not.
///
/// ```swift
/// let answer = try await RawConnection(port: 8420).ask("GET /healthz HTTP/1.0\r\n\r\n")
/// ```
public final class RawConnection: Sendable {
    /// The longest wait for a byte, in seconds.
    private static let silenceSecondsMax = 40
    private let socket: Int32

    /// Connects to a port of 127.0.0.1, or of ::1.
    ///
    /// - Throws: `FakeServerError` if nothing listens there.
    public init(port: Int, isIPv6: Bool = false) throws {
        let family = isIPv6 ? AF_INET6 : AF_INET
        socket = Glibc.socket(family, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard socket >= 0 else { throw FakeServerError("socket") }
        var silence = timeval(tv_sec: Self.silenceSecondsMax, tv_usec: 0)
        setsockopt(
            socket, SOL_SOCKET, SO_RCVTIMEO, &silence, socklen_t(MemoryLayout<timeval>.size))
        let isConnected = isIPv6 ? Self.connect6(socket, port) : Self.connect4(socket, port)
        // The initializer is complete here, so `deinit` closes the socket.
        guard isConnected else { throw FakeServerError("connect") }
    }

    /// Connects to a Unix domain socket.
    ///
    /// - Throws: `FakeServerError` if nothing listens there.
    public init(path: String) throws {
        socket = Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard socket >= 0 else { throw FakeServerError("socket") }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let length = socklen_t(MemoryLayout<sockaddr_un>.size)
        let isConnected = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(socket, $0, length) == 0
            }
        }
        // The initializer is complete here, so `deinit` closes the socket.
        guard isConnected else { throw FakeServerError("connect") }
    }

    deinit { close(socket) }

    private static func connect4(_ socket: Int32, _ port: Int) -> Bool {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
    }

    private static func connect6(_ socket: Int32, _ port: Int) -> Bool {
        var address = sockaddr_in6()
        address.sin6_family = sa_family_t(AF_INET6)
        address.sin6_port = in_port_t(port).bigEndian
        address.sin6_addr = in6addr_loopback
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in6>.size)) == 0
            }
        }
    }

    /// True if nothing listens on the port of 127.0.0.1.
    public static func isRefused(port: Int) -> Bool {
        (try? RawConnection(port: port)) == nil
    }

    /// Sends as much of a text as the server accepts; it may close the connection before the end.
    public func send(_ text: String) {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes {
                Glibc.send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { return }
            rest = rest.dropFirst(count)
        }
    }

    /// Sends a text every 20 milliseconds until the server closes the connection.
    public func drip(_ text: String) async {
        await withCheckedContinuation { continuation in
            Thread.detachNewThread { [self] in
                let bytes = Array(text.utf8)
                repeat {
                    usleep(20_000)
                } while Glibc.send(
                    socket, bytes, bytes.count, Int32(MSG_NOSIGNAL)) > 0
                continuation.resume()
            }
        }
    }

    /// Closes the sending side.
    public func finish() { shutdown(socket, Int32(SHUT_WR)) }

    /// Returns the server's output up to `count` responses, or until it closes the connection.
    public func answers(_ count: Int = .max) async -> String {
        await withCheckedContinuation { continuation in
            Thread.detachNewThread { [self] in
                continuation.resume(
                    returning: read { count != .max && Self.answersCount($0) >= count })
            }
        }
    }

    /// Returns the server's output up to this text and a little more, or until it closes the
    /// connection.
    public func answer(upTo text: String) async -> String {
        await withCheckedContinuation { continuation in
            Thread.detachNewThread { [self] in
                continuation.resume(
                    returning: read { String(decoding: $0, as: UTF8.self).contains(text) })
            }
        }
    }

    /// Sends a text and returns the server's output until it closes the connection or, on request,
    /// up to the first response.
    public func ask(_ text: String, untilItHangsUp: Bool = true) async -> String {
        send(text)
        return await answers(untilItHangsUp ? .max : 1)
    }

    private func read(until isEnough: ([UInt8]) -> Bool) -> String {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while !isEnough(bytes) {
            let got = recv(socket, &buffer, buffer.count, 0)
            guard got > 0 else { break }
            bytes += buffer[..<got]
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The number of complete responses, by the lengths in their headers.
    private static func answersCount(_ bytes: [UInt8]) -> Int {
        var rest = String(decoding: bytes, as: UTF8.self).utf8[...]
        var count = 0
        while let end = rest.firstRange(of: "\r\n\r\n".utf8) {
            let head = String(Substring(rest[..<end.lowerBound])).lowercased()
            let line = head.components(separatedBy: "\r\n").first {
                $0.hasPrefix("content-length: ")
            }
            let length = line.flatMap { Int($0.dropFirst("content-length: ".count)) } ?? 0
            guard rest[end.upperBound...].count >= length else { break }
            rest = rest[end.upperBound...].dropFirst(length)
            count += 1
        }
        return count
    }
}
