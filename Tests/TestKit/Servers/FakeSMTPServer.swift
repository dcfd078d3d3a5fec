import Foundation
import Glibc

/// A small real SMTP server on a free port of 127.0.0.1, which gets its replies from a closure.
///
/// ```swift
/// let server = try FakeSMTPServer { step in step.verb == "RCPT" ? .say("550 no") : nil }
/// defer { server.stop() }
/// // … send to server.port …
/// server.mails.count == 1
/// ```
public final class FakeSMTPServer: Sendable {
    /// A step of the client.
    public struct Step: Sendable {
        /// `CONNECT`, the first word of a command in capitals, or `.` after a mail.
        public let verb: String
        /// The whole line.
        public let line: String
        /// The number of mails sent over this connection before.
        public let mailsBefore: Int
    }

    /// The reaction of the server.
    public enum Answer: Sendable {
        /// Sends these lines.
        case say(String)
        /// Sends these lines, one octet at a time.
        case drip(String)
        /// Sends nothing more and keeps the connection open.
        case silence
        /// Closes the connection.
        case hangUp

        /// True if this answer to a mail means that it is not accepted.
        fileprivate var isRefusal: Bool {
            switch self {
            case .say(let words), .drip(let words): !words.hasPrefix("2")
            case .silence, .hangUp: true
            }
        }
    }

    /// Returns the reaction to a step; `nil` for that of a server that accepts everything. It is
    /// called on the thread of the connection.
    public typealias Script = @Sendable (Step) -> Answer?

    /// The port on which the server listens.
    public let port: Int
    private let listener: Int32
    private let log = FakeServerLog<FakeMailRecord>()

    /// Starts the server.
    public init(_ script: @escaping Script = { _ in nil }) throws {
        (listener, port) = try FakeSocket.listener()
        let log = log
        log.serve(listener) { socket in
            var connection = FakeMailConnection(socket: socket, log: log, script: script)
            connection.serve()
        }
    }

    deinit { stop() }

    /// The accepted mails as received, without dot-stuffing.
    public var mails: [String] {
        log.records.compactMap { if case .mail(let mail) = $0 { mail } else { nil } }
    }
    /// The lines that clients sent, without the mails.
    public var commands: [String] {
        log.records.compactMap { if case .command(let line) = $0 { line } else { nil } }
    }
    /// The number of connections so far.
    public var connectionsCount: Int { log.connectionsCount }

    /// Stops listening and closes all connections. Repeated calls have no effect.
    public func stop() {
        guard log.stop() else { return }
        shutdown(listener, Int32(SHUT_RDWR))
    }
}

/// A command or mail from a client.
private enum FakeMailRecord {
    case command(String)
    case mail(String)
}

/// One connection, served until it ends.
private struct FakeMailConnection {
    let socket: Int32
    let log: FakeServerLog<FakeMailRecord>
    let script: FakeSMTPServer.Script
    private var pending: [UInt8] = []
    private var mailsCount = 0

    init(socket: Int32, log: FakeServerLog<FakeMailRecord>, script: @escaping FakeSMTPServer.Script)
    {
        self.socket = socket
        self.log = log
        self.script = script
    }

    mutating func serve() {
        guard answer("CONNECT", "") else { return }
        while let line = next(until: "\r\n") {
            log.add(.command(line))
            let verb = line.prefix { $0 != " " }.uppercased()
            guard answer(verb, line) else { return }
            guard verb == "DATA", isMailWanted else { continue }
            guard let mail = next(until: "\r\n.\r\n") else { return }
            if script(step(".", ""))?.isRefusal != true { log.add(.mail(Self.unstuffed(mail))) }
            guard answer(".", "") else { return }
            mailsCount += 1
        }
    }

    /// True if the last reply was 354.
    private var isMailWanted = false

    private func step(_ verb: String, _ line: String) -> FakeSMTPServer.Step {
        FakeSMTPServer.Step(verb: verb, line: line, mailsBefore: mailsCount)
    }

    /// Sends the answer to a step. False if the connection must end.
    private mutating func answer(_ verb: String, _ line: String) -> Bool {
        let answer = script(step(verb, line)) ?? .say(Self.usual(verb))
        switch answer {
        case .say(let words):
            isMailWanted = words.hasPrefix("354")
            return send(Array((words + "\r\n").utf8)) && verb != "QUIT"
        case .drip(let words):
            isMailWanted = words.hasPrefix("354")
            return (words + "\r\n").utf8.allSatisfy { send([$0]) }
        case .hangUp: return false
        case .silence:
            while next(until: "\r\n") != nil {}
            return false
        }
    }

    private static func usual(_ verb: String) -> String {
        switch verb {
        case "CONNECT": "220 fake ESMTP"
        case "EHLO": "250-fake\r\n250-8BITMIME\r\n250-SMTPUTF8\r\n250 ENHANCEDSTATUSCODES"
        case "DATA": "354 go on"
        case ".": "250 2.0.0 queued as 7F00A"
        case "AUTH": "235 2.7.0 welcome"
        case "QUIT": "221 2.0.0 bye"
        default: "250 2.1.0 fine"
        }
    }

    private func send(_ bytes: [UInt8]) -> Bool {
        Glibc.send(socket, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count
    }

    private mutating func next(until end: String) -> String? {
        let mark = Array(end.utf8)
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            if let range = pending.firstRange(of: mark) {
                let text = String(decoding: pending[..<range.lowerBound], as: UTF8.self)
                pending.removeSubrange(..<range.upperBound)
                return text
            }
            let count = recv(socket, &buffer, buffer.count, 0)
            guard count > 0 else { return nil }
            pending += buffer[..<count]
        }
    }

    private static func unstuffed(_ mail: String) -> String {
        mail.components(separatedBy: "\r\n").map { $0.hasPrefix(".") ? String($0.dropFirst()) : $0 }
            .joined(separator: "\r\n") + "\r\n"
    }
}
