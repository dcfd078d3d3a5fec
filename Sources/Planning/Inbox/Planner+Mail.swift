import Agenda
import Interchange
import Ledger
import Storage
import Timekeeping
import Wording

/// What became of a mail that came in.
public struct MailReceipt: Encodable, Sendable {
    /// What was done.
    public enum Outcome: String, Encodable, Sendable {
        /// Somebody's answer was taken.
        case answered
        /// Another time was noted that somebody proposes, with what they answered.
        case proposed
        /// A mail that came back was noted.
        case bounced
        /// Nothing.
        case ignored
    }

    /// What was done.
    public let outcome: Outcome
    /// The meeting's id; `null` where none was found.
    @Null public var meeting: String?
    /// The meeting's title.
    @Null public var title: String?
    /// Whose answer it was, or whose address.
    @Null public var person: String?
    /// What they answered.
    @Null public var answer: String?
    /// When they would rather meet.
    @Null public internal(set) var proposed: MeetingView.Period?
    /// Why nothing was done, or what came back; empty where there is nothing to say.
    public let reason: String

    static func ignored(_ reason: String, _ meeting: Meeting? = nil) -> MailReceipt {
        var receipt = MailReceipt(outcome: .ignored, reason: reason)
        receipt.meeting = meeting?.id.text
        receipt.title = meeting?.title
        return receipt
    }
}

extension Planner {
    /// The most octets of a mail that comes in.
    public static let mailOctetsMax = ReceivedMail.octetsMax

    /// Takes a mail that came in: an answer or another time proposed by a calendar program, an
    /// answer by words, or a mail that came back. What cannot be understood, or does not hold,
    /// changes nothing, and nobody is written to because of it: answers to answers have no end.
    ///
    /// - Parameters:
    ///   - octets: the whole mail, as it came.
    ///   - isKept: whether it may be read again: then one that does not say when it was written is
    ///     no answer, for it would count as one that is given now.
    /// - Returns: what became of it.
    /// - Throws: ``Refusal``, ``StoreError`` where the mail may be handed over again later.
    public func receiveMail(
        _ octets: [UInt8], isKept: Bool = false
    ) async throws -> MailReceipt {
        try checkIsOwner(to: "hand mail over")
        guard !octets.isEmpty else { return .ignored("there is no mail") }
        guard octets.count <= ReceivedMail.octetsMax else {
            return .ignored("the mail is larger than 10 MiB")
        }
        let mail = ReceivedMail(octets)
        if let report = BounceReport(mail) { return try await receive(report) }
        switch MailReading.answer(in: mail, now: isKept ? nil : now) {
        case .success(let answer): return try await receive(answer, by: mail)
        case .failure(let obstacle): return .ignored(obstacle.reason)
        }
    }

    private func receive(
        _ answer: MailedAnswer, by mail: ReceivedMail
    ) async throws -> MailReceipt {
        guard let all = try await store.meetingBundle(answer.meeting),
            answer.uid.map({ $0 == all.meeting.uid }) ?? true
        else { return .ignored("no meeting here is meant") }
        guard let (bundle, date) = meant(by: answer, in: all) else {
            return .ignored("it is about another date than that of the meeting", all.meeting)
        }
        let meeting = bundle.meeting
        let readers = MailReaders(bundle, known: try await store.mailNames(in: meeting.id))
        let replies = try surroundings.replyAddresses()
        let found =
            replies.map { readers.signer(of: answer, in: mail, by: $0) }
            ?? readers.author(of: answer)
        switch found {
        case .failure(let obstacle): return .ignored(obstacle.reason, meeting)
        case .success(let found):
            if let obstacle = obstacle(to: answer, of: found.person.id, in: bundle) {
                return .ignored(obstacle, meeting)
            }
            return try await record(
                answer, of: found, isSigned: replies != nil, on: date, in: bundle)
        }
    }

    /// What is known of the meeting that is meant, or of one date of a series, with its name; `nil`
    /// where it has no such date.
    private func meant(
        by answer: MailedAnswer, in bundle: MeetingBundle
    ) -> (MeetingBundle, date: String?)? {
        let time = bundle.meeting.time
        guard let own = try? zone(named: time.zone) else { return nil }
        if let name = answer.date {
            return bundle.meeting.hasDate(named: name, in: own)
                ? bundle.meeting.date(named: name, in: own).map { (bundle.on($0, in: own), name) }
                : nil
        }
        guard let occurrence = answer.occurrence else { return (bundle, nil) }
        guard
            let start = occurrence.moments(
                by: surroundings.zones, else: own, lasting: time.duration)?.start
        else { return nil }
        guard bundle.meeting.series != nil else {
            return start == time.startsAt ? (bundle, nil) : nil
        }
        return bundle.meeting.date(originallyAt: start, in: own).map {
            (bundle.on($0, in: own), $0.name)
        }
    }

