import Foundation
import Glibc
import Synchronization

/// A small real IMAP server on a free port of 127.0.0.1, with one folder.
///
/// ```swift
/// let server = try FakeIMAPServer()
/// defer { server.stop() }
/// server.put("Subject: Hello\r\n\r\n")
/// // … read from server.port …
/// server.seen == []
/// ```
public final class FakeIMAPServer: Sendable {
    private struct Mail {
        let number: Int
        let octets: [UInt8]
        var isSeen = false
    }

    private struct State {
        var validity = 7
        var next = 1
        var mails: [Mail] = []
    }

    /// Returns a reply that replaces the usual one to a line, without the CRLF at the end; `nil`
    /// for the usual reply. An empty text means no reply.
    public typealias Script = @Sendable (_ line: String) -> String?

    /// The port on which the server listens.
    public let port: Int
    private let listener: Int32
    private let log = FakeServerLog<String>()
    private let state = Mutex(State())

    /// Starts the server.
    ///
    /// - Parameters:
    ///   - offersLogin: whether it supports AUTH=PLAIN, or only the older LOGIN command.
    ///   - script: the replies that replace the usual ones.
    /// - Throws: ``FakeServerError``.
    public init(
        offersLogin: Bool = true, _ script: @escaping Script = { _ in nil }
    ) throws {
        (listener, port) = try FakeSocket.listener()
        log.serve(listener) { [weak self] socket in
            guard let self else { return }
            var lines = FakeLines(socket: socket)
            let capability = "CAPABILITY IMAP4rev1\(offersLogin ? " AUTH=PLAIN SASL-IR" : "")"
            guard lines.say("* OK [\(capability)] fake") else { return }
            while let line = lines.next() {
                self.log.add(line)
                let reply = script(line) ?? self.reply(to: line, capability)
                guard reply.isEmpty || lines.say(reply) else { return }
                if line.hasSuffix("LOGOUT") { return }
            }
        }
    }

    deinit { stop() }

    /// The lines that clients sent.
    public var commands: [String] { log.records }

    /// Adds a mail to the folder and returns its number.
    @discardableResult
    public func put(_ mail: some Sequence<UInt8>) -> Int {
        state.withLock { state in
            defer { state.next += 1 }
            state.mails.append(Mail(number: state.next, octets: Array(mail)))
            return state.next
        }
    }

    /// The numbers of the mails marked as read.
    public var seen: [Int] { state.withLock { $0.mails.filter(\.isSeen).map(\.number) } }

    /// Gives all mails new numbers.
    public func renumber() {
        state.withLock { state in
            state.validity += 1
            state.mails = state.mails.map {
                Mail(number: $0.number + 100, octets: $0.octets, isSeen: $0.isSeen)
            }
            state.next += 100
        }
    }

    /// Stops listening and closes all connections. Repeated calls have no effect.
    public func stop() {
        guard log.stop() else { return }
        shutdown(listener, Int32(SHUT_RDWR))
    }

    private func reply(to line: String, _ capability: String) -> String {
        let words = line.split(separator: " ").map(String.init)
        let tag = words.first ?? "*"
        let body: String =
            switch words.dropFirst().prefix(2).joined(separator: " ").uppercased() {
            case let command where command.hasPrefix("CAPABILITY"): "* \(capability)\r\n"
            case let command where command.hasPrefix("EXAMINE") || command.hasPrefix("SELECT"):
                opening
            case "UID SEARCH": search(words)
            case "UID FETCH": fetch(words)
            case "UID STORE": store(words)
            default: ""
            }
        return "\(body)\(tag) OK done"
    }

    private var opening: String {
        state.withLock { state in
            "* \(state.mails.count) EXISTS\r\n* OK [UIDVALIDITY \(state.validity)] valid\r\n"
                + "* OK [UIDNEXT \(state.next)] next\r\n"
        }
    }

    private func search(_ words: [String]) -> String {
        state.withLock { state in
            var numbers = state.mails.map(\.number)
            if let range = words.last, words.dropLast().last == "UID",
                let first = Int(range.prefix { $0 != ":" })
            {
                // Like real servers, return the last mail whatever the start of the range.
                numbers = numbers.filter { $0 >= first || $0 == state.mails.last?.number }
            }
            return "* SEARCH\(numbers.map { " \($0)" }.joined())\r\n"
        }
    }

    private func fetch(_ words: [String]) -> String {
        let numbers = Set(words[3].split(separator: ",").compactMap { Int($0) })
        return state.withLock { state in
            state.mails.enumerated().filter { numbers.contains($0.element.number) }.map {
                let head = "* \($0 + 1) FETCH (UID \($1.number)"
                guard words.last?.hasPrefix("BODY.PEEK[]") == true else {
                    return "\(head) RFC822.SIZE \($1.octets.count))\r\n"
                }
                let text = String(decoding: $1.octets, as: UTF8.self)
                return "\(head) BODY[]<0> {\($1.octets.count)}\r\n\(text))\r\n"
            }.joined()
        }
    }

    private func store(_ words: [String]) -> String {
        let numbers = Set(words[3].split(separator: ",").compactMap { Int($0) })
        state.withLock { state in
            for index in state.mails.indices where numbers.contains(state.mails[index].number) {
                state.mails[index].isSeen = true
            }
        }
        return ""
    }
}

/// The lines of a connection.
private struct FakeLines {
    let socket: Int32
    private var pending: [UInt8] = []

    init(socket: Int32) {
        self.socket = socket
    }

    mutating func next() -> String? {
        while true {
            if let feed = pending.firstIndex(of: 0x0A) {
                let line = String(decoding: pending[..<feed], as: UTF8.self)
                pending.removeFirst(feed + 1)
                return line.trimmingCharacters(in: .newlines)
            }
            var buffer = [UInt8](repeating: 0, count: 4096)
            let count = read(socket, &buffer, buffer.count)
            guard count > 0 else { return nil }
            pending += buffer[..<count]
        }
    }

    func say(_ text: String) -> Bool {
        var rest = Array("\(text)\r\n".utf8)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes {
                send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }
}
