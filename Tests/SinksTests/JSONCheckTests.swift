import Testing

@testable import Sinks

struct JSONCheckTests {
    @Test(arguments: [
        "0", "-0", "10.25", "-1.5e+10", "2E-3", "0e0", "true", "false", "null", "\"\"", "{}", "[]",
        " [ ] ", "\t{ }\r\n", "[1, 2,3]", #"{"a": [{"b": null}, []], "": {"c": -1}}"#,
        #""\"\\\/\b\f\n\r\t\u00e4\uD83D\ude00""#, "\"ä 😀 \u{2028}\u{7F}\"", #"{"a": 1, "a": 2}"#,
    ])
    func `Valid JSON has no mistake`(_ text: String) {
        #expect(JSONCheck.mistake(in: Array(text.utf8)) == nil)
    }

    /// Texts, and their part before the mistake.
    @Test(arguments: [
        // Commas, colons and brackets.
        ("[1,]", "[1,"), ("[,1]", "["), (#"{"a": 1,}"#, #"{"a": 1,"#), ("{,}", "{"),
        (#"{"a": {"b": 1,},}"#, #"{"a": {"b": 1,"#), ("[1 2]", "[1 "), ("[1}", "[1"),
        (#"{"a" 1}"#, #"{"a" "#), ("{a: 1}", "{"), ("{1: 1}", "{"), (#"{"a": }"#, #"{"a": "#),
        (#"{"a"}"#, #"{"a""#), ("{'a': 1}", "{"), ("]", ""),
        // Text after the value, and what is no white space.
        ("1 2", "1 "), ("{} {}", "{} "), ("[]]", "[]"), ("1,", "1"), ("\u{FEFF}1", ""),
        ("\u{A0}1", ""), ("1\u{B}", "1"), ("// no\n1", ""),
        // Words and numbers.
        ("tru}", "tru"), ("True", ""), ("nulll", "null"), ("NaN", ""), ("01", "0"), ("-01", "-0"),
        ("+1", ""), (".5", ""), ("1.e5", "1."), ("1e+x", "1e+"), ("-x", "-"), ("0x1", "0"),
        // Strings.
        ("\"a\nb\"", "\"a"), ("\"\u{1F}\"", "\""), (#""\x""#, #""\"#), (#""\u12g4""#, #""\u12"#),
        (#""\ud800""#, "\""), (#""a\udc00""#, "\"a"), (#""\ud800\n""#, "\""),
        (#""\ud800\u0041""#, "\""), (#""\ud800x""#, "\""),
    ])
    func `The first mistake is found`(_ text: String, _ right: String) {
        #expect(JSONCheck.mistake(in: Array(text.utf8)) == right.utf8.count)
    }

    @Test(arguments: [
        "", " \n", "[", "[1", "[1,", "[1, ", "{", #"{"a"#, #"{"a""#, #"{"a":"#, #"{"a": 1"#,
        #"{"a": 1,"#, #"{"a": "x"#, "[[1]", "tru", "-", "1.", "1e", "1e-", "\"", #""\"#, #""\u00"#,
    ])
    func `The mistake of an unfinished text is at its end`(_ text: String) {
        #expect(JSONCheck.mistake(in: Array(text.utf8)) == text.utf8.count)
    }

    /// Overlong forms, surrogates, numbers beyond Unicode, and incomplete characters.
    @Test(
        arguments: [
            [0x80], [0xC0, 0xAF], [0xE0, 0x80, 0x80], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80],
            [0xC3], [0xE2, 0x82], [0xFF],
        ] as [[UInt8]])
    func `Invalid UTF-8 is a mistake`(_ octets: [UInt8]) {
        let text = Array("\"ä".utf8) + octets + Array("\"".utf8)
        #expect(JSONCheck.mistake(in: text) == 3)
    }

    @Test func `Deep nesting is checked to its end`() {
        let deep = String(repeating: "[", count: 50_000) + String(repeating: "]", count: 49_999)
        #expect(JSONCheck.mistake(in: Array(deep.utf8)) == 99_999)
        #expect(JSONCheck.mistake(in: Array("\(deep)]".utf8)) == nil)
        #expect(JSONCheck.mistake(in: Array("\(deep)}".utf8)) == 99_999)
    }
}