    private func record(
        _ mailed: MailedAnswer, of found: MailReaders.Found, isSigned: Bool, on date: String?,
        in bundle: MeetingBundle
    ) async throws -> MailReceipt {
        let (meeting, person) = (bundle.meeting, found.person)
        let stamp = ReplyStamp(
            sequence: mailed.sequence ?? bundle.sequence(for: person.id), at: mailed.givenAt)
        let number: Identifier<Answer> = surroundings.chance.id()
        let proposed = proposal(mailed.period, for: meeting, name: number.text)
        if case .unusable(let why) = proposed, found.answer == nil {
            return .ignored(why, meeting)
        }
        let guest = acting(as: person)
        let deed = found.answer.map { "answered: \($0.rawValue)" } ?? "proposed another time"
        let outcome: MeetingOutcome
        do {
            outcome = try await guest.revise(
                meeting.id, on: date, nil, reason: "\(person.name) \(deed)", saving: true
            ) { draft in
                // Another program may have taken the same mail a moment ago.
                if let obstacle = obstacle(to: mailed, of: person.id, in: draft.before) {
                    throw Refusal(.refused, code: "stale_answer", obstacle)
                }
                try guest.checkIsAhead(draft.meeting, verb: "answered")
                if let answer = found.answer {
                    // What was said with another answer is said no more.
                    let old = draft.participants.first { $0.person == person.id }
                    let isSame = old?.answer == answer && mailed.note.isEmpty
                    try draft.answer(
                        answer, of: person, by: person, plus: nil,
                        note: isSame ? nil : mailed.note)
                }
                draft.noteMail(
                    stamp, answering: found.answer != nil, isSigned: isSigned, of: person)
                if case .usable(let proposal) = proposed {
                    draft.note(proposal, isSigned: isSigned, of: person, mailed.note)
                }
                try guest.tell(of: person, in: &draft, by: person, number: number.text)
            }
        } catch let refusal as Refusal {
            return .ignored(refusal.message, meeting)
        } catch let violation as RuleViolation {
            return .ignored(Refusal(violation).message, meeting)
        }
        return receipt(of: outcome, person, proposed)
    }

    private func receipt(
        of outcome: MeetingOutcome, _ person: Person, _ proposed: ProposedTime
    ) -> MailReceipt {
        let said = outcome.meeting.participants.first { $0.id == person.id.text }
        var reason = ""
        if case .unusable(let why) = proposed { reason = why }
        var receipt = MailReceipt(
            outcome: said?.proposed == nil ? .answered : .proposed, reason: reason)
        receipt.meeting = outcome.meeting.id
        receipt.title = outcome.meeting.title
        receipt.person = person.name
        receipt.answer = said?.answer
        receipt.proposed = said?.proposed
        return receipt
    }

    /// What a mail proposes.
    private enum ProposedTime {
        /// Nothing, or the time that is set.
        case none
        /// A time to which the meeting can be moved.
        case usable(Proposal)
        /// A time to which it cannot, and why.
        case unusable(String)
    }

    private func proposal(
        _ period: CalendarPeriod?, for meeting: Meeting, name: String
    ) -> ProposedTime {
        guard let period else { return .none }
        let time = meeting.time
        let times = (try? zone(named: time.zone)).flatMap { own in
            period.moments(by: surroundings.zones, else: own, lasting: time.duration)
        }
        guard let (starts, ends) = times else {
            return .unusable("the time that it proposes cannot be understood")
        }
        guard starts != time.startsAt || ends != time.endsAt else {
            return .unusable("it proposes the time that is set")
        }
        do throws(RuleViolation) {
            try MeetingRules.check(start: starts, now: now)
            let seconds = Int(clamping: ends.milliseconds(since: starts) / 1000)
            try MeetingRules.check(duration: TimeSpan(days: 0, seconds: seconds))
        } catch {
            return .unusable(
                error.code == "start_in_past"
                    ? "the time that it proposes has passed"
                    : "no meeting can be at the time that it proposes")
        }
        return .usable(Proposal(name: name, startsAt: starts, endsAt: ends))
    }

    /// How much the clock of who answers may differ from this one, in seconds.
    private static let clockSlackSeconds: Int64 = 600
    /// How far ahead of this one a clock may be that is believed, in seconds: a day.
    private static let clockLeadSecondsMax: Int64 = 86_400

