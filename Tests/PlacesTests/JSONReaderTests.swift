import Foundation
import TestKit
import Testing

@testable import Places

@Suite struct JSONReaderTests {
    private func read(_ text: String) throws(JSONError) -> JSONValue {
        try JSONReader.read(Array(text.utf8)[...])
    }

    @Test(arguments: [
        ("null", JSONValue.null), (" true ", .bool(true)), ("false\n", .bool(false)),
        ("0", .number(0)), ("-0.5e+2", .number(-50)), ("1E2", .number(100)),
        ("12345678901234567890", .number(12_345_678_901_234_567_168)), ("\"\"", .string("")),
        ("[]", .array([])), ("[ 1 , [ ] ]", .array([.number(1), .array([])])),
        ("{}", .object([:])), (#"{"a":1,"a":2}"#, .object(["a": .number(2)])),
        (#""\"\\\/\b\f\n\r\t""#, .string("\"\\/\u{8}\u{C}\n\r\t")),
        (#""a\u0041\u00e9\uD83D\uDE00z""#, .string("aAé😀z")),
        (#""\ud800x\uDC00\ud83d\u0041""#, .string("\u{FFFD}x\u{FFFD}\u{FFFD}A")),
        ("\"Čaj ☕ \u{202E}\"", .string("Čaj ☕ \u{202E}")),
    ])
    func `Valid JSON is read`(_ text: String, _ value: JSONValue) throws {
        #expect(try read(text) == value)
    }

    @Test(arguments: [
        ("", "it ends too early"), ("   ", "it ends too early"), ("nul", "unexpected \"n\""),
        ("truee", "there is more text after its end"), ("01", "there is more text after its end"),
        ("1.", "it ends too early"), (".5", "unexpected \".\""), ("+1", "unexpected \"+\""),
        ("-", "it ends too early"), ("1e", "it ends too early"),
        ("1e999", "the number 1e999 is too large"), ("NaN", "unexpected \"N\""),
        ("[1,]", "unexpected \"]\""), ("[1 2]", "unexpected \"2\""),
        ("{\"a\"}", "unexpected \"}\""), ("{\"a\":}", "unexpected \"}\""),
        ("{a:1}", "unexpected \"a\""), ("{\"a\":1,}", "unexpected \"}\""),
        ("\"abc", "it ends too early"),
        ("\"a\nb\"", "a string contains a line break or a control character"),
        (#""\x""#, "unexpected \"x\""), (#""\u12g4""#, "unexpected \"g\""),
        ("'a'", "unexpected \"'\""), ("\u{FEFF}{}", "unexpected byte"),
        ("{} {}", "there is more text after its end"),
        (String(repeating: "[", count: 65), "it is nested too deeply"),
        (String(repeating: "{\"a\":", count: 100_000), "it is nested too deeply"),
    ])
    func `Invalid JSON is refused with a reason`(_ text: String, _ reason: String) {
        let error = #expect(throws: JSONError.self) { try read(text) }
        #expect(error?.reason == reason)
        #expect(error.map { (0...text.utf8.count).contains($0.position) } == true)
    }

    @Test(arguments: [(JSONReader.depthMax, true), (JSONReader.depthMax + 1, false)])
    func `Values may be nested up to the maximum depth`(_ depth: Int, _ isRead: Bool) {
        let text = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
        #expect(((try? read(text)) != nil) == isRead)
    }

    @Test func `Only invalid bytes are replaced`() throws {
        let bytes: [UInt8] = Array("[\"a".utf8) + [0xFF, 0xC3] + Array("b\"]".utf8)
        #expect(try JSONReader.read(bytes[...]).elements.first?.string == "a\u{FFFD}\u{FFFD}b")
    }

    @Test(arguments: [
        (JSONValue.number(5), 5 as Int?), (.number(-5), -5), (.number(0.5), nil),
        (.number(1e300), nil),
        (.number(9_007_199_254_740_992), nil), (.string("5"), nil), (.null, nil),
    ])
    func `Only whole numbers are integers`(_ value: JSONValue, _ integer: Int?) {
        #expect(value.integer == integer)
    }

    @Test(arguments: 1...4)
    func `The reader agrees with Foundation on random texts`(
        _ seed: UInt64
    ) throws {
        var random = SeededRandom(seed: seed)
        for _ in 0..<200 {
            let text = Fuzz.json(depth: 4, using: &random)
            let bytes = Array(text.utf8)
            let ours = try JSONReader.read(bytes[...])
            let theirs = try JSONSerialization.jsonObject(
                with: Data(bytes), options: .fragmentsAllowed)
            let agree = Self.agree(ours, theirs)
            #expect(agree, "\(text)")
            let cut = bytes.prefix(Int.random(in: 0..<bytes.count, using: &random))
            let isRead = (try? JSONReader.read(cut)) != nil
            let isReadThere =
                (try? JSONSerialization.jsonObject(with: Data(cut), options: .fragmentsAllowed))
                != nil
            #expect(isRead == isReadThere, "\(String(decoding: cut, as: UTF8.self))")
        }
    }

    private static func agree(_ ours: JSONValue, _ theirs: Any) -> Bool {
        switch ours {
        case .null: theirs is NSNull
        case .bool(let value): (theirs as? Bool) == value
        // Foundation parses by way of decimal numbers, which costs the last digit.
        case .number(let value):
            (theirs as? Double).map { abs($0 - value) <= abs(value) * 1e-14 } ?? false
        case .string(let value): (theirs as? String) == value
        case .array(let values):
            (theirs as? [Any]).map { others in
                others.count == values.count && zip(values, others).allSatisfy(agree)
            } ?? false
        case .object(let values):
            (theirs as? [String: Any]).map { others in
                others.count == values.count
                    && values.allSatisfy { name, value in
                        others[name].map { agree(value, $0) } ?? false
                    }
            } ?? false
        }
    }
}
