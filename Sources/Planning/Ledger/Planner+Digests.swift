public import Agenda
import Ledger
import Settings
public import Storage
public import Timekeeping
import Wording

/// The result of planning the digests of a day or a week.
public struct DigestReport: Sendable {
    /// The number of people who get one.
    public internal(set) var planned = 0
    /// The number of people for whom it would be empty.
    public internal(set) var empty = 0
    /// The number of people whose digest was planned earlier.
    public internal(set) var known = 0

    /// The result in a sentence.
    public func remark(of period: DigestPeriod) -> Remark {
        guard planned + empty + known > 0 else {
            return Remark(
                "nothing to do: nobody has chosen \(period.rawValue) digests",
                advice: .deliveries(.chooseDigest(period)))
        }
        let more = known > 0 ? ", \(known) planned earlier" : ""
        return Remark("\(TimeWords.count(planned, "digest")) planned, \(empty) empty\(more)")
    }
}

extension Planner {
    /// The number of people that are loaded at once.
    private static let digestPageRows = 200
    /// The maximum number of times that a digest is composed.
    private static let digestTriesMax = 5
    /// The maximum number of meetings of each kind in a digest, and of messages.
    private static let digestLinesMax = 50

    /// Plans a digest for everybody who has chosen this period. It contains the coming meetings,
    /// the open invitations, and the messages held back by the person's quiet hours, which are
    /// not sent separately any more. An empty digest is not sent.
    ///
    /// - Parameters:
    ///   - period: the period.
    ///   - nominal: the nominal time of the run; each person gets one digest for each day.
    ///   - next: the time of the next digest; `nil` for one period later.
    ///   - line: the time zone that defines a day; `nil` for the time zone of the crontab.
    /// - Returns: the result.
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
                    mark: NotificationMark(digest: period.rawValue, day: day))
                // If a held message was sent meanwhile, the digest is composed again.
                for _ in 1...Self.digestTriesMax {
                    if try await plan(digest, templates, &report) { break }
                }
            }
            last = readers.count == Self.digestPageRows ? readers.last?.id : nil
        } while last != nil
        return report
    }

    /// The digest of one person.
    private struct Digest {
        let period: DigestPeriod
        let reader: Person
        let nominal: Moment
        let next: Moment?
        let mark: NotificationMark
    }

    /// - Returns: true if the digest is done, false if it must be composed again.
    private func plan(
        _ digest: Digest, _ templates: TemplateLibrary, _ report: inout DigestReport
    ) async throws -> Bool {
        let reader = digest.reader
        let zone = try reader.zone.flatMap { try? self.zone(named: $0) } ?? surroundings.crontabZone
        let hours = try await store.sendingHours(of: reader.id)?.hours ?? .always
        let end = digest.period.span.after(digest.nominal, in: zone)
        let deadline = digest.next ?? end
        // A digest that would arrive after the next one is left to the next one.
        guard max(now, hours.opening(from: now, in: zone)) < deadline else {
            report.empty += 1
            return true
        }
        let notes = try await store.heldNotes(to: reader.id, now: now, limit: Self.digestLinesMax)
        let since = digest.period.span.before(zone.wallTime(at: digest.nominal), in: zone)
        let facts = DigestFacts(
            digest.period, for: reader.name, in: zone, from: digest.nominal,
            meetings: try await lines { filter in
                filter.comer = reader.id
                filter.startsBefore = end
            }, unanswered: try await lines { $0.silent = reader.id },
            notes: notes.map { .init(title: $0.title, author: $0.author, text: $0.text) },
            ignored: try await ignoredAnswers(to: reader, since: since),
            birthdays: try await birthdays(
                of: reader, from: zone.wallTime(at: digest.nominal).date,
                days: digest.period.span.days
            ).map(\.fact), imports: try await imports(for: reader, since: since))
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

    /// For the owner, the scheduled imports of contacts that have remarks after their numbers.
    private func imports(
        for reader: Person, since: Moment
    ) async throws -> [DigestFacts.ImportFact] {
        guard reader.id == owner.id else { return [] }
        let runs = try await store.runs(
            of: "contacts%sync", endedSince: since, limit: Self.digestLinesMax)
        return runs.filter { $0.detail.contains("\n") }.compactMap { run in
            run.endedAt.map { DigestFacts.ImportFact(at: $0, report: run.detail) }
        }
    }

    /// The answers by mail to a person's meetings that were not taken. The owner also gets those
    /// of which the meeting is not known.
    private func ignoredAnswers(
        to reader: Person, since: Moment
    ) async throws -> [DigestFacts.IgnoredAnswer] {
        let mails = try await store.ignoredMails(
            since: since, organizer: reader.id, isOwner: reader.id == owner.id, only: .answer,
            limit: Self.digestLinesMax)
        let bundles = try await store.meetingBundles(Array(Set(mails.compactMap(\.meeting))))
        return mails.map { mail in
            DigestFacts.IgnoredAnswer(
                sender: mail.sender, subject: mail.subject,
                title: bundles.first { $0.meeting.id == mail.meeting }?.meeting.title,
                reason: mail.reason)
        }
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
                at: try zone(named: meeting.zone), place: meeting.place, turnout: meeting.turnout)
        }
    }

    /// A message that is not about a meeting, with its deliveries through all enabled sinks, and
    /// into the inbox if the reader has one: then `unwanted` holds the kinds that they do not want
    /// there. It is due now, unless another moment is given.
    func delivery(
        _ kind: NotificationKind, to reader: Person, mark: NotificationMark, due: Moment? = nil,
        until deadline: Moment,
        hours: LocalHours, _ notification: NotificationText, told: [HeldMessage] = [],
        own: [OwnChannel], unwanted: Set<NotificationKind>? = nil
    ) -> PreparedMessage {
        let key = NotificationKey(
            meeting: "", occurrence: "", person: reader.id.text, kind: kind, mark: mark)
        var directory = ChannelDirectory(
            sinks: sinks, addresses: [reader.id.text: reader.address])
        directory.own = own
        directory.inboxes[reader.id] = unwanted
        let rows = directory.rows(
            for: PlannedNotification(
                key: key, due: due ?? now, deadline: deadline, isNew: true), now: now)
        let isReachable = rows.contains { $0.state == .planned }
        return PreparedMessage(
            rows: rows.map {
                $0.state == .planned ? $0.timed(by: hours, starts: nil, now: now) : $0
            }, author: owner.id, text: notification.whole, told: isReachable ? told : [])
    }

    /// The time for which an alarm may still be sent, in days.
    private static let alarmDays = 7

    /// An alarm to the owner about a failed job. Alarms of one line within an hour have the same
    /// mark, so that only one of them is sent.
    ///
    /// - Parameters:
    ///   - job: the job as it was typed.
    ///   - line: the name of its line.
    ///   - reason: the reason for the failure.
    /// - Returns: the message, with its deliveries through all enabled sinks.
    /// - Throws: ``TemplateFault`` if even the shipped template cannot be read, or an error of the
    ///   store.
    public func alarm(job: String, line: String, reason: String) async throws -> PreparedMessage {
        let templates = try surroundings.templateLibrary()
        let notification = templates.notification(
            AlarmFacts(job: job, for: owner.name, at: now, in: zone, reason: reason), for: owner)
        // A line may contain private words, so the mark does not contain its name.
        let mark = NotificationMark(alarm: line, at: now)
        return delivery(
            .alarm, to: owner, mark: mark,
            until: TimeSpan(days: Self.alarmDays, seconds: 0).after(now, in: zone),
            hours: LocalHours(
                try await store.sendingHours(of: owner.id)?.hours ?? .always, in: zone),
            notification,
            own: try await store.ownChannels(of: owner.id))
    }
}
