import Logging
import Synchronization
import TestKit
import Testing
import Timekeeping

@testable import Daemon

/// The lines written so far.
final class Lines: Sendable {
    private let kept = Mutex("")
    func add(_ line: String) { kept.withLock { $0 += line } }
    var text: String { kept.withLock { $0 } }
}

@Suite struct LineLogHandlerTests {
    private static func line(_ log: (inout Logger) -> Void) throws -> String {
        let lines = Lines()
        let clock = try ManualClock("2026-12-01T12:00:00.007Z")
        var logger = Logger(label: "letsmeetd") { _ in
            LineLogHandler(clock: clock) { lines.add($0) }
        }
        logger.logLevel = .trace
        log(&logger)
        return lines.text
    }

    @Test func `An event has its time, level and message, then its values sorted by name`() throws {
        let line = try Self.line { logger in
            logger[metadataKey: "home"] = "/srv/letsmeet"
            logger.info("delivered", metadata: ["delivery": "8c-1", "channel": "stdout"])
        }
        #expect(
            line == "time=2026-12-01T12:00:00.007Z level=info msg=delivered channel=stdout "
                + "delivery=8c-1 home=/srv/letsmeet\n")
    }

    @Test func `Mail addresses are shortened in messages and values`() throws {
        let line = try Self.line { logger in
            logger.warning("refused anna@example.org", metadata: ["reply": "<ben@example.org> x"])
        }
        #expect(!line.contains("anna@example.org") && !line.contains("ben@example.org"))
        #expect(line.contains("msg=\"refused a") && line.contains("reply="))
    }

    @Test(arguments: [
        ("two words", "\"two words\""), ("", "\"\""), ("a=b", "\"a=b\""),
        ("a\"b\\c", "\"a\\\"b\\\\c\""), ("a\nlevel=error msg=x", "\"a\\nlevel=error msg=x\""),
        ("a\r\nb\tc", "\"a\\r\\nb\\tc\""), ("a\u{1B}[31mb", "\"a\\u{1b}[31mb\""),
        ("a\u{2028}b\u{85}c\u{202E}", "\"a\\u{2028}b\\u{85}c\\u{202e}\""),
        ("a\u{0}b", "\"a\\u{0}b\""), ("Café", "\"Café\""),
    ])
    func `Any text stays within one line and one value`(
        text: String, shown: String
    ) throws {
        let line = try Self.line { logger in
            logger.warning("\(text)", metadata: ["reply": "\(text)", "k\n\(text)": "v"])
        }
        #expect(line.contains(" msg=\(shown) "))
        #expect(line.contains(" reply=\(shown)"))
        #expect(line.filter(\.isNewline) == "\n")
        #expect(line.hasSuffix("\n"))
    }

    @Test func `A long text is cut`() throws {
        let line = try Self.line { $0.info("\(String(repeating: "x", count: 100_000))") }
        #expect(line.count < LineLogHandler.textCharactersMax + 100)
        #expect(line.hasSuffix("…\"\n"))
    }

    @Test func `Lists and errors can be values`() throws {
        let line = try Self.line { logger in
            logger.error("bad", metadata: ["list": ["a", "b\nc"], "nested": ["k": "v"]])
        }
        #expect(line.contains(" list=\"[\\\"a\\\", \\\"b\\\\nc\\\"]\""), "\(line)")
        #expect(line.filter(\.isNewline) == "\n")
    }
}
