import Agenda
import Interchange
import Ledger
import Secrets
import Storage
import Synchronization
import Timekeeping

extension Planner {
    /// So many things are saved in one transaction.
    private static let importObjectsMax = 200

    /// Reads calendar files: of each event in them a meeting is made to which nobody is asked, and
    /// what no meeting can be made of is kept as it stands. What was read before is brought up to
    /// date, never doubled.
    ///
    /// - Parameters:
    ///   - paths: the files; `-` for standard input.
    ///   - progress: told now and then how many were saved, of how many.
    /// - Returns: what became of what they hold.
    /// - Throws: ``Refusal`` with `unreadable_file`, or `nothing_read` where there is nothing.
    public func importCalendars(
        _ paths: [String], progress: (_ done: Int, _ of: Int) -> Void = { _, _ in }
    ) async throws -> CalendarImportReport {
        var report = CalendarImportReport()
        var found: [ReadObject] = []
        for path in paths {
            let reading = CalendarReader.read(try NamedFile(path: path).octets())
            report.warnings += warnings(on: reading, of: path)
            for calendar in reading.calendars {
                let method = calendar.line("METHOD")?.plainText.uppercased() ?? "PUBLISH"
                guard !Self.answers.contains(method) else {
                    report.skipped.append(
                        .init(
                            file: path, line: calendar.number,
                            reason: "it is no calendar but a message, \(method): let letsmeet "
                                + "mail receive read it"))
                    continue
                }
                found += ReadObject.all(
                    in: calendar, file: path, isOff: method == "CANCEL", by: surroundings.zones)
            }
        }
        report.warnings += doubts(about: found)
        found += try await endedContinuations(besides: found)
        report.read = found.count
        guard !found.isEmpty || !report.skipped.isEmpty else { throw Self.nothingRead(report) }
        for start in stride(from: 0, to: found.count, by: Self.importObjectsMax) {
            let chunk = Array(found[start..<min(start + Self.importObjectsMax, found.count)])
            for (object, outcome) in zip(chunk, try await save(chunk)) {
                report.take(outcome, of: object)
            }
            progress(start + chunk.count, found.count)
        }
        return report
    }

    /// What went on from some date of things that are read, and does not any more.
    private func endedContinuations(besides found: [ReadObject]) async throws -> [ReadObject] {
        let wholes = Dictionary(
            found.filter(\.object.isWhole).map { ($0.name.uid, $0) }, uniquingKeysWith: { $1 })
        let known = try await store.calendarContinuations(of: actor.id)
        return known.compactMap { uid in
            guard wholes[uid] == nil, let whole = CalendarObject.wholeUID(of: uid) else {
                return nil
            }
            return wholes[whole]?.ending(uid)
        }
    }

    /// What is not read as its author meant it, and how the file is damaged.
    private func warnings(
        on reading: CalendarReading, of path: String
    ) -> [ImportReport.Skipped] {
        let errors = reading.check(by: surroundings.zones).filter { $0.severity == .error }
        let damages = reading.problems.filter { $0.severity == .warning }
        return (errors + damages).map {
            ImportReport.Skipped(file: path, line: $0.line, reason: $0.message)
        } + unknownZones(in: reading, of: path)
    }

    /// Nobody's hours are guessed in silence.
    private func unknownZones(
        in reading: CalendarReading, of path: String
    ) -> [ImportReport.Skipped] {
        let found = reading.entries(by: surroundings.zones).compactMap { entry in
            entry.start?.unknownZone.map {
                ImportReport.Skipped(
                    file: path, line: entry.component.line("DTSTART")?.number,
                    reason: "it begins by the clocks of \($0), a zone that nobody knows: the time "
                        + "is taken for one of \(zone.id)")
            }
        }
        return Array(found.prefix(CalendarReader.problemsMax))
    }

    /// What meetings do not have as the calendar has it.
    private func doubts(about found: [ReadObject]) -> [ImportReport.Skipped] {
        let meetings = CalendarMeetings(
            own: zone, directory: surroundings.zones, organizer: actor.id, address: actor.address)
        let doubts = found.lazy.flatMap { read in
            meetings.doubts(about: read.object).map { reason in
                ImportReport.Skipped(
                    file: read.file, line: read.object.number,
                    reason: "\(read.object.title) \(reason)")
            }
        }
        return Array(doubts.prefix(CalendarReader.problemsMax))
    }

