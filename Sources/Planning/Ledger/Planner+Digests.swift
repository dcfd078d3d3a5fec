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
    public func words(of period: DigestPeriod) -> String {
        guard planned + empty + known > 0 else {
            return "nothing to do: nobody wants one. letsmeet remind policy set --digest "
                + period.rawValue
        }
        let more = known > 0 ? ", \(known) had theirs already" : ""
        return "\(TimeWords.count(planned, "digest")) planned, \(empty) with nothing to say\(more)"
    }
}

extension Planner {
    /// How many people are looked at together.
    private static let digestPageRows = 200
    /// How often a digest is composed anew.
    private static let digestTriesMax = 5
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
    ///   - line: by whose clocks a day is one; the owner's where it is `nil`.
    /// - Returns: what became of them.
    /// - Throws: ``Refusal`` with `not_allowed`.
    public func planDigests(
        _ period: DigestPeriod, for nominal: Moment, next: Moment? = nil, in line: Zone? = nil
    ) async throws -> DigestReport {
        try checkIsOwner(to: "send digests")
        let day = (try line ?? surroundings.crontabZone).wallTime(at: nominal).date
        let templates = try surroundings.templateLibrary()
        var report = DigestReport()
        var last: PersonID?
        repeat {
            let readers = try await store.digestReaders(
                of: period, after: last, limit: Self.digestPageRows)
            for reader in readers {
                try Task.checkCancellation()
                let digest = Digest(
                    period: period, reader: reader, nominal: nominal, next: next,
                    mark: "\(period.rawValue) \(day)")
                // What was to be told may have been sent meanwhile: then it is composed anew.
                for _ in 1...Self.digestTriesMax {
                    if try await plan(digest, templates, &report) { break }
                }
            }
            last = readers.count == Self.digestPageRows ? readers.last?.id : nil
        } while last != nil
        return report
    }

    /// One digest of one person.
    private struct Digest {
        let period: DigestPeriod
        let reader: Person
        let nominal: Moment
        let next: Moment?
        let mark: String
    }

    /// - Returns: whether that is done; not where it has to be composed anew.
    private func plan(
        _ digest: Digest, _ templates: TemplateLibrary, _ report: inout DigestReport
    ) async throws -> Bool {
        let reader = digest.reader
        let zone = try reader.zone.flatMap { try? self.zone(named: $0) } ?? surroundings.crontabZone
        let hours = try await store.policy(of: reader.id).hours
        let end = digest.period.span.after(digest.nominal, in: zone)
        let deadline = digest.next ?? end
        // What would come after the next one is left to that.
        guard max(now, hours.opening(from: now, in: zone)) < deadline else {
            report.empty += 1
            return true
        }
        let notes = try await store.heldNotes(to: reader.id, now: now, limit: Self.digestLinesMax)
        let facts = DigestFacts(
            digest.period, for: reader.name, in: zone, from: digest.nominal,
            meetings: try await lines { filter in
                filter.comer = reader.id
                filter.startsBefore = end
            }, unanswered: try await lines { $0.silent = reader.id },
            notes: notes.map { .init(title: $0.title, author: $0.author, text: $0.text) })
        guard !facts.isEmpty else {
            report.empty += 1
            return true
        }
        let delivery = delivery(
            .digest, to: reader, mark: digest.mark, until: deadline,
            hours: LocalHours(hours, in: zone), templates.notification(facts, for: reader),
            told: notes,
            own: try await store.ownChannels(of: reader.id))
        switch try await store.plan(delivery, now: now) {
        case .planned: report.planned += 1
        case .known: report.known += 1
        case .outdated: return false
        }
        return true
    }

    private func lines(
        _ narrow: (inout MeetingFilter) -> Void
    ) async throws -> [DigestFacts.Line] {
        var filter = MeetingFilter(limit: Self.digestLinesMax)
        filter.endsAfter = now
        filter.isOnlyConfirmed = true
        narrow(&filter)
        return try await summaries(filter, eachDate: filter.startsBefore != nil).map { meeting in
            DigestFacts.Line(
                title: meeting.title, startsAt: meeting.startsAt, endsAt: meeting.endsAt,
                place: meeting.place, turnout: meeting.turnout)
        }
    }

    /// What somebody is told about no meeting, by each way that is on.
    func delivery(
        _ kind: NotificationKind, to reader: Person, mark: String, until deadline: Moment,
        hours: LocalHours, _ notification: NotificationText, told: [HeldMessage] = [],
        own: [OwnChannel]
    ) -> PreparedMessage {
        let key = NotificationKey(
            meeting: "", occurrence: "", person: reader.id.text, kind: kind, mark: mark)
        var directory = ChannelDirectory(
            sinks: sinks, addresses: [reader.id.text: reader.address])
        directory.own = own
        let rows = directory.rows(
            for: PlannedNotification(key: key, due: now, deadline: deadline, isNew: true), now: now)
        let isReachable = rows.contains { $0.state == .planned }
        return PreparedMessage(
            rows: rows.map {
                $0.state == .planned ? $0.timed(by: hours, starts: nil, now: now) : $0
            }, author: owner.id, text: notification.whole, told: isReachable ? told : [])
    }

    /// How long a failure is news, in days.
    private static let alarmDays = 7

    /// What the owner is told of a job that failed; once an hour for each line, however often it
    /// fails.
    ///
    /// - Parameters:
    ///   - job: the job as it is typed.
    ///   - line: what its line is known by.
    ///   - reason: why it failed.
    /// - Returns: a letter for each way that is on.
    /// - Throws: ``TemplateFault`` where not even the shipped template can be read, or what the
    ///   store says.
    public func alarm(job: String, line: String, reason: String) async throws -> PreparedMessage {
        let templates = try surroundings.templateLibrary()
        let notification = templates.notification(
            AlarmFacts(job: job, for: owner.name, at: now, in: zone, reason: reason), for: owner)
        // A line may hold what is nobody's business; its name is in no mark.
        let mark = "\(now.utcText.prefix(13)) \(SipHash.digest(of: line).prefix(8))"
        return delivery(
            .alarm, to: owner, mark: mark,
            until: TimeSpan(days: Self.alarmDays, seconds: 0).after(now, in: zone),
            hours: LocalHours(try await store.policy(of: owner.id).hours, in: zone), notification,
            own: try await store.ownChannels(of: owner.id))
    }
}
