import Agenda
import Interchange
public import Planning
import Storage
import Timekeeping

extension Planner {
    /// The number of imported entries of a person from which on they import no new ones; the owner
    /// of the installation imports any number.
    public static let calendarEntriesMax = 100_000
    /// The characters of all imported entries of a person from which on they import no new ones.
    private static let calendarCharactersMax = 64 << 20

    /// The objects of a file that the actor may import. A member who has reached the limit can
    /// still update the entries that they imported before, but import no new ones.
    ///
    /// - Parameters:
    ///   - read: the objects.
    ///   - entriesMax: the number of imported entries from which on no new ones are imported.
    ///   - report: gets the objects that are left out.
    /// - Returns: the other objects.
    /// - Throws: ``StoreError``.
    func fitting(
        _ read: [ReadObject], entriesMax: Int, report: inout CalendarImportReport
    ) async throws -> [ReadObject] {
        guard !actsAsOwner else { return read }
        let size = try await store.calendarSize(of: actor.id)
        guard size.count >= entriesMax || size.characters >= Self.calendarCharactersMax else {
            return read
        }
        let known = Set(try await store.calendarNames(of: actor.id).map(\.ofSeries))
        let new = read.filter { !known.contains($0.name.ofSeries) }
        report.read += new.count
        report.skipped += new.map {
            $0.remark(
                "is new and was not imported. \(actor.name) has imported \(size.count) entries "
                    + "with \(size.characters) characters. Only the owner of this installation "
                    + "imports more; entries that were imported before are still updated.")
        }
        return read.filter { known.contains($0.name.ofSeries) }
    }

    /// Checks that several files can be read and that none exceeds a limit, before the first of
    /// them is imported. They are read again for the import, so that one at a time is in memory.
    ///
    /// - Throws: ``Refusal``.
    static func checkLimits(of paths: [String]) throws(Refusal) {
        guard paths.count > 1 else { return }
        for path in paths where !NamedFile(path: path).isStream {
            _ = try reading(of: path)
        }
    }

    private static func reading(of path: String) throws(Refusal) -> CalendarReading {
        let reading = CalendarReader.read(try NamedFile(path: path).octets())
        if let excess = reading.excessWithLine { throw tooMuch(excess, in: path) }
        return reading
    }

    static func tooMuch(_ excess: String, in path: String) -> Refusal {
        Refusal(.invalid, code: "nothing_read", "\"\(path)\" was not imported. \(excess)")
    }

    /// Reads the objects of a file.
    ///
    /// - Parameters:
    ///   - path: the file.
    ///   - datesLeft: the number of dates that may still be compared to split series.
    ///   - report: gets what is wrong with the file.
    /// - Returns: the objects.
    /// - Throws: ``Refusal``.
    func objects(
        in path: String, datesLeft: inout Int, report: inout CalendarImportReport
    ) throws(Refusal) -> [ReadObject] {
        let reading = try Self.reading(of: path)
        report.warnings += warnings(on: reading, of: path)
        report.unused += reading.unused.map { ImportReport.Unused(file: path, $0) }
        var found: [ReadObject] = []
        for said in reading.calendars {
            let calendar = said.namingDates(by: surroundings.zones)
            let method = calendar.line("METHOD")?.plainText.uppercased() ?? "PUBLISH"
            guard !Self.answers.contains(method) else {
                report.skipped.append(Self.message(method, calendar, in: path))
                continue
            }
            let unclear = calendar.unclearDates(by: surroundings.zones)
            report.skipped += unclear.map { date in
                let text = date.line("RECURRENCE-ID")?.plainText ?? ""
                return .init(
                    file: path, line: date.number,
                    reason: "it changes a date of a series, but \"\(text.prefix(40))\" does "
                        + "not say which one.")
            }
            found += ReadObject.all(
                in: calendar.without(unclear), file: path, isOff: method == "CANCEL",
                by: surroundings.zones, datesLeft: &datesLeft)
        }
        if let excess = Self.excess(of: found) { throw Self.tooMuch(excess, in: path) }
        return found
    }

    /// The most octets of properties and time zones of calendars that are stored with the objects
    /// of a file: 256 MiB.
    private static let copiedOctetsMax = 256 << 20

    /// The reason why the objects of a file would take too much room; `nil` if they do not.
    private static func excess(of found: [ReadObject]) -> String? {
        let octets = found.reduce(0) { $0 + $1.object.copiedOctets }
        guard octets > copiedOctetsMax else { return nil }
        return "The properties and time zones of its calendars are stored with each of its "
            + "\(found.count) entries, which takes \(octets >> 20) MiB; at most "
            + "\(copiedOctetsMax >> 20) MiB are possible."
    }

    /// The methods of messages to an organizer, and of an organizer's answers to them.
    private static let answers: Set = ["REPLY", "COUNTER", "REFRESH", "DECLINECOUNTER", "ADD"]

    private static func message(
        _ method: String, _ calendar: CalendarComponent, in path: String
    ) -> ImportReport.Skipped {
        let reason: RemarkText =
            "it is a message about an invitation (\(method)), not a calendar."
        guard method != "ADD" else {
            return .init(file: path, line: calendar.number, reason: reason)
        }
        return .init(
            file: path, line: calendar.number, reason: reason, advice: .calendars(.receiveMail))
    }

    /// Warnings about parts that are not read as their author meant them, that other programs may
    /// reject, and about damage to the file.
    private func warnings(
        on reading: CalendarReading, of path: String
    ) -> [ImportReport.Skipped] {
        reading.check(by: surroundings.zones).parts(of: path) {
            ImportReport.Skipped(
                file: path, line: $0.line, reason: RemarkText($0.message), count: $1)
        } + unknownZones(in: reading, of: path)
    }

    /// Warnings about start times in unknown zones, so that no zone is guessed silently.
    private func unknownZones(
        in reading: CalendarReading, of path: String
    ) -> [ImportReport.Skipped] {
        reading.entries(by: surroundings.zones).compactMap { entry in
            // Where the calendar has a zone of its own, `calendar check` says so.
            guard let start = entry.start, start.zone == nil, let unknown = start.unknownZone
            else { return nil }
            return ImportReport.Skipped(
                file: path, line: entry.component.line("DTSTART")?.number,
                reason: "its start is in the unknown time zone \"\(unknown)\", so the time is "
                    + "read as a time in \(zone.id)")
        }
    }
}

extension CalendarObjectName {
    /// The name of the series that an event continues; the name itself if it continues none.
    fileprivate var ofSeries: CalendarObjectName {
        CalendarObjectName(kind: kind, uid: CalendarObject.wholeUID(of: uid) ?? uid)
    }
}