    /// The methods of messages to those who plan a meeting, and of an answer to one of them.
    private static let answers: Set = ["REPLY", "COUNTER", "REFRESH", "DECLINECOUNTER", "ADD"]

    private static func nothingRead(_ report: CalendarImportReport) -> Refusal {
        let reasons = report.warnings.prefix(5).map { part in
            "\(part.file)\(part.line.map { ", line \($0)" } ?? ""): \(part.reason)"
        }
        let sentence = "There is no event, and nothing else that a calendar could hold."
        return Refusal(
            .invalid, code: "nothing_read", ([sentence] + reasons).joined(separator: "\n  "))
    }

    private func save(_ chunk: [ReadObject]) async throws -> [CalendarImportOutcome] {
        let now = self.now
        let meetings = CalendarMeetings(
            own: zone, directory: surroundings.zones, organizer: actor.id, address: actor.address)
        // Each is read once more where the store runs the transaction anew.
        let outcomes = Mutex<[Int: CalendarImportOutcome]>([:])
        try await store.importCalendarObjects(
            chunk.map(\.name), owner: actor.id, now: now
        ) { place, state in
            let (change, outcome) = try imported(chunk[place], state, by: meetings, now: now)
            outcomes.withLock { $0[place] = outcome }
            return change
        }
        let found = outcomes.withLock(\.self)
        return chunk.indices.map { found[$0] ?? .unchanged }
    }

    /// What becomes of a thing that a calendar holds.
    private func imported(
        _ read: ReadObject, _ state: CalendarObjectState, by meetings: CalendarMeetings,
        now: Moment
    ) throws -> (CalendarObjectChange, CalendarImportOutcome) {
        let known = state.text.flatMap(CalendarObject.init(text:))
        let object = known.map { read.following($0, by: surroundings.zones) } ?? read.object
        let text = CalendarObjectText(object)
        let isKnown =
            text.text == state.text && text.takesTime == state.takesTime
            && text.nature == state.nature
        guard !isKnown else { return (.none, .unchanged) }
        if let known, read.object.isOlder(than: known) {
            return (.none, .skipped("is older than what was read before"))
        }
        let id = state.bundle?.meeting.id ?? surroundings.chance.id()
        do throws(Unplanned) {
            // What is somebody else's has its name for ever.
            let uid = state.isTaken ? "\(object.uid)+for=\(actor.id.text)" : object.uid
            let meeting = try meetings.planned(of: object, id: id, uid: uid, now: now)
            guard let bundle = state.bundle else {
                return (try made(meeting, wishes: state.wishes, text, now: now), .imported)
            }
            let (change, outcome) = try updated(
                bundle, to: meeting, text, isRead: state.text != nil, now: now)
            let isSame = known?.saysSame(as: object, by: surroundings.zones) == true
            return (change, isSame ? .unchanged : outcome)
        } catch {
            guard let bundle = state.bundle else {
                return (.kept(text), .kept(error.reason))
            }
            guard error == .off else { return (.none, .skipped(error.reason)) }
            var meeting = bundle.meeting
            meeting.status = .cancelled
            meeting.sequence = max(meeting.sequence, object.sequence)
            return try updated(bundle, to: meeting, text, isRead: state.text != nil, now: now)
        }
    }

    private func made(
        _ meeting: Meeting, wishes: PersonalWishes, _ text: CalendarObjectText, now: Moment
    ) throws(Unplanned) -> CalendarObjectChange {
        let bundle = MeetingBundle(
            meeting: meeting, participants: [Participant(person: actor.id, answer: .going)],
            people: [actor.id: actor], wishes: wishes)
        var draft = MeetingDraft(bundle)
        draft.isQuiet = true
        return .made(try plan(draft, .created, now: now), text)
    }

