import Foundation
import Glibc

/// The error of a fake server that cannot start.
public struct FakeServerError: Error {
    /// The call that failed, and the system's message.
    public let reason: String

    init(_ call: String) {
        reason = "\(call): \(String(cString: strerror(errno)))"
    }
}

/// Sockets of the fake servers.
enum FakeSocket {
    /// A socket that listens on a free port of 127.0.0.1.
    static func listener() throws -> (socket: Int32, port: Int) {
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard listener >= 0 else { throw FakeServerError("socket") }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                bind(listener, pointer, length) == 0 && listen(listener, 64) == 0
                    && getsockname(listener, pointer, &length) == 0
            }
        }
        guard isBound else {
            close(listener)
            throw FakeServerError("bind")
        }
        return (listener, Int(UInt16(bigEndian: address.sin_port)))
    }
}

/// One connection of a fake server, served until it ends.
struct FakeConnection {
    private static let headBytesMax = 64 << 10
    /// The first byte of a TLS handshake, which this server does not support.
    private static let tlsHandshake: UInt8 = 0x16

    let socket: Int32
    let log: FakeServerLog<FakeRequest>
    let handler: FakeHTTPServer.Handler

    func serve() {
        var pending: [UInt8] = []
        while let request = nextRequest(&pending) {
            log.add(request)
            guard send(handler(request)) else { return }
        }
    }

    private func nextRequest(_ pending: inout [UInt8]) -> FakeRequest? {
        let end = Array("\r\n\r\n".utf8)
        while true {
            if let range = pending.firstRange(of: end) {
                let head = String(decoding: pending[..<range.lowerBound], as: UTF8.self)
                let headers = FakeRequest.headers(of: head.components(separatedBy: "\r\n"))
                let length = headers["content-length"].flatMap { Int($0) } ?? 0
                guard read(into: &pending, until: range.upperBound + length) else { return nil }
                let body = Array(pending[range.upperBound..<(range.upperBound + length)])
                pending.removeFirst(range.upperBound + length)
                return FakeRequest(head: head, body: body)
            }
            guard pending.count < Self.headBytesMax, pending.first != Self.tlsHandshake,
                read(into: &pending, until: pending.count + 1)
            else { return nil }
        }
    }

    /// Reads until `count` bytes are there. False if the client disconnects before.
    private func read(into pending: inout [UInt8], until count: Int) -> Bool {
        var buffer = [UInt8](repeating: 0, count: 16 << 10)
        while pending.count < count {
            let got = recv(socket, &buffer, buffer.count, 0)
            guard got > 0 else { return false }
            pending.append(contentsOf: buffer[..<got])
        }
        return true
    }

    /// Sends a response. False if the connection must not be used any more.
    private func send(_ answer: FakeAnswer) -> Bool {
        switch answer.manner {
        case .whole:
            return write(answer.head + answer.body)
        case .chunked(let bytes):
            return write(answer.head + answer.chunks(ofBytes: bytes))
        case .untilClosed:
            _ = write(answer.head + answer.body)
            return false
        case .late(let milliseconds):
            return wait(milliseconds) && write(answer.head + answer.body)
        case .trickling(let bytes, let milliseconds):
            return write(answer.head)
                && stride(from: 0, to: answer.body.count, by: max(1, bytes)).allSatisfy { start in
                    let end = min(start + max(1, bytes), answer.body.count)
                    return wait(milliseconds) && write(Array(answer.body[start..<end]))
                }
        case .brokenOff(let bytes):
            _ = write(answer.head + answer.body.prefix(bytes))
            return false
        case .hangUp:
            return false
        case .silent:
            return wait(-1)
        }
    }

    /// Waits for some milliseconds; a negative number waits without a limit. False if the client
    /// disconnects or the server stops in the meantime.
    private func wait(_ milliseconds: Int) -> Bool {
        var watched = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
        return poll(&watched, 1, Int32(milliseconds)) == 0
    }

    private func write(_ bytes: [UInt8]) -> Bool {
        var sent = 0
        while sent < bytes.count {
            let count = bytes[sent...].withUnsafeBytes { rest in
                Glibc.send(socket, rest.baseAddress, rest.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { return false }
            sent += count
        }
        return true
    }
}
