import Testing

@testable import Interchange

/// Tests of long runs of combining marks, which would take hours to compare, in every form in which
/// they may come.
@Suite struct CombiningMarksTests {
    /// 20 marks, so that only joined pieces are too long.
    private let piece = String(repeating: "\u{301}\u{323}", count: 10)

    private func pieces(by separator: String) -> String {
        "a" + Array(repeating: piece, count: 50).joined(separator: separator)
    }

    private func longestRun(_ text: String) -> Int {
        text.unicodeScalars.reduce((longest: 0, run: 0)) { found, scalar in
            let run = scalar.properties.canonicalCombiningClass == .notReordered ? 0 : found.run + 1
            return (max(found.longest, run), run)
        }.longest
    }

    private func mail(_ head: String, _ body: String = "") -> ReceivedMail {
        ReceivedMail(Array("\(head)\r\n\r\n\(body)".utf8))
    }

    private var encoded: String {
        let octets = piece.utf8.map { octet in
            "=" + (octet < 16 ? "0" : "") + String(octet, radix: 16, uppercase: true)
        }.joined()
        return Array(repeating: "=?utf-8?q?\(octets)?=", count: 50).joined(separator: " ")
    }

    @Test func `Fields of a mail have no long runs`() {
        let folded = pieces(by: "\r\n\t").replacing("\t", with: " ")
        for subject in [encoded, folded, pieces(by: "")] {
            let found = mail("Subject: \(subject)")["Subject"] ?? ""
            #expect((1...100).contains(longestRun(found)))
        }
        let comments = mail("From: \(pieces(by: "(x)"))@e.org").addresses(in: "From")
        #expect(comments.allSatisfy { longestRun($0) <= 100 })
        let parameter = mail("Content-Type: text/plain; charset=\"\(pieces(by: "\"\""))\"")
        #expect(longestRun(parameter.typeParameters["charset"] ?? "") <= 100)
        let names = (0..<20).map { "; x*\($0)=\"\(piece)\"" }.joined()
        let continued = mail("Content-Type: text/plain\(names)").typeParameters["x"] ?? ""
        #expect((1...100).contains(longestRun(continued)))
    }

    @Test(arguments: [
        ("text/plain; charset=utf-8", ""), ("text/html; charset=utf-8", "<b></b>"),
        ("text/html; charset=utf-8", "<!-- x -->"),
        ("text/plain; charset=utf-8; format=flowed; delsp=yes", " \r\n"),
    ])
    func `The text of a mail has no long runs`(_ type: String, _ separator: String) {
        let text = mail("Content-Type: \(type)", pieces(by: separator)).readableText
        #expect((1...100).contains(longestRun(text)))
    }

    @Test func `Entities of HTML make no long runs`() {
        let marks = String(repeating: "&#x301;&#803;", count: 100)
        let text = mail("Content-Type: text/html", "a\(marks)").readableText
        #expect(longestRun(text) == 100)
    }

    @Test(arguments: ["\r\n ", "\\", "\u{7F}"])
    func `Properties of calendars have no long runs`(_ separator: String) throws {
        let text = pieces(by: separator)
        let file = """
            BEGIN:VCALENDAR\r
            BEGIN:VEVENT\r
            UID:\(text)\r
            SUMMARY;X-P=\(text):\(text)\r
            END:VEVENT\r
            END:VCALENDAR\r

            """
        let event = try #require(
            CalendarReader.read(Array(file.utf8)).calendars.first?.components.first)
        for line in event.lines {
            #expect(longestRun(line.text) <= 100)
            for parameter in line.parameters { #expect(longestRun(parameter.value) <= 100) }
        }
        #expect(event.lines.map { longestRun($0.text) }.max() == 100)
    }

    @Test(arguments: ["\r\n ", "\u{7F}"])
    func `Cards have no long runs`(_ separator: String) throws {
        let text = pieces(by: separator)
        let file = """
            BEGIN:VCARD\r
            VERSION:3.0\r
            FN:Ann \(text)\r
            TEL;TYPE=\(text):1\r
            X-SIZE;P\(text)=1:2\r
            END:VCARD\r

            """
        let card = try #require(VCardReader.read(Array(file.utf8)).cards.first)
        #expect(longestRun(card.formattedName) == 100)
        #expect(longestRun(card.phones.first?.type ?? "") <= 100)
        #expect(card.extra.map(longestRun) == [100])
    }
}
