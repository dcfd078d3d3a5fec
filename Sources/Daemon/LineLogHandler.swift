import Logging
import Planning
import Timekeeping
import Wording

/// Writes each event as one line of keys and values (logfmt), whatever characters its texts
/// contain:
///
/// ```
/// time=2026-12-01T12:00:00.123Z level=info msg=delivered channel=mail delivery=8c…
/// ```
/// Characters in a text that would end the line or control a terminal are escaped. Since a log is
/// shown to others, only the first letter and the host of a mail address are kept, at every level.
struct LineLogHandler: LogHandler {
    /// The format of the lines.
    enum Form {
        /// For any reader.
        case lines
        /// For the journal, which records the time itself and takes the level from the beginning of
        /// the line (sd-daemon(3)).
        case journal
    }

    /// The length limit of a text; longer texts are cut.
    static let textCharactersMax = 2000

    var metadata: Logger.Metadata = [:]
    var metadataProvider: Logger.MetadataProvider?
    var logLevel = Logger.Level.info
    private let clock: any WallClock
    private let form: Form
    private let write: @Sendable (_ line: String) -> Void

    /// Makes a handler whose lines carry the time of this clock.
    init(
        clock: any WallClock, form: Form = .lines,
        write: @escaping @Sendable (_ line: String) -> Void
    ) {
        self.clock = clock
        self.form = form
        self.write = write
    }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        var values = metadata
        values.merge(metadataProvider?.get() ?? [:]) { $1 }
        values.merge(event.metadata ?? [:]) { $1 }
        if let error = event.error { values["error"] = "\(error)" }
        let rest = values.sorted { $0.key < $1.key }.map { ($0.key, $0.value.description) }
        let time = form == .lines ? [("time", clock.now.utcText)] : []
        let pairs =
            time + [("level", event.level.rawValue), ("msg", event.message.description)] + rest
        let texts = pairs.map { "\(Self.key($0.0))=\(Self.value($0.1))" }
        let level = form == .journal ? "<\(Journal.priority(event.level))>" : ""
        write(level + texts.joined(separator: " ") + "\n")
    }

    private static func key(_ text: String) -> String {
        let key = String(String.UnicodeScalarView(text.unicodeScalars.filter(isPlain)))
        return key.isEmpty ? "_" : key
    }

    /// The text, quoted unless it is a plain word.
    static func value(_ text: String) -> String {
        let cut = text.count > textCharactersMax ? text.prefix(textCharactersMax) + "…" : text[...]
        let shown = PrivateText.of(String(cut))
        guard shown.isEmpty || !shown.unicodeScalars.allSatisfy(isPlain) else { return shown }
        return "\"\(shown.unicodeScalars.map(escaped).joined())\""
    }

    private static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "a"..."z", "A"..."Z", "0"..."9", "_", "-", ".", ":", "/", "+": true
        default: false
        }
    }

    private static func escaped(_ scalar: Unicode.Scalar) -> String {
        switch scalar {
        case "\n": "\\n"
        case "\t": "\\t"
        case "\r": "\\r"
        case "\"": "\\\""
        case "\\": "\\\\"
        // Some readers treat these as line ends.
        case "\u{2028}", "\u{2029}": "\\u{\(String(scalar.value, radix: 16))}"
        default: VisibleText.of(String(scalar))
        }
    }
}