    /// A meeting that is here already becomes as the file says, unless others count on it.
    private func updated(
        _ bundle: MeetingBundle, to meeting: Meeting, _ text: CalendarObjectText, isRead: Bool,
        now: Moment
    ) throws(Unplanned) -> (CalendarObjectChange, CalendarImportOutcome) {
        guard !meeting.isSameInCalendars(as: bundle.meeting) else {
            return isRead
                ? (.revised(try plan(MeetingDraft(bundle), nil, now: now), text), .updated)
                : (.none, .unchanged)
        }
        let others = bundle.participants.contains { $0.person != actor.id && !$0.isRemoved }
        guard isRead, !others, bundle.meeting.organizer == actor.id else {
            return (
                .none,
                .skipped("is planned here, as \(bundle.meeting.id.text): change it with letsmeet")
            )
        }
        var draft = MeetingDraft(bundle)
        draft.isQuiet = true
        draft.take(meeting)
        return (.revised(try plan(draft, .edited, now: now), text), .updated)
    }

    private func plan(
        _ draft: MeetingDraft, _ deed: MeetingAct.Deed?, now: Moment
    ) throws(Unplanned) -> MeetingRevision {
        do {
            return try numbered(draft, deed: deed, reason: "read from a calendar file", now: now)
        } catch {
            throw Unplanned("is refused: \(error)")
        }
    }
}

/// Something that a file holds, with a name.
struct ReadObject: Sendable {
    let object: CalendarObject
    let file: String
    let name: CalendarObjectName
    /// Whether it is no more than the word that it is off.
    let isOff: Bool

    /// What is so of what was known before.
    func following(_ known: CalendarObject, by directory: ZoneDirectory) -> CalendarObject {
        isOff && object.isWhole
            ? known.cancelled(by: object) : object.following(known, by: directory)
    }

    /// So much of a hash is a name.
    private static let markBytes = 16

    /// What a calendar in a file holds. What has no name of its own is named by what it says, so
    /// that it is known when it is read again.
    ///
    /// - Parameters:
    ///   - calendar: the calendar.
    ///   - file: where it stands.
    ///   - isOff: whether it is told that all of it is off.
    ///   - directory: the zone rules of the system.
    /// - Returns: the things in it, each with a name.
    static func all(
        in calendar: CalendarComponent, file: String, isOff: Bool, by directory: ZoneDirectory
    ) -> [ReadObject] {
        CalendarObject.all(in: calendar).flatMap { $0.parts(by: directory) }.map { found in
            var object = isOff ? found.cancelled(by: found) : found
            if object.uid.isEmpty {
                let mark = SHA256.hash(Array(object.content.utf8)).prefix(Self.markBytes)
                object = object.named("\(Hexadecimal.text(mark))@letsmeet")
            }
            return ReadObject(
                object: object, file: file,
                name: CalendarObjectName(kind: object.kind, uid: object.uid), isOff: isOff)
        }
    }
}

extension ReadObject {
    /// The word that something else is off which went on from one of its dates.
    func ending(_ uid: String) -> ReadObject {
        ReadObject(
            object: object, file: file, name: CalendarObjectName(kind: name.kind, uid: uid),
            isOff: true)
    }
}

/// What became of something that was read from a calendar file.
enum CalendarImportOutcome: Sendable {
    case imported, updated, unchanged
    case kept(String), skipped(String)
}

extension CalendarImportReport {
    mutating func take(_ outcome: CalendarImportOutcome, of read: ReadObject) {
        func remark(_ reason: String) -> ImportReport.Skipped {
            .init(
                file: read.file, line: read.object.number,
                reason: "\(read.object.title) \(reason)")
        }
        switch outcome {
        case .imported: imported += 1
        case .updated: updated += 1
        case .unchanged: unchanged += 1
        case .kept(let reason): kept.append(remark(reason))
        case .skipped(let reason): skipped.append(remark(reason))
        }
    }
}

extension Unplanned {
    static let off = Unplanned("is off")
}

extension MeetingDraft {
    /// Lets it be as a calendar file says.
    fileprivate mutating func take(_ read: Meeting) {
        meeting.title = read.title
        meeting.note = read.note
        meeting.link = read.link
        meeting.place = read.place
        meeting.time = read.time
        meeting.status = read.status
        meeting.reminders = read.reminders
        meeting.sequence = max(meeting.sequence, read.sequence)
        meeting.series = read.series
        meeting.series?.revision = meeting.revision
        meeting.series?.datesRevision = meeting.revision
        for name in (read.series?.changes ?? [:]).keys {
            meeting.series?.changes[name]?.revision = meeting.revision
        }
    }
}
