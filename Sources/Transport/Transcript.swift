import CCurl
import Synchronization

/// Records the conversation between this program and a server, line by line, for a person who wants
/// to see it. It never shows secrets: neither credentials nor secret addresses.
public final class Transcript: Sendable {
    /// The speaker of a line.
    public enum Speaker: Sendable {
        /// Neither side; the line is about the connection.
        case note
        /// This program.
        case here
        /// The server.
        case there
    }

    private let tell: @Sendable (Speaker, String) -> Void
    private let hidden: HiddenWords
    private let showsBodies: Bool
    /// True if the next line sent is a credential.
    private let isLoggingIn = Mutex(false)

    /// Creates a transcript that reports each line, on any thread.
    ///
    /// - Parameters:
    ///   - hidden: words that are shown as three asterisks wherever they occur.
    ///   - showsBodies: whether the bodies that are sent are shown, too.
    ///   - tell: receives each line.
    public init(
        hiding hidden: HiddenWords, showsBodies: Bool = true,
        tell: @escaping @Sendable (Speaker, String) -> Void
    ) {
        self.tell = tell
        self.hidden = hidden
        self.showsBodies = showsBodies
    }

    /// The maximum length of a line, in characters.
    private static let lineCharactersMax = 500

    private static let listener: letsmeet_curl_listener = { _, kind, bytes, count, context in
        guard let context else { return 0 }
        let transcript = Unmanaged<Transcript>.fromOpaque(context).takeUnretainedValue()
        let raw = UnsafeRawBufferPointer(start: bytes, count: count)
        transcript.hear(kind, String(decoding: raw, as: UTF8.self))
        return 0
    }

    /// Records a transfer. The transcript must live as long as the handle.
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
        case CURLINFO_DATA_OUT: say(.note, "\(text.utf8.count) bytes of body (not shown)")
        default: break
        }
    }

    /// True if a line from libcurl about the connection helps the person who sets up a sink.
    private static func isTelling(_ line: String) -> Bool {
        ["Trying ", "Connected to ", "SSL connection using ", "Could not resolve", "connect to "]
            .contains { line.drop(while: \.isWhitespace).hasPrefix($0) }
    }

    private func each(_ text: String, _ body: (String) -> Void) {
        for line in text.split(whereSeparator: \.isNewline) where !line.isEmpty {
            body(String(line))
        }
    }

    /// Records a reply. After a reply 334, a mail server expects a credential on the next line
    /// sent.
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

    /// Headers whose values may be shown.
    private static let openHeaders: Set<String> = [
        "host", "user-agent", "accept", "accept-encoding", "content-type", "content-length",
        "webhook-id", "webhook-timestamp", "webhook-signature",
    ]
    private static let stars = "***"

    /// Reports a line. Secrets are hidden before the line is cut, because the beginning of a secret
    /// is secret, too.
    private func say(_ speaker: Speaker, _ line: String) {
        tell(speaker, String(hidden.hidden(in: line).prefix(Self.lineCharactersMax)))
    }
}
