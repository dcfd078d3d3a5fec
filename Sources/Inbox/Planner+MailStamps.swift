import Interchange
import Agenda
import Ledger
import Planning
import Storage
import Timekeeping

/// Decides which of several answers by mail counts.
extension Planner {
    /// The reason why an answer that was read before changes nothing.
    static let isRecorded = "this answer was already recorded"
    /// The reason why an answer to an old time does not count.
    static let isBeforeMove = "it answers an invitation from before the meeting was moved"
    /// The accepted difference between the author's clock and this one, in seconds.
    private static let clockSlackSeconds: Int64 = 600
    /// The longest time by which an answer may be dated in the future, in seconds: a day.
    private static let clockLeadSecondsMax: Int64 = 86_400

    /// The longest time by which a first answer may be dated before the invitation, in seconds: two
    /// days.
    private static let clockLagSecondsMax: Int64 = 2 * 86_400

    /// The reason why an answer is outdated, a duplicate or impossible; `nil` if it is valid.
    func obstacle(
        to answer: MailedAnswer, of person: PersonID, in bundle: MeetingBundle
    ) -> String? {
        let stamp = stamp(of: answer, by: person, in: bundle)
        guard
            stamp.sequence >= bundle.sequence(for: person) || isNear(stamp, of: person, in: bundle)
        else { return Self.isBeforeMove }
        guard stamp.at <= now.advanced(bySeconds: Self.clockLeadSecondsMax) else {
            return "it is dated in the future"
        }
        return bundle.participants.first { $0.person == person }
            .flatMap { obstacle(to: stamp, after: $0) }
    }

    /// True if an answer to an earlier notification holds: no start of which people were told since
    /// is far from the present one.
    private func isNear(
        _ stamp: ReplyStamp, of person: PersonID, in bundle: MeetingBundle
    ) -> Bool {
        let starts = bundle.startsTold(since: stamp.sequence, to: person)
        guard let own = try? zone(named: bundle.meeting.time.zone), !starts.isEmpty else {
            return false
        }
        let time = bundle.meeting.time
        let move = MeetingMove(from: time, to: time, in: own)
        return !starts.contains { move.isLarge(from: $0) }
    }

    /// The SEQUENCE of the notification that a mail answers, and the start in it if the meeting has
    /// moved since.
    func seen(
        by answer: MailedAnswer, of person: PersonID, in bundle: MeetingBundle
    ) -> (sequence: Int, start: Moment?) {
        let stamp = stamp(of: answer, by: person, in: bundle)
        let start = bundle.startsTold(since: stamp.sequence, to: person).first
        return (
            sequence(
                of: answer, by: person, in: bundle, upTo: bundle.sequenceMax(for: person)),
            start == bundle.meeting.time.startsAt ? nil : start
        )
    }

    /// The stamp of an answer. Some programs count the SEQUENCE up in their replies, so a higher
    /// number than the present one stands for that.
    func stamp(
        of answer: MailedAnswer, by person: PersonID, in bundle: MeetingBundle
    ) -> ReplyStamp {
        ReplyStamp(
            sequence: sequence(
                of: answer, by: person, in: bundle, upTo: bundle.sequence(for: person)),
            at: answer.givenAt, mail: answer.digest)
    }

    private func sequence(
        of answer: MailedAnswer, by person: PersonID, in bundle: MeetingBundle, upTo last: Int
    ) -> Int {
        let current = bundle.sequence(for: person)
        let isPresent = start(in: answer, to: bundle) == bundle.meeting.time.startsAt
        guard !isPresent else { return current }
        let stated = answer.sequence.map { min($0, last) } ?? current
        let known = sequenceKnown(to: answer, by: person, in: bundle) ?? stated
        return min(stated, known)
    }

    /// The last SEQUENCE that the author can have known, whatever SEQUENCE the mail states: by the
    /// start in the mail, or by its date; `nil` if neither says anything.
    private func sequenceKnown(
        to answer: MailedAnswer, by person: PersonID, in bundle: MeetingBundle
    ) -> Int? {
        if let start = start(in: answer, to: bundle), start != bundle.meeting.time.startsAt,
            let number = bundle.sequence(of: start, for: person)
        {
            return number
        }
        guard let writtenAt = answer.writtenAt, let toldAt = bundle.changeTold(to: person),
            writtenAt < toldAt.advanced(bySeconds: -Self.clockSlackSeconds)
        else { return nil }
        return bundle.sequence(for: person) - 1
    }

    /// The start of the meeting as the author's program knows it; `nil` if the mail does not say.
    /// That of a date tells nothing of the series, which an answer to later dates is about, too.
    private func start(in answer: MailedAnswer, to bundle: MeetingBundle) -> Moment? {
        let time = bundle.meeting.time
        guard !answer.isAndLater || bundle.meeting.series == nil,
            let own = try? zone(named: time.zone)
        else { return nil }
        return answer.start?.moments(by: surroundings.zones, else: own, lasting: time.duration)?
            .start
    }

