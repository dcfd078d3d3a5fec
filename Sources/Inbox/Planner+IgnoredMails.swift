public import Agenda
public import Ledger
public import Planning
import Storage
import Timekeeping

/// A mail that was read and not taken.
public struct IgnoredMailView: Encodable, Sendable {
    /// The id.
    public let id: String
    /// The time at which it was read.
    public let at: Timestamp
    /// The address of its author; empty if it has none.
    public let sender: String
    /// The subject; may be empty.
    public let subject: String
    /// The id of the meeting; `null` if none was found.
    @Null public private(set) var meeting: String?
    /// The title of the meeting.
    @Null public private(set) var title: String?
    /// The start of the date that it is about; `null` for the whole meeting, or if it is open.
    @Null public private(set) var date: Timestamp?
    /// The name of the person who seems to answer.
    @Null public private(set) var person: String?
    /// The answer.
    @Null public private(set) var answer: Answer?
    /// The reason why it was not taken.
    public let reason: String
    /// True if it seems to be an answer, and false if it has nothing to do with a meeting.
    public let isAnswer: Bool
    /// True if a mail system wrote it about a mail of this installation.
    public let isReport: Bool
    /// The advice; `null` if nothing is needed.
    @Null public private(set) var help: Remark?

    init(
        _ mail: IgnoredMail, _ bundle: MeetingBundle?, own: Zone?, reader: Zone, now: Moment
    ) {
        id = mail.shortID
        at = Timestamp(mail.readAt, reader: reader)
        sender = mail.sender
        subject = mail.subject
        meeting = mail.meeting?.text
        title = bundle?.meeting.title
        person = mail.person.flatMap { bundle?.people[$0]?.name }
        answer = mail.answer
        let named = own.flatMap { bundle?.meeting.date(named: mail.occurrence, in: $0) }
        date = own.flatMap { own in
            named.map { Timestamp($0.time.startsAt, in: own, reader: reader) }
        }
        reason = mail.reason
        isAnswer = mail.isAnswer
        isReport = mail.isReport
        // An answer to a meeting or a date that is cancelled or over cannot be counted any more.
        let isAhead = bundle.map { bundle in
            bundle.meeting.status == .confirmed && named?.isOn ?? true
                && (named?.time.endsAt ?? bundle.meeting.endsAt) > now
        }
        let isAbsent =
            !mail.isDateOpen
            && mail.person.map { bundle?.isWithout($0, on: mail.occurrence) == true } == true
        help =
            mail.isReport || mail.isOfUnknownMeeting || mail.isAnswer && isAhead ?? true
            ? Remark("", advice: mail.advice(isAbsent: isAbsent)) : nil
    }
}

/// Mails that were read and not taken.
extension Planner {
    /// Lists the mails of the last 30 days that were read and not taken: those that seem to be
    /// answers first, then reports of mail systems, then others, each the newest first.
    ///
    /// - Parameter limit: the most mails.
    /// - Returns: the mails.
    /// - Throws: ``Refusal`` with `not_allowed`, or ``StoreError``.
    public func ignoredMails(
        limit: Int = Planner.listRowsMax
    ) async throws -> FirstRows<IgnoredMailView> {
        try checkIsOwner(to: "see the mails that were not taken")
        let since = now.advanced(bySeconds: -Store.ignoredMailSeconds)
        let mails = try await store.ignoredMails(since: since, limit: limit + 1)
        let bundles = try await store.meetingBundles(
            Set(mails.compactMap(\.meeting)).sorted { $0.text < $1.text })
        let known = Dictionary(bundles.map { ($0.meeting.id, $0) }) { first, _ in first }
        return FirstRows(
            mails.map { mail in
                let bundle = mail.meeting.flatMap { known[$0] }
                return IgnoredMailView(
                    mail, bundle, own: bundle.flatMap { try? zone(named: $0.meeting.time.zone) },
                    reader: zone, now: now)
            }, countMax: limit)
    }

