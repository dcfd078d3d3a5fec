public import Agenda
import Ledger
import Settings
public import Storage
public import Timekeeping
import Wording

/// What became of the digests of a day or a week.
public struct DigestReport: Sendable {
    /// How many people get one.
    public internal(set) var planned = 0
    /// How many had nothing to read.
    public internal(set) var empty = 0
    /// How many had theirs already.
    public internal(set) var known = 0

    /// The same in a sentence.
    public var words: String {
        guard planned + empty + known > 0 else {
            return "nothing to do: nobody wants one. letsmeet remind policy set --digest daily"
        }
        let more = known > 0 ? ", \(known) had theirs already" : ""
        return "\(TimeWords.count(planned, "digest")) planned, \(empty) with nothing to say\(more)"
    }
}

extension Planner {
    /// How many people are looked at together.
    private static let digestPageRows = 200
    /// The most meetings that a digest names of each kind, and the most texts.
    private static let digestLinesMax = 50

    /// Plans a digest for everybody who wants one of this period: what comes, what waits for their
    /// answer, and what was written to them in their quiet hours, which is told there and no more
    /// by itself. Who has nothing to read gets none.
    ///
    /// - Parameters:
    ///   - period: how much time it looks over.
    ///   - nominal: the time that it stands for; each person gets one for each day.
    ///   - next: when the next one comes; `nil` for a period later.
    /// - Returns: what became of them.
    /// - Throws: ``Refusal`` with `not_allowed`.
    public func planDigests(
        _ period: DigestPeriod, for nominal: Moment, next: Moment? = nil
    ) async throws -> DigestReport {
        try checkIsOwner(to: "send digests")
        let templates = try TemplateLibrary(
            shipped: surroundings.shipped.templates, own: surroundings.home.templates,
            zones: surroundings.zones)
        var report = DigestReport()
        var last: PersonID?
        repeat {
            let readers = try await store.digestReaders(
                of: period, after: last, limit: Self.digestPageRows)
            for reader in readers {
                try Task.checkCancellation()
                try await planDigest(
                    period, to: reader, for: nominal, next: next, templates, &report)
            }
            last = readers.count == Self.digestPageRows ? readers.last?.id : nil
        } while last != nil
        return report
    }

    private func planDigest(
        _ period: DigestPeriod, to reader: Person, for nominal: Moment, next: Moment?,
        _ templates: TemplateLibrary, _ report: inout DigestReport
    ) async throws {
        let zone = try reader.zone.flatMap { try? self.zone(named: $0) } ?? surroundings.crontabZone
        let end = period.span.after(nominal, in: zone)
        let notes = try await store.heldNotes(to: reader.id, limit: Self.digestLinesMax)
        let facts = DigestFacts(
            period, for: reader.name, in: zone, from: nominal,
            meetings: try await lines { filter in
                filter.comer = reader.id
                filter.startsBefore = end
            }, unanswered: try await lines { $0.silent = reader.id },
            notes: notes.map { .init(title: $0.title, author: $0.author, text: $0.text) })
        guard !facts.isEmpty else { return report.empty += 1 }
        let day = zone.wallTime(at: nominal).date
        let isNew = try await store.plan(
            letter(
                .digest, to: reader, mark: "\(period.rawValue) \(day)", until: next ?? end,
                templates.notice(facts), told: notes.map(\.row)), now: now)
        if isNew { report.planned += 1 } else { report.known += 1 }
    }

    private func lines(
        _ narrow: (inout MeetingFilter) -> Void
    ) async throws -> [DigestFacts.Line] {
        var filter = MeetingFilter(limit: Self.digestLinesMax)
        filter.endsAfter = now
        filter.isOnlyConfirmed = true
        narrow(&filter)
        return try await store.meetings(filter).map { meeting in
            DigestFacts.Line(
                title: meeting.title, startsAt: meeting.startsAt, endsAt: meeting.endsAt,
                place: meeting.place, turnout: meeting.turnout)
        }
    }

    /// What somebody is told about no meeting, by each way that is on.
    func letter(
        _ kind: NotificationKind, to reader: Person, mark: String, until deadline: Moment,
        _ notice: Notice, told: [LedgerRow] = []
    ) -> WrittenLetter {
        let key = NotificationKey(
            meeting: "", occurrence: "", person: reader.id.text, kind: kind, mark: mark)
        let directory = ChannelDirectory(
            channels: channels, addresses: [reader.id.text: reader.address])
        return WrittenLetter(
            rows: directory.rows(
                for: PlannedNotification(key: key, due: now, deadline: deadline, isNew: true),
                now: now), author: owner.id, text: notice.whole, told: told)
    }

    /// How long a failure is news, in days.
    private static let alarmDays = 7

    /// What the owner is told of a job that failed.
    ///
    /// - Parameters:
    ///   - job: the job as it is typed.
    ///   - mark: what tells this failure from others.
    ///   - reason: why it failed.
    /// - Returns: a letter for each way that is on.
    /// - Throws: ``TemplateFault`` where not even the shipped template can be read.
    public func alarm(job: String, mark: String, reason: String) throws -> WrittenLetter {
        let templates = try TemplateLibrary(
            shipped: surroundings.shipped.templates, own: surroundings.home.templates,
            zones: surroundings.zones)
        let notice = templates.notice(
            AlarmFacts(job: job, for: owner.name, at: now, in: zone, reason: reason))
        return letter(
            .alarm, to: owner, mark: mark,
            until: TimeSpan(days: Self.alarmDays, seconds: 0).after(now, in: zone), notice)
    }
}
