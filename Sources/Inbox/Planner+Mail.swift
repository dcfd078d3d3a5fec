import Agenda
import Interchange
import Ledger
public import Planning
import Storage
import Timekeeping
import Transport
import Wording

extension Planner {
    /// The size of the largest accepted mail, in octets.
    public static let mailOctetsMax = ReceivedMail.octetsMax

    /// Processes an incoming mail: an answer or a proposal of a calendar program, an answer in
    /// words, or a bounced mail. A mail that cannot be understood or is not valid changes nothing.
    /// No mail is ever answered, so that two programs cannot answer each other forever.
    ///
    /// - Parameters:
    ///   - octets: the whole mail, unchanged.
    ///   - isKept: true if the mail stays in its folder and may be read again. A mail without a
    ///     date is not an answer then, because it would count as a new one each time.
    /// - Returns: the result.
    /// - Throws: ``Refusal`` or ``StoreError``; the mail can be processed again later.
    public func receiveMail(
        _ octets: [UInt8], isKept: Bool = false
    ) async throws -> MailReceipt {
        let (receipt, ignored) = try await readMail(octets, isKept: isKept)
        try await store.note(ignored, now: now)
        return receipt
    }

    /// Processes an incoming mail, as ``receiveMail(_:isKept:)`` does. Of a mail that is too large,
    /// the beginning is read.
    ///
    /// - Returns: the result, and what was not taken, for the caller to save.
    func readMail(
        _ whole: [UInt8], isKept: Bool, isCut: Bool = false
    ) async throws -> MailRead {
        try checkIsOwner(to: "process incoming mail")
        guard !whole.isEmpty else { return (.ignored("the mail is empty"), []) }
        let isLarge = isCut || whole.count > ReceivedMail.octetsMax
        let octets = isLarge ? Array(whole.prefix(FolderMail.beginningOctetsMax)) : whole
        let digest = MailFinding.digest(of: octets)
        let mail = isLarge ? ReceivedMail(beginning: octets) : ReceivedMail(octets)
        // Two mails without a Message-ID may be alike to the last octet.
        let isUnique = isKept || mail["Message-ID"] != nil
        if isUnique, try await store.isMailTaken(digest) {
            return (.repeated(Self.isNoted), [])
        }
        var receipt = try await receive(mail, isKept: isKept)
        if isLarge { receipt = receipt.ofBeginning }
        if ([receipt] + receipt.also).contains(where: { $0.isTaken }) {
            try await store.noteTakenMail(digest, now: now)
        }
        return try await notingIgnored(receipt, of: mail, digest: digest)
    }

    private func receive(_ mail: ReceivedMail, isKept: Bool) async throws -> MailReceipt {
        guard !mail.isReceipt else {
            return .ignored("it is a receipt for a mail that was read or deleted")
        }
        if let report = FeedbackReport(mail) { return try await receive(report, in: mail) }
        guard !mail.isDomainReport else { return .ignored(Self.isOfAuthentication) }
        let answers = MailReading.answers(in: mail, now: now, isKept: isKept)
        // The words of an answer may sound like a report in plain text.
        if mail.hasDeliveryStatus || (try? answers.get()) == nil, let report = BounceReport(mail),
            let receipt = try await receive(report, in: mail)
        {
            return receipt
        }
        switch answers {
        case .success(let answers):
            guard try await !areContradictory(answers) else {
                var receipt = MailReceipt.ignored(MailReading.Obstacle.contradictory.reason)
                receipt.finding = try await finding(of: mail)
                return receipt
            }
            return try await receive(answers, by: mail)
        case .failure(let obstacle):
            if let unread = try await unreadReport(mail) { return unread }
            let finding = try await finding(of: mail)
            let isOpen = obstacle.reason == MailReading.Obstacle.noAnswer
            let closed = isOpen ? mail.closedContent : nil
            var receipt = MailReceipt.ignored(
                closed
                    ?? (isOpen && finding.isAnswer
                        ? Self.reason(of: finding, String((mail["Subject"] ?? "").prefix(2000)))
                        : obstacle.reason))
            receipt.finding = finding
            if closed != nil { receipt.finding.isAnswer = true }
            return receipt
        }
    }

