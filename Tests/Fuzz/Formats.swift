import Foundation
import Interchange
import Timekeeping

/// Tests one input from libFuzzer. A broken promise stops the program, and libFuzzer keeps the
/// file.
@_cdecl("LLVMFuzzerTestOneInput")
public func takeFile(_ octets: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let file = Array(UnsafeBufferPointer(start: octets, count: count))
    format.hold(file)
    return 0
}

/// The format to test, named by the environment variable LETSMEET_FUZZ.
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

/// Tests that every calendar that can be read is written in the strict form and is unchanged when
/// it is read again.
private func holdCalendars(_ file: [UInt8]) {
    let reading = CalendarReader.read(file)
    for entry in reading.entries(by: zones) { _ = entry.component.lines }
    _ = reading.check(by: zones)
    for calendar in reading.calendars {
        let written = calendar.octets
        let again = CalendarReader.read(written)
        expect(again.calendars.count == 1, "A written calendar is read back as one calendar.")
        expect(
            again.calendars.first?.octets == written,
            "A written calendar is unchanged after reading it again.")
        for line in written.split(separator: UInt8(ascii: "\n")) {
            expect(line.count <= 76 && line.last == 13, "Lines have at most 75 octets and CRLF.")
        }
        for object in CalendarObject.all(in: calendar) { hold(object) }
    }
    _ = CalendarReply.all(in: file)
    holdBusyTimes(file)
}

private func hold(_ object: CalendarObject) {
    let text = object.text
    let known = CalendarObject(text: text)
    expect(known?.text == text, "A stored object is unchanged after reading it again.")
    _ = known?.following(object, in: .utc, by: zones)
    let entries = object.components
        .map { CalendarEntry($0, by: CalendarZones(object.calendar), zones) }
    for entry in entries { _ = (entry.reminders(in: .utc), entry.length(in: .utc), entry.isOff) }
    for part in object.parts(by: zones) { _ = part.text }
    let now = Moment(seconds: 1_800_000_000)
    _ = CalendarFile([.object(object), .object(object.cancelled(by: object))], by: zones)
        .octets(at: now)
}

/// Tests that stripping a calendar twice gives the same busy times as stripping it once.
private func holdBusyTimes(_ file: [UInt8]) {
    let busy = BusyCalendar(
        CalendarReader.read(file).calendars, of: ["ann@example.org"], by: zones)
    let again = BusyCalendar(
        CalendarReader.read(Array(busy.text.utf8)).calendars, of: [], by: zones)
    let now = Moment(seconds: 1_800_000_000)
    let day = (from: now, until: now.advanced(bySeconds: 86_400))
    let periods = BusyPeriods(of: busy.text, from: day.from, until: day.until, in: .utc, by: zones)
    expect(
        periods
            == BusyPeriods(of: again.text, from: day.from, until: day.until, in: .utc, by: zones),
        "Stripping a calendar twice keeps the same busy times.")
    for period in periods.firm + periods.tentative {
        expect(
            !period.isEmpty && period.upperBound > now,
            "Busy times are not empty and end after the start of the range.")
    }
}

/// Tests that a written card is unchanged when it is read again.
private func holdCards(_ file: [UInt8]) {
    for card in VCardReader.read(file).cards {
        for version in [VCardWriter.Version.v3, .v4] {
            let once = VCardWriter.write([card], version: version)
            let reading = VCardReader.read(Array(once.utf8))
            expect(reading.cards.count == 1, "A written card is read back as one card.")
            let twice = VCardWriter.write(reading.cards, version: version)
            expect(once == twice, "A written card is unchanged after reading it again.")
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
