import Interchange
import Testing

/// Tests of texts in calendar files that are broken over lines without folding.
@Suite struct UnfoldedTextTests {
    private func details(_ text: String) -> (details: String, names: [String]) {
        let file = """
            BEGIN:VCALENDAR
            BEGIN:VEVENT
            UID:h
            \(text)
            DTSTART:20261220T100000Z
            END:VEVENT
            END:VCALENDAR
            """
        let event = CalendarReader.read(Array(file.utf8)).calendars[0].components[0]
        return (event.line("DESCRIPTION")?.text ?? "", event.lines.map(\.name))
    }

    @Test(arguments: [
        "DESCRIPTION:Join\nhttps://example.org/j/1\nMeeting ID: 123\nSee you",
        "DESCRIPTION:Join\nNote: bring cake\nLocation: upstairs",
        "DESCRIPTION:Join\nAs always:\nAGENDA: cake",
        "DESCRIPTION:Join\nStatus: Cancelled", "DESCRIPTION:Join\nEnd: 18:00",
        "DESCRIPTION:Join\nOrganizer: Anna\nAttendee: Ben",
    ]) func `Lines with a colon continue the text before them`(_ text: String) {
        let read = details(text)
        #expect(read.details == String(text.dropFirst(12)))
        #expect(read.names == ["UID", "DESCRIPTION", "DTSTART"])
    }

    @Test func `Commas that are escaped in an unfolded text are escaped once`() {
        let read = details("DESCRIPTION:Dial\n+358\\,123#\\; C:\\new")
        #expect(read.details == "Dial\n+358,123#; C:\\new")
    }

    @Test func `Line ends that are escaped in an unfolded text are line ends`() {
        let read = details("DESCRIPTION:A long\ntext, and more\\n\\nThe\\, end")
        #expect(read.details == "A long\ntext, and more\n\nThe, end")
        #expect(details("DESCRIPTION:See\n\\\\host\\share").details == "See\n\\\\host\\share")
    }

    @Test(arguments: [
        ("COUNT=3", "FREQ=DAILY;COUNT=3"), (";COUNT=3", "FREQ=DAILY;COUNT=3"),
        ("COUNT = 3 ; BYDAY=MO,TU", "FREQ=DAILY;COUNT=3;BYDAY=MO,TU"), ("=", "FREQ=DAILY"),
        ("COUNT=", "FREQ=DAILY"), ("=3", "FREQ=DAILY"), ("COUNT=3!", "FREQ=DAILY"),
        ("A=aaaaaaaa=aaaaaaaa=aaaaaaaa=aaaaaaaa=aaaaaaaa=aaaaaaaa=aaaaaaaa=aa!", "FREQ=DAILY"),
    ])
    func `A rule goes on in a line that is a part of a rule`(_ line: String, _ rule: String) {
        let file = """
            BEGIN:VCALENDAR
            BEGIN:VEVENT
            RRULE:FREQ=DAILY
            \(line)
            END:VEVENT
            END:VCALENDAR
            """
        let event = CalendarReader.read(Array(file.utf8)).calendars[0].components[0]
        #expect(event.line("RRULE")?.plainText == rule)
    }

    @Test(arguments: [
        "LOCATION:Hall", "location:Hall", "Location:Hall", "X-ROOM:7", "NEW-PROPERTY:1",
    ])
    func `A property after a text is a property`(_ line: String) {
        let read = details("DESCRIPTION:Join\n\(line)")
        #expect(read.details == "Join" && read.names.count == 4)
    }
}
