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

/// Whatever is read is written strictly, and is the same when it is read again.
private func holdCalendars(_ file: [UInt8]) {
    let reading = CalendarReader.read(file)
    for entry in reading.entries(by: zones) { _ = entry.component.lines }
    _ = reading.check(by: zones)
    for calendar in reading.calendars {
        let written = calendar.octets
        let again = CalendarReader.read(written)
        expect(again.calendars.count == 1, "A calendar that is written is one.")
        expect(again.calendars.first?.octets == written, "What is written stays as it is.")
        for line in written.split(separator: UInt8(ascii: "\n")) {
            expect(line.count <= 76 && line.last == 13, "No line is longer than 75 octets.")
        }
        for object in CalendarObject.all(in: calendar) { hold(object) }
    }
    _ = CalendarReply.all(in: file)
    holdBusyTimes(file)
}

private func hold(_ object: CalendarObject) {
    let text = object.text
    let known = CalendarObject(text: text)
    expect(known?.text == text, "An object that is kept is the same when it is read.")
    _ = known?.following(object, by: zones)
    let entries = object.components
        .map { CalendarEntry($0, by: CalendarZones(object.calendar), zones) }
    for entry in entries { _ = (entry.reminders(in: .utc), entry.length(in: .utc), entry.isOff) }
    for part in object.parts(by: zones) { _ = part.text }
    let now = Moment(seconds: 1_800_000_000)
    _ = CalendarFile([.object(object), .object(object.cancelled(by: object))], by: zones)
        .octets(at: now)
}

/// When somebody is busy is the same, however often what is kept of it is made anew.
private func holdBusyTimes(_ file: [UInt8]) {
    let busy = BusyCalendar(CalendarReader.read(file).calendars, of: ["ann@example.org"])
    let again = BusyCalendar(CalendarReader.read(Array(busy.text.utf8)).calendars, of: [])
    let now = Moment(seconds: 1_800_000_000)
    let day = (from: now, until: now.advanced(bySeconds: 86_400))
    let periods = BusyPeriods(of: busy.text, from: day.from, until: day.until, in: .utc, by: zones)
    expect(
        periods
            == BusyPeriods(of: again.text, from: day.from, until: day.until, in: .utc, by: zones),
        "What is kept of busy times says the same as what is kept of that.")
    for period in periods.firm + periods.tentative {
        expect(!period.isEmpty && period.upperBound > now, "Busy times are within what was asked.")
    }
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