    /// The reason why a mail without a calendar object, which seems to be an answer, is none.
    private static func reason(of finding: MailFinding, _ subject: String) -> String {
        guard !AnsweredSubject.isOfAnotherAnswer(subject) else {
            return "it replies to an answer or forwards one"
        }
        return finding.answer == nil
            ? "it says neither yes nor maybe nor no in its subject"
            : "it has no calendar object, and its subject does not contain the id of the meeting"
    }

    /// True if two answers to one date of a series differ, even if they name the date in different
    /// ways.
    private func areContradictory(_ answers: [MailedAnswer]) async throws -> Bool {
        let single = answers.filter { $0.occurrence != nil && !$0.isAndLater }
        guard single.count > 1 else { return false }
        let ids = Array(Set(single.map(\.meeting)))
        let bundles = Dictionary(
            try await store.meetingBundles(ids).map { ($0.meeting.id, $0) },
            uniquingKeysWith: { first, _ in first })
        var said: [String: [MailedAnswer.Claim]] = [:]
        return single.contains { answer in
            guard let bundle = bundles[answer.meeting],
                let date = meant(by: answer, in: bundle)?.date
            else { return false }
            let known = said.updateValue(answer.claims, forKey: "\(answer.meeting.text) \(date)")
            return known.map { $0 != answer.claims } ?? false
        }
    }

    /// Processes the answers of one mail, the more general ones first: to the whole series, to a
    /// date and all later ones, to single dates.
    private func receive(
        _ answers: [MailedAnswer], by mail: ReceivedMail
    ) async throws -> MailReceipt {
        var receipts: [(part: Int, receipt: MailReceipt)] = []
        for (part, answer) in answers.enumerated().sorted(by: { $0.element.precedes($1.element) }) {
            var receipt = try await receive(answer, by: mail)
            if receipt.outcome == .ignored {
                receipt.finding.merge(try await finding(of: answer))
            }
            receipt.finding.part = part
            receipts.append((part, receipt))
        }
        var all = receipts.sorted { $0.part < $1.part }.map(\.receipt)
        if let obstacle = MailReading.obstacleToFurtherAnswers(in: mail) {
            var receipt = MailReceipt.ignored(obstacle)
            receipt.finding = try await finding(of: mail)
            receipt.finding.isAnswer = true
            receipt.finding.part = answers.count
            all.append(receipt)
        }
        let first = all.firstIndex { $0.outcome != .ignored } ?? 0
        var receipt = all.remove(at: first)
        receipt.also = all
        return receipt
    }

    private func receive(
        _ answer: MailedAnswer, by mail: ReceivedMail
    ) async throws -> MailReceipt {
        guard let all = try await store.meetingBundle(answer.meeting),
            answer.uid.map({ $0.lowercased() == all.meeting.uid.lowercased() }) ?? true
        else { return .ignored(answer.unknownMeeting) }
        guard let (bundle, date) = meant(by: answer, in: all) else {
            let rest = try await continuation(of: answer, in: all)
            return .ignored(
                reasonOfUnknownDate(answer, in: all, now: rest), (rest ?? all).meeting)
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
            // An answer to a date and all later ones is one to the series, from that date on.
            let later = answer.isAndLater ? date : nil
            let answered = later == nil ? bundle : all
            let receipt = try await receive(
                answer, of: found, isSigned: replies != nil, on: later == nil ? date : nil,
                from: later, in: answered)
            guard !receipt.finding.isRepeated else { return receipt }
            // Who answers an earlier state may have missed what came back.
            let isUnaware =
                receipt.outcome == .ignored
                || stamp(of: answer, by: found.person.id, in: answered).sequence
                    < answered.sequence(for: found.person.id)
            try await endBounces(
                of: found.person.id, at: answer.author,
                knowing: isUnaware ? nil : all.meeting.id)
            return receipt
        }
    }