    /// The reason why a participant's answer of this stamp does not count any more.
    ///
    /// An answer that was written later counts, whatever its SEQUENCE: programs copy old numbers,
    /// or count them up. One to a later state counts even if its clock is slow.
    func obstacle(to stamp: ReplyStamp, after participant: Participant) -> String? {
        let notedAt = participant.notedAt
        if let reply = participant.reply, stamp.isRepeat(of: reply) {
            // Of two mails that were written in the same second, the one that arrives later counts.
            guard let mail = reply.mail, mail != stamp.mail else {
                return Self.isRecorded
            }
        } else if let reply = participant.reply, stamp.precedes(reply) {
            // A previous answer that was dated in the future counts from the time it was recorded.
            // Otherwise no correctly dated answer would count until then.
            let wasAhead = notedAt.map { reply.at > $0 } ?? false
            guard wasAhead, let notedAt, stamp.at > notedAt, stamp.at <= now else {
                return "a later answer by mail was already recorded, written on "
                    + Timestamp(reply.at, reader: zone).words
            }
        }
        // The times of two mails were compared above, and that of arrival says nothing.
        guard participant.reply?.mail == nil else { return nil }
        // Nobody can answer before the invitation, so the clock of a first answer may be slow.
        let isFirst = participant.answer == .invited
        let slack = isFirst ? Self.clockLagSecondsMax : Self.clockSlackSeconds
        guard let notedAt, stamp.at < notedAt.advanced(bySeconds: -slack) else { return nil }
        let what = isFirst ? "invitation" : "answer"
        return "a later \(what) was recorded on \(Timestamp(notedAt, reader: zone).words), and "
            + "the mail was written on \(Timestamp(stamp.at, reader: zone).words)"
    }
}

extension MeetingBundle {
    /// The SEQUENCE of the last notification with a start; `nil` if there was none.
    fileprivate func sequence(of start: Moment, for person: PersonID) -> Int? {
        let current = meeting.series?.sequence ?? meeting.sequence
        let starts = ownDateStarts ?? toldStarts
        return starts.filter { $0.value == start && $0.key < meeting.revision }.keys.max().map {
            $0 - 1 + sequence(for: person) - current
        }
    }

    /// The time from which a person could read of the last change; `nil` if there was none. A
    /// change of one date is none of the series.
    fileprivate func changeTold(to person: PersonID) -> Moment? {
        let revision = meeting.series?.revision ?? meeting.revision
        return rows.filter { row in
            let key = row.key.notification
            return [.invitation, .change].contains(key.kind)
                && key.receiver == .person(person.text)
                && (meeting.series == nil || key.occurrence.isEmpty)
                && key.mark.news.revision == max(2, revision)
        }.map(\.due).min()
    }

    /// The starts in the notifications from one with a SEQUENCE on, the earliest first; empty if
    /// they are not known. A person's own SEQUENCE may be ahead of that of the meeting.
    fileprivate func startsTold(since sequence: Int, to person: PersonID) -> [Moment] {
        let current = meeting.series?.sequence ?? meeting.sequence
        let own = sequence - (self.sequence(for: person) - current)
        // Each SEQUENCE came with a revision of its own, unless only a title was announced.
        let revision = own + 1
        if let starts = ownDateStarts {
            // A revision is higher than the SEQUENCE that came with it, except in imported series.
            let last = starts.keys.max() ?? 0
            guard own < current else { return starts[last].map { [$0] } ?? [] }
            guard last > current else { return [] }
            let first = starts.keys.filter { $0 <= revision }.max() ?? 0
            return starts.filter { $0.key >= first }.sorted { $0.key < $1.key }.map(\.value)
        }
        let isExact = meeting.revision == meeting.sequence + 1
        var starts = toldStarts
        if let toldFacts { starts[meeting.revision] = toldFacts.time.startsAt }
        return starts.filter { isExact ? $0.key == revision : $0.key >= revision }
            .sorted { $0.key < $1.key }.map(\.value)
    }

    /// The starts that revisions announced for the date of a series that this bundle is about;
    /// `nil` for a whole meeting.
    private var ownDateStarts: [Int: Moment]? {
        meeting.series == nil ? dateStarts.values.first : nil
    }
}

/// Answers to all dates of a series, some of which have moved since.
extension Planner {
    /// The old starts of the dates whose last move the author of an answer to the whole series
    /// cannot have known, by the names of the dates.
    func startsKnown(
        to answer: MailedAnswer, by person: PersonID, in bundle: MeetingBundle
    ) -> [String: Moment] {
        guard let writtenAt = answer.writtenAt, let changes = bundle.meeting.series?.changes,
            let own = try? zone(named: bundle.meeting.time.zone)
        else { return [:] }
        let latest = writtenAt.advanced(bySeconds: Self.clockSlackSeconds)
        var starts: [String: Moment] = [:]
        for (name, change) in changes where change.time != nil {
            guard let date = bundle.meeting.date(named: name, in: own),
                let told = bundle.on(date, in: own).dateStarts[name],
                let moved = told.keys.sorted().last(where: { told[$0] != date.time.startsAt }),
                let toldAt = bundle.moveTold(of: name, since: moved, to: person), latest < toldAt
            else { continue }
            starts[name] = told[moved]
        }
        return starts
    }
}

extension MeetingBundle {
    /// The time from which a person could read of a later change of a date than a revision; `nil`
    /// if there was none.
    fileprivate func moveTold(of date: String, since revision: Int, to person: PersonID) -> Moment?
    {
        rows.filter { row in
            let key = row.key.notification
            return [.invitation, .change].contains(key.kind)
                && key.receiver == .person(person.text) && key.occurrence == date
                && key.mark.news.revision > revision
        }.map(\.due).min()
    }
}

extension ReplyStamp {
    /// True if both are of the same mail, or of mails of the same time of which this one does not
    /// answer a later state.
    fileprivate func isRepeat(of other: ReplyStamp) -> Bool {
        at == other.at && (mail == other.mail || sequence <= other.sequence)
    }

    /// True if this answer was written before another one, and does not answer a later state.
    fileprivate func precedes(_ other: ReplyStamp) -> Bool {
        at < other.at && sequence <= other.sequence
    }
}
