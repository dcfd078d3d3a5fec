import CCurl
import Synchronization

/// Hears what this program and a server say to each other, line by line, for somebody who wants to
/// see it. Nothing secret is in what it tells: not what opens a door, and not where the door is.
public final class Transcript: Sendable {
    /// Who says a line.
    public enum Speaker: Sendable {
        /// Nobody: it is about the connection.
        case note
        /// This program.
        case here
        /// The server.
        case there
    }

    private let tell: @Sendable (Speaker, String) -> Void
    private let hidden: HiddenWords
    private let showsBodies: Bool
    /// Whether the next line is a credential.
    private let isLoggingIn = Mutex(false)

    /// Tells what it hears, on threads of its own choosing.
    ///
    /// - Parameters:
    ///   - hidden: what is shown as three stars wherever it stands.
    ///   - showsBodies: whether what is sent behind a head is shown, too.
    ///   - tell: gets each line.
    public init(
        hiding hidden: HiddenWords, showsBodies: Bool = true,
        tell: @escaping @Sendable (Speaker, String) -> Void
    ) {
        self.tell = tell
        self.hidden = hidden
        self.showsBodies = showsBodies
    }

    /// The most characters of a line.
    private static let lineCharactersMax = 500

    private static let listener: letsmeet_curl_listener = { _, kind, bytes, count, context in
        guard let context else { return 0 }
        let transcript = Unmanaged<Transcript>.fromOpaque(context).takeUnretainedValue()
        let raw = UnsafeRawBufferPointer(start: bytes, count: count)
        transcript.hear(kind, String(decoding: raw, as: UTF8.self))
        return 0
    }

    /// Has a transfer tell what is said; this must live as long as the handle.
    func listen(to handle: borrowing EasyHandle) throws(TransportError) {
        try handle.set(CURLOPT_DEBUGFUNCTION, Self.listener)
        try handle.set(CURLOPT_DEBUGDATA, Unmanaged.passUnretained(self).toOpaque())
        try handle.set(CURLOPT_VERBOSE, 1)
    }

    private func hear(_ kind: curl_infotype, _ text: String) {
        switch kind {
        case CURLINFO_TEXT: each(text) { Self.isTelling($0) ? say(.note, $0) : () }
        case CURLINFO_HEADER_IN: each(text) { hearReply($0) }
        case CURLINFO_HEADER_OUT: each(text) { say(.here, withoutCredentials($0)) }
        case CURLINFO_DATA_IN: each(text) { say(.there, $0) }
        case CURLINFO_DATA_OUT where showsBodies: each(text) { say(.here, $0) }
        case CURLINFO_DATA_OUT: say(.note, "\(text.utf8.count) octets of a body")
        default: break
        }
    }

    /// Of what libcurl says of a connection, what helps whoever sets a sink up.
    private static func isTelling(_ line: String) -> Bool {
        ["Trying ", "Connected to ", "SSL connection using ", "Could not resolve", "connect to "]
            .contains { line.drop(while: \.isWhitespace).hasPrefix($0) }
    }

    private func each(_ text: String, _ body: (String) -> Void) {
        for line in text.split(whereSeparator: \.isNewline) where !line.isEmpty {
            body(String(line))
        }
    }

    /// A server of mail that has asked for a credential gets it in the next line.
    private func hearReply(_ line: String) {
        isLoggingIn.withLock { $0 = line.hasPrefix("334") }
        say(.there, line)
    }

    private func withoutCredentials(_ line: String) -> String {
        if isLoggingIn.withLock(\.self) { return Self.stars }
        if line.hasPrefix("AUTH ") {
            return line.split(separator: " ").prefix(2).joined(separator: " ") + " \(Self.stars)"
        }
        if line.hasSuffix(" HTTP/1.1") || line.hasSuffix(" HTTP/2") {
            let words = line.split(separator: " ")
            return "\(words[0]) /… \(words[words.count - 1])"
        }
        guard let colon = line.firstIndex(of: ":"),
            !Self.openHeaders.contains(line[..<colon].lowercased()),
            line[..<colon].allSatisfy({ $0.isLetter || $0.isNumber || $0 == "-" }),
            !line.hasPrefix("MAIL FROM"), !line.hasPrefix("RCPT TO")
        else { return line }
        return "\(line[...colon]) \(Self.stars)"
    }

    /// Headers whose values everybody may see.
    private static let openHeaders: Set<String> = [
        "host", "user-agent", "accept", "accept-encoding", "content-type", "content-length",
        "webhook-id", "webhook-timestamp", "webhook-signature",
    ]
    private static let stars = "***"

    /// What is cut is cut after it was hidden: the head of a secret is one.
    private func say(_ speaker: Speaker, _ line: String) {
        tell(speaker, String(hidden.hidden(in: line).prefix(Self.lineCharactersMax)))
    }
}
