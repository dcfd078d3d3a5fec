import Foundation
import Interchange
import Timekeeping

/// Takes the next file of libFuzzer's; what does not hold stops the program, and the file is kept.
@_cdecl("LLVMFuzzerTestOneInput")
public func takeFile(_ octets: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let file = Array(UnsafeBufferPointer(start: octets, count: count))
    format.hold(file)
    return 0
}

/// Which of the formats that strangers send is read: the environment's LETSMEET_FUZZ says it.
private enum Format: String {
    case calendars, cards, mails

    func hold(_ file: [UInt8]) {
        switch self {
        case .calendars: holdCalendars(file)
        case .cards: holdCards(file)
        case .mails: holdMails(file)
        }
    }
}

private let format =
    Format(rawValue: ProcessInfo.processInfo.environment["LETSMEET_FUZZ"] ?? "") ?? .calendars
private let zones = ZoneDirectory()

private func expect(_ holds: Bool, _ promise: String) {
    guard !holds else { return }
    FileHandle.standardError.write(Data("\(promise)\n".utf8))
    abort()
}

/// Whatever is read is written in lines as they are to be, and nothing ends the program.
private func holdCalendars(_ file: [UInt8]) {
    let reading = CalendarReader.read(file)
    for entry in reading.entries(by: zones) { _ = entry.component.lines }
    _ = reading.check(by: zones)
    for calendar in reading.calendars {
        let written = calendar.octets
        _ = CalendarReader.read(written).calendars.map(\.octets)
        for line in written.split(separator: UInt8(ascii: "\n")) {
            expect(line.count <= 76 && line.last == 13, "No line is longer than 75 octets.")
        }
        for object in CalendarObject.all(in: calendar) { hold(object) }
    }
    _ = CalendarReply.all(in: file)
}

private func hold(_ object: CalendarObject) {
    _ = CalendarObject(text: object.text)?.following(object, by: zones)
    let entries = object.components
        .map { CalendarEntry($0, by: CalendarZones(object.calendar), zones) }
    for entry in entries { _ = (entry.reminders, entry.length(in: .utc), entry.isOff) }
    let now = Moment(seconds: 1_800_000_000)
    _ = CalendarFile([.object(object), .object(object.cancelled(by: object))]).octets(at: now)
}

/// A card that is written is read as it was.
private func holdCards(_ file: [UInt8]) {
    for card in VCardReader.read(file).cards {
        for version in [VCardWriter.Version.v3, .v4] {
            let once = VCardWriter.write([card], version: version)
            let reading = VCardReader.read(Array(once.utf8))
            expect(reading.cards.count == 1, "A card that is written is one.")
            let twice = VCardWriter.write(reading.cards, version: version)
            expect(once == twice, "What is written stays as it is.")
        }
    }
    if let table = try? ContactCSVReader.read(file) { _ = ContactCSVWriter.write(table.cards) }
}

private func holdMails(_ file: [UInt8]) {
    let mail = ReceivedMail(file)
    _ = (mail.text, mail.date, mail.author, mail.isAutomatic, mail.addresses(in: "To"))
    _ = BounceReport(mail)
    for part in mail.parts {
        _ = (part.text, CalendarReply.all(in: part.octets))
    }
}