    private func receive(
        _ answer: MailedAnswer, of found: MailReaders.Found, isSigned: Bool, on date: String?,
        from later: String?, in bundle: MeetingBundle
    ) async throws -> MailReceipt {
        // Recording it refuses an answer to what is cancelled or over, with that reason.
        if isAhead(bundle.meeting),
            let obstacle = obstacle(to: answer, of: found.person.id, in: bundle)
        {
            return obstacle == Self.isRecorded
                ? .repeated(obstacle, bundle.meeting) : .ignored(obstacle, bundle.meeting)
        }
        return try await record(
            answer, of: found, isSigned: isSigned, on: date, from: later, in: bundle)
    }

    private func isAhead(_ meeting: Meeting) -> Bool {
        meeting.status == .confirmed && meeting.endsAt > now
    }

    private func record(
        _ mailed: MailedAnswer, of found: MailReaders.Found, isSigned: Bool, on date: String?,
        from first: String?, in bundle: MeetingBundle
    ) async throws -> MailReceipt {
        let (meeting, person) = (bundle.meeting, found.person)
        let stamp = stamp(of: mailed, by: person.id, in: bundle)
        let number: Identifier<Answer> = surroundings.chance.id()
        let proposed = proposal(mailed.period, for: meeting, name: number.text)
        // Who declines to propose the time that the meeting has now does not decline it.
        if case .unusable(let why) = proposed, Self.isNothing(found.answer, besides: why) {
            return .ignored(why, meeting)
        }
        let guest = acting(as: person)
        let deed = found.answer.map { "answered: \($0.rawValue)" } ?? "proposed another time"
        let outcome: MeetingOutcome
        do {
            outcome = try await guest.revise(
                meeting.id, on: date, nil, reason: "a guest \(deed)", saving: true
            ) { draft in
                try guest.drafting.checkIsAhead(draft.meeting, verb: "answered")
                // Another program may have processed the same mail a moment ago.
                if let obstacle = obstacle(to: mailed, of: person.id, in: draft.before) {
                    throw Refusal(.refused, code: "stale_answer", obstacle)
                }
                if let first, found.answer != nil {
                    try keepAnswers(before: first, than: stamp, of: person.id, in: &draft)
                }
                if let answer = found.answer {
                    try draft.take(
                        answer, of: found, note: mailed.note,
                        seeing: seen(by: mailed, of: person.id, in: draft.before), from: first)
                }
                draft.noteMail(
                    stamp, answering: found.answer != nil, isSigned: isSigned, of: person)
                if date == nil, found.answer != nil {
                    try noteOldTimes(
                        startsKnown(to: mailed, by: person.id, in: draft.before).filter {
                            $0.key >= first ?? ""
                        }, than: stamp, of: person.id, in: &draft)
                }
                if isSigned, found.answer != nil { draft.introduced = person.id }
                if case .usable(let proposal) = proposed {
                    draft.note(proposal, isSigned: isSigned, of: person, mailed.note)
                }
                try guest.tell(of: person, in: &draft, by: person, number: number.text)
            }
        } catch let refusal as Refusal {
            if refusal.message == Self.isRecorded { return .repeated(Self.isRecorded, meeting) }
            var receipt = MailReceipt.ignored(refusal.message, meeting)
            receipt.finding.isTooLate = Self.lateCodes.contains(refusal.code)
            return receipt
        } catch let violation as RuleViolation {
            return .ignored(Refusal(violation).message, meeting)
        }
        var receipt = receipt(of: outcome, person, proposed)
        if date != nil, let own = try? zone(named: meeting.time.zone) {
            receipt.date = Timestamp(meeting.time.startsAt, in: own, reader: zone)
        }
        return receipt
    }

    /// The codes of the refusals of answers to what is cancelled or over.
    private static let lateCodes: Set = ["meeting_cancelled", "meeting_over", "unknown_date"]