    /// Why an answer does not count that came late, or twice, or cannot be.
    private func obstacle(
        to answer: MailedAnswer, of person: PersonID, in bundle: MeetingBundle
    ) -> String? {
        let current = bundle.sequence(for: person)
        let stamp = ReplyStamp(sequence: answer.sequence ?? current, at: answer.givenAt)
        guard stamp.sequence >= current else {
            return "it answers to how the meeting was before it was changed"
        }
        guard stamp.sequence <= bundle.sequenceMax(for: person) else {
            return "it answers to what was never sent"
        }
        guard stamp.at <= now.advanced(bySeconds: Self.clockLeadSecondsMax) else {
            return "it was given at a time that has not come"
        }
        let participant = bundle.participants.first { $0.person == person }
        let isOld = participant.map { self.isOld(stamp, after: $0) } ?? false
        return isOld ? "a later answer of theirs came before, or the same" : nil
    }

    /// Whether somebody has answered since, or with the same mail.
    private func isOld(_ stamp: ReplyStamp, after participant: Participant) -> Bool {
        guard let notedAt = participant.notedAt else {
            return participant.reply.map { stamp <= $0 } ?? false
        }
        if let reply = participant.reply, stamp <= reply {
            // A clock that was ahead is believed no further than to the moment when its mail came:
            // else no honest one would be heard until then.
            let wasAhead = reply.at > notedAt && reply.sequence == stamp.sequence
            guard wasAhead, stamp.at > notedAt, stamp.at <= now else { return true }
        }
        return stamp.at < notedAt.advanced(bySeconds: -Self.clockSlackSeconds)
    }

    // MARK: Mails that came back

    private func receive(_ report: BounceReport) async throws -> MailReceipt {
        guard let identity = report.messageID, identity.hasSuffix("@letsmeet") else {
            return .ignored("what came back is no mail of ours")
        }
        var filter = LedgerFilter(limit: 1)
        filter.keyPrefix = String(identity.dropLast("@letsmeet".count))
        // What was never sent cannot come back.
        guard let row = try await store.deliveries(filter).first?.row,
            row.identity == identity, row.key.channel == SinkKind.mail.name, row.mayHaveArrived,
            let receiver = report.receivers.first(where: { receiver in
                receiver.addresses.contains {
                    MailReading.key($0) == MailReading.key(row.key.address)
                }
            })
        else { return .ignored("what came back is no mail of ours") }
        let words = [receiver.status, receiver.words].filter { !$0.isEmpty }
            .joined(separator: " ")
        let reason = "\(receiver.isFinal ? "came back" : "is late"): \(words)"
        let failures = try await store.noteBounce(
            of: row.name, because: reason,
            // Whoever reads a list knows what its mails are called, and could silence it.
            suppressing: row.key.notification.receiver.person == nil
                ? nil : receiver.suppression(of: row.key.address, because: reason, now: now),
            now: now, replanning: replanning(because: "mail to an address came back"))
        guard let failures else { return .ignored("it was noted before") }
        var receipt = MailReceipt(
            outcome: .bounced,
            reason: ([reason] + failures.map { "\($0.meeting): \($0.reason)" })
                .joined(separator: "; "))
        receipt.person = row.key.address
        let meeting = row.key.notification.meeting
        receipt.meeting = meeting.isEmpty ? nil : meeting
        return receipt
    }
}

extension BounceReport.Receiver {
    /// What follows for the address: where it is none, nothing is sent there for a while; where a
    /// mail was too large or not wanted, the next one may be.
    fileprivate func suppression(
        of address: String, because reason: String, now: Moment
    ) -> Suppression? {
        let ofAddress = ["5.1.1", "5.1.2", "5.1.3", "5.1.6", "5.1.10", "5.2.1"]
        guard isFinal, ofAddress.contains(status) else { return nil }
        return Suppression(
            address: address, channel: SinkKind.mail.name, origin: .bounce, reason: reason,
            since: now,
            until: now.advanced(bySeconds: Int64(Suppression.bounceDays) * 86_400))
    }
}

extension MeetingDraft {
    /// Notes that something came by mail: an answer, for which nobody vouches where it is not
    /// signed, or less.
    fileprivate mutating func noteMail(
        _ reply: ReplyStamp, answering isAnswer: Bool, isSigned: Bool, of person: Person
    ) {
        guard let place = participants.firstIndex(where: { $0.person == person.id }) else { return }
        if isAnswer { participants[place].isUnsigned = !isSigned }
        // The latest is remembered: that mail may come once more.
        participants[place].reply = participants[place].reply.map { max($0, reply) } ?? reply
    }

    /// Notes what somebody proposes, and says with it.
    fileprivate mutating func note(
        _ proposal: Proposal, isSigned: Bool, of person: Person, _ note: String
    ) {
        guard let place = participants.firstIndex(where: { $0.person == person.id }) else { return }
        participants[place].proposal = proposal
        participants[place].proposal?.isUnsigned = !isSigned
        if !note.isEmpty { participants[place].note = note }
    }
}
