import Foundation
import Glibc

/// A small real SMTP server on a free port of 127.0.0.1, which answers what a closure says.
///
/// ```swift
/// let server = try FakeSMTPServer { step in step.verb == "RCPT" ? .say("550 no") : nil }
/// defer { server.stop() }
/// // … send to server.port …
/// server.mails.count == 1
/// ```
public final class FakeSMTPServer: Sendable {
    /// What a client did.
    public struct Step: Sendable {
        /// `CONNECT`, a command's first word in capitals, or `.` behind a mail.
        public let verb: String
        /// The whole line.
        public let line: String
        /// How many mails this connection brought before.
        public let mailsBefore: Int
    }

    /// What the server does then.
    public enum Answer: Sendable {
        /// It says lines.
        case say(String)
        /// It says lines, one octet at a time.
        case drip(String)
        /// It says nothing more, and keeps the connection.
        case silence
        /// It closes the connection.
        case hangUp

        /// Whether a mail that is answered so is not taken.
        fileprivate var isRefusal: Bool {
            switch self {
            case .say(let words), .drip(let words): !words.hasPrefix("2")
            case .silence, .hangUp: true
            }
        }
    }

    /// Decides what is done; `nil` for what a server that takes everything does. Called on a
    /// thread of the connection.
    public typealias Script = @Sendable (Step) -> Answer?

    /// The port that it listens on.
    public let port: Int
    private let listener: Int32
    private let log = FakeServerLog<FakeMailRecord>()

    /// Starts to listen.
    public init(_ script: @escaping Script = { _ in nil }) throws {
        (listener, port) = try FakeSocket.listener()
        let log = log
        log.serve(listener) { socket in
            var connection = FakeMailConnection(socket: socket, log: log, script: script)
            connection.serve()
        }
    }

    deinit { stop() }

    /// The mails that it took, as they came over the wire, without the dots that were stuffed.
    public var mails: [String] {
        log.records.compactMap { if case .mail(let mail) = $0 { mail } else { nil } }
    }
    /// The lines that clients sent, but for mails.
    public var commands: [String] {
        log.records.compactMap { if case .command(let line) = $0 { line } else { nil } }
    }
    /// How many connections were made so far.
    public var connectionsCount: Int { log.connectionsCount }

    /// Stops listening and drops all connections. May be called more than once.
    public func stop() {
        guard log.stop() else { return }
        shutdown(listener, Int32(SHUT_RDWR))
    }
}

/// What a client sent.
private enum FakeMailRecord {
    case command(String)
    case mail(String)
}

/// One connection, served to its end.
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

    /// Whether the last word was 354.
    private var isMailWanted = false

    private func step(_ verb: String, _ line: String) -> FakeSMTPServer.Step {
        FakeSMTPServer.Step(verb: verb, line: line, mailsBefore: mailsCount)
    }

    /// Whether the connection goes on.
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
