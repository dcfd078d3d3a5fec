import Foundation
import Interchange
import TestKit
import Testing
import Timekeeping

/// Unusual calendar files of many programs: nothing in them is lost, and their times match those on
/// which two independent readers agree.
@Suite(.enabled(if: CalendarCorpus.isThere, "shared/corpus is not beside this checkout"))
struct CalendarCorpusTests {
    private static let zones = ZoneDirectory()

    @Test(arguments: CalendarCorpus.names)
    func `A calendar is written with every line that was read`(_ name: String) throws {
        let octets = try CalendarCorpus.octets(of: name)
        let reading = CalendarReader.read(octets)
        let written = reading.calendars.flatMap(\.octets)
        #expect(Set(CalendarCorpus.unfolded(written)) == Set(CalendarCorpus.unfolded(octets)))
        for line in written.split(separator: 0x0A) {
            #expect(line.count <= 76 && line.last == 0x0D)
            #expect(String(validating: line, as: UTF8.self) != nil)
        }
        #expect(CalendarReader.read(written).calendars.flatMap(\.octets) == written)
    }

    @Test(arguments: CalendarCorpus.expected)
    func `Times and titles match the results of other readers`(_ expected: ExpectedFile) throws {
        let reading = CalendarReader.read(try CalendarCorpus.octets(of: expected.name))
        let events = reading.entries(by: Self.zones).filter { $0.component.name == "VEVENT" }
        #expect(events.count == expected.events.count)
        for (event, fields) in zip(events, expected.events) {
            let found = [
                "uid": event.uid, "recurrence_id": event.recurrenceID?.words,
                "start": event.start?.words, "end": event.end?.words, "summary": event.summary,
            ]
            for (name, value) in fields { #expect(found[name] ?? nil == value, "\(name)") }
        }
    }
}

/// The expected result for a file: for each event, the fields on which other readers agree.
struct ExpectedFile: CustomTestStringConvertible {
    let name: String
    let events: [[String: String?]]

    var testDescription: String { name }
}

enum CalendarCorpus {
    private static let folder = Checkout.root + "/../shared/corpus"
    static var isThere: Bool { FileManager.default.fileExists(atPath: folder) }
    static var names: [String] {
        let names = try? FileManager.default.contentsOfDirectory(atPath: folder + "/ics")
        return (names ?? []).sorted()
    }

    static func octets(of name: String) throws -> [UInt8] {
        [UInt8](try Data(contentsOf: URL(filePath: "\(folder)/ics/\(name)")))
    }

    static var expected: [ExpectedFile] {
        let text = try? String(contentsOfFile: folder + "/expected.jsonl", encoding: .utf8)
        return (text ?? "").split(separator: "\n").compactMap { line in
            guard
                let object = try? JSONSerialization.jsonObject(with: Data(line.utf8))
                    as? [String: Any],
                let name = object["file"] as? String, name.hasSuffix(".ics"),
                let events = object["events"] as? [[String: Any]]
            else { return nil }
            return ExpectedFile(
                name: name, events: events.map { $0.mapValues { $0 as? String } })
        }
    }

    /// The unfolded lines of a file, without empty ones.
    static func unfolded(_ octets: [UInt8]) -> [String] {
        var lines: [String] = []
        let text = String(decoding: octets, as: UTF8.self).unicodeScalars
        for line in text.split(whereSeparator: { $0 == "\r" || $0 == "\n" }) {
            if line.first == " " || line.first == "\t", let last = lines.popLast() {
                lines.append(last + String(String.UnicodeScalarView(line.dropFirst())))
            } else {
                lines.append(String(String.UnicodeScalarView(line)))
            }
        }
        return lines
    }
}