    /// Counts a mail as an answer that was not taken.
    ///
    /// - Parameters:
    ///   - id: the beginning of the mail's id.
    ///   - answer: the answer; `nil` for the one in the mail.
    ///   - meeting: the meeting; `nil` for the one that the mail names.
    ///   - date: a date of the meeting; `nil` for the one that the mail names.
    ///   - isOfAllDates: true to count it for the whole series, whatever date the mail names.
    ///   - who: a participant as the user typed it; `nil` for the one whom the mail names.
    ///   - saving: whether to save it; if not, the outcome is a preview.
    /// - Returns: the meeting, with the answer.
    /// - Throws: ``Refusal`` with `unknown_mail`, with `mail_unclear` if it is still open who
    ///   answers what, or as for an answer by hand.
    public func takeMail(
        _ id: String, _ answer: Answer? = nil, meeting: MeetingID? = nil, on date: String? = nil,
        onAllDates isOfAllDates: Bool = false, who: String? = nil, saving: Bool
    ) async throws -> MeetingOutcome {
        try checkIsOwner(to: "take a mail by hand")
        let mail = try await ignoredMail(id)
        let (said, about) = (answer ?? mail.answer, meeting ?? mail.meeting)
        let isOfThis = about == mail.meeting
        var person: Person?
        if let about {
            let known = who == nil && isOfThis ? mail.person : nil
            let name = known?.text ?? who ?? (isOfThis ? nil : mail.sender)
            if let name { person = try await participant(named: name, of: about) }
        }
        let own = isOfThis && !isOfAllDates && !mail.occurrence.isEmpty ? mail.occurrence : nil
        var isDateOpen = false
        if !isOfAllDates {
            isDateOpen = try await self.isDateOpen(
                in: mail, on: date ?? own, of: about, for: person)
        }
        guard let said, let about, let person, !isDateOpen || date != nil else {
            // Whoever types the command again needs the parts that they have named already, too.
            let gaps: [(Advice.MailGap, Bool)] = [
                (.answer, mail.answer == nil), (.meeting, mail.meeting == nil || !isOfThis),
                (.person, mail.person == nil), (.date, isDateOpen),
            ]
            throw Refusal(
                .invalid, code: "mail_unclear",
                said != nil && about != nil && person != nil
                    ? "The mail of \(mail.sender) does not say which date it is about."
                    : "The mail of \(mail.sender) does not say who answers what.",
                advice: [
                    .calendars(.takeMail(mail.shortID, saying: gaps.filter(\.1).map(\.0)))
                ])
        }
        let outcome = try await self.answer(
            about, on: date ?? own, said, of: person, plus: nil,
            note: mail.note.isEmpty ? nil : mail.note, saving: saving)
        if saving { try await store.finishIgnoredMail(mail.id) }
        return outcome
    }

    /// True if a date has to be named to take a mail: the mail leaves it open, or names a date of
    /// another meeting, or the person is invited to single dates only.
    private func isDateOpen(
        in mail: IgnoredMail, on date: String?, of meeting: MeetingID?, for person: Person?
    ) async throws -> Bool {
        guard let meeting, meeting != mail.meeting || !mail.isDateOpen else {
            return mail.isDateOpen
        }
        guard date == nil, let bundle = try await store.meetingBundle(meeting) else { return false }
        // The words of a mail that names no meeting may be about a single date.
        let isInWords = mail.meeting == nil && !mail.isOfUnknownMeeting
        let isOfDate = isInWords || mail.isDateOpen || !mail.occurrence.isEmpty
        return isOfDate && bundle.meeting.series != nil
            || person.map { bundle.isInDates($0.id) } == true
    }

    /// Takes a mail off the list without counting it.
    ///
    /// - Parameter id: the beginning of the mail's id.
    /// - Throws: ``Refusal`` with `unknown_mail` or `not_allowed`.
    public func dismissMail(_ id: String) async throws {
        try checkIsOwner(to: "dismiss a mail")
        try await store.finishIgnoredMail(try await ignoredMail(id).id)
    }

    private func ignoredMail(_ id: String) async throws -> IgnoredMail {
        let found = try await store.ignoredMails(withID: id.lowercased(), limit: 2)
        guard !id.isEmpty, found.count == 1 else {
            throw Refusal(
                .refused, code: "unknown_mail",
                "No mail that was not taken has the id \"\(id)\".",
                advice: [.calendars(.listIgnoredMails)])
        }
        return found[0]
    }
}