    /// Keeps a person's answers to the dates before one, and newer ones to single later dates.
    private func keepAnswers(
        before first: String, than stamp: ReplyStamp, of person: PersonID,
        in draft: inout MeetingDraft
    ) throws {
        let own = try zone(named: draft.meeting.time.zone)
        guard let date = draft.meeting.date(named: first, in: own) else { return }
        try draft.keepAnswers(of: person, before: date, now: now, in: own) {
            obstacle(to: stamp, after: $0) != nil
        }
    }

    /// Notes for which starts an answer to all dates was given, except where a newer one is noted.
    private func noteOldTimes(
        _ starts: [String: Moment], than stamp: ReplyStamp, of person: PersonID,
        in draft: inout MeetingDraft
    ) throws {
        let own = try zone(named: draft.meeting.time.zone)
        draft.noteOldTimes(starts, of: person, in: own) { obstacle(to: stamp, after: $0) != nil }
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

    /// The proposal in a mail.
    private enum ProposedTime {
        /// No proposal.
        case none
        /// A time to which the meeting can be moved.
        case usable(Proposal)
        /// A time to which the meeting cannot be moved, with the reason.
        case unusable(String)
    }

    /// True if a mail says nothing besides a proposal that cannot be used.
    private static func isNothing(_ answer: Answer?, besides why: String) -> Bool {
        answer == nil || answer == .declined && why == isPresentTime
    }

    private static let isPresentTime = "the proposed time is that of the meeting"

    private func proposal(
        _ period: CalendarPeriod?, for meeting: Meeting, name: String
    ) -> ProposedTime {
        guard let period else { return .none }
        let time = meeting.time
        let times = (try? zone(named: time.zone)).flatMap { own in
            period.moments(by: surroundings.zones, else: own, lasting: time.duration)
        }
        guard let (starts, ends) = times else {
            return .unusable("the proposed time cannot be understood")
        }
        guard starts != time.startsAt || ends != time.endsAt else {
            return .unusable(Self.isPresentTime)
        }
        do throws(RuleViolation) {
            try MeetingRules.check(start: starts, now: now)
            let seconds = Int(clamping: ends.milliseconds(since: starts) / 1000)
            try MeetingRules.check(duration: TimeSpan(days: 0, seconds: seconds))
        } catch {
            return .unusable(
                error.code == "start_in_past"
                    ? "the proposed time has passed"
                    : "the meeting cannot be moved to the proposed time")
        }
        return .usable(Proposal(name: name, startsAt: starts, endsAt: ends))
    }
}

extension MeetingDraft {
    /// Records that a participant wrote a mail. An answer in it is marked as unsigned, unless it
    /// was sent to the participant's own reply address.
    fileprivate mutating func noteMail(
        _ reply: ReplyStamp, answering isAnswer: Bool, isSigned: Bool, of person: Person
    ) {
        guard let place = participants.firstIndex(where: { $0.person == person.id }) else { return }
        if isAnswer { participants[place].isUnsigned = !isSigned }
        participants[place].reply =
            participants[place].reply.map { $0.followed(by: reply) } ?? reply
    }

    /// Records a proposal of a participant, with its note.
    fileprivate mutating func note(
        _ proposal: Proposal, isSigned: Bool, of person: Person, _ note: String
    ) {
        guard let place = participants.firstIndex(where: { $0.person == person.id }) else { return }
        participants[place].proposal = proposal
        participants[place].proposal?.isUnsigned = !isSigned
        if !note.isEmpty { participants[place].note = note }
    }
}

extension MeetingDraft {
    /// Records an answer in a mail. It replaces the note of the old answer.
    fileprivate mutating func take(
        _ answer: Answer, of found: MailReaders.Found, note: String,
        seeing seen: (sequence: Int, start: Moment?)?, from first: String?
    ) throws {
        let old = participants.first { $0.person == found.person.id }
        let isSame = old?.answer == answer && note.isEmpty
        try self.answer(
            answer, of: found.person, by: found.person,
            plus: answer == .going ? found.plus : nil, note: isSame ? nil : note, seeing: seen,
            from: first)
    }
}
