import Logging
import Planning
import Timekeeping
import Wording

/// Writes each event as one line of keys and values (logfmt), whatever stands in its texts:
///
/// ```
/// time=2026-12-01T12:00:00.123Z level=info msg=delivered channel=mail delivery=8c…
/// ```
/// What a text holds that would end the line, or steer a terminal, is written out. A log is shown
/// to others: of a mail address only its first letter and its host are kept, at every level.
struct LineLogHandler: LogHandler {
    /// Who reads the lines.
    enum Form {
        /// Anybody.
        case lines
        /// A journal, which knows the time itself, and takes the level from the beginning of the
        /// line (sd-daemon(3)).
        case journal
    }

    /// Longer texts are cut.
    static let textCharactersMax = 2000

    var metadata: Logger.Metadata = [:]
    var metadataProvider: Logger.MetadataProvider?
    var logLevel = Logger.Level.info
    private let clock: any WallClock
    private let form: Form
    private let write: @Sendable (_ line: String) -> Void

    /// Writes lines that tell this clock's time.
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

    /// The text, in quotes where it is not a plain word.
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
        // Some readers take these for the ends of lines.
        case "\u{2028}", "\u{2029}": "\\u{\(String(scalar.value, radix: 16))}"
        default: VisibleText.of(String(scalar))
        }
    }
}

/// Texts that may hold mail addresses, made fit to be shown to others.
enum PrivateText {
    /// The text with the first letter and the host of each mail address alone:
    /// `a…@example.org`.
    static func of(_ text: String) -> String {
        guard text.utf8.contains(UInt8(ascii: "@")) else { return text }
        var parts = text.split(separator: "@", omittingEmptySubsequences: false).map(String.init)
        for index in parts.indices.dropLast() {
            // What is quoted may hold anything, and a name any letter.
            let name =
                parts[index].hasSuffix("\"")
                ? quoted(parts[index]) : parts[index].reversed().prefix(while: belongs).count
            guard name > 0 else { continue }
            let rest = parts[index].dropLast(name)
            parts[index] = rest + parts[index].suffix(name).prefix(1) + "…"
        }
        return parts.joined(separator: "@")
    }

    /// How many characters at the end stand in quotes.
    private static func quoted(_ text: String) -> Int {
        let inner = text.dropLast()
        guard let start = inner.lastIndex(of: "\"") else { return 1 }
        return text.distance(from: start, to: text.endIndex)
    }

    private static func belongs(_ character: Character) -> Bool {
        character.isLetter || character.isNumber || "!#$%&'*+-/=?^_`{|}~.…".contains(character)
    }
}
