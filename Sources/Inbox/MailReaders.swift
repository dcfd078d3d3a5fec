import Agenda
import Interchange
import Planning
import Storage

/// The people who receive the mails of a meeting, found by their current addresses and those to
/// which mails were sent.
struct MailReaders {
    /// The person who wrote a mail.
    struct Found {
        /// The person.
        let person: Person
        /// The answer; `nil` if the mail only proposes another time.
        let answer: Answer?
        /// The number of people that they bring; `nil` if the mail does not state it.
        let plus: Int?
    }

    private let bundle: MeetingBundle
    private let known: MeetingMailNames

    init(_ bundle: MeetingBundle, known: MeetingMailNames) {
        self.bundle = bundle
        self.known = MeetingMailNames(
            addresses: known.addresses.mapValues { Set($0.map(MailReading.key)) },
            formerIDs: known.formerIDs)
    }

    /// Finds the person who gave an answer by the addresses in the mail. This proves nothing,
    /// because anybody who knows the meeting and an address can write such a mail. But the author
    /// of the mail has to be the attendee who answers.
    func author(of mailed: MailedAnswer) -> Result<Found, MailReading.Obstacle> {
        let claimed = present.filter { claim(of: $0, in: mailed) != nil }
        let authors = claimed.filter { has($0, mailed.author) }
        guard !authors.isEmpty || claimed == [bundle.meeting.organizer] else {
            return failure(
                claimed.isEmpty
                    ? mailed.uid == nil
                        ? "nobody in the meeting has the address from which it comes"
                        : "the attendee who answers is not in the meeting"
                    : "it comes from an address that the attendee who answers does not have")
        }
        return only(among: authors.isEmpty ? claimed : authors, in: mailed)
    }

    /// Finds the person who gave an answer by the address to which it was sent. Each person of a
    /// meeting has their own reply address, so the author does not matter. An answer of somebody
    /// else, to whom the person forwarded the invitation, is refused.
    func signer(
        of mailed: MailedAnswer, in mail: ReceivedMail, by replies: ReplyAddresses
    ) -> Result<Found, MailReading.Obstacle> {
        let signatures = replies.signatures(of: mail)
        let asked = present.filter { person in
            ([person] + known.formerIDs[person, default: []]).contains {
                replies.holds(signatures, of: bundle.meeting.id, for: $0)
            }
        }
        guard !asked.isEmpty else {
            return failure("it was not sent to a reply address of a participant")
        }
        return only(among: asked, in: mailed)
    }

    /// The only guest with an address: of those who are invited to the meeting, or else to single
    /// dates of it, or else of those who were removed.
    func guest(with address: String) -> PersonID? {
        let dated = Array(bundle.dateParticipants.values.joined())
        let removed = bundle.participants + dated
        let groups = [
            present, dated.filter { !$0.isRemoved }.map(\.person), removed.map(\.person),
        ]
        let found = groups.lazy.map { people in
            Set(people.filter { has($0, address) && $0 != bundle.meeting.organizer })
        }.first { !$0.isEmpty }
        return found?.count == 1 ? found?.first : nil
    }

    /// True if the organizer has an address.
    func isOfOrganizer(_ address: String) -> Bool { has(bundle.meeting.organizer, address) }

    /// True if somebody has an address who is or was in the meeting.
    func isOfAnybody(_ address: String) -> Bool {
        known.addresses.values.contains { $0.contains(MailReading.key(address)) }
    }

    private var present: [PersonID] {
        bundle.participants.filter { !$0.isRemoved }.map(\.person)
    }

    private func has(_ person: PersonID, _ address: String) -> Bool {
        known.addresses[person]?.contains(MailReading.key(address)) ?? false
    }

    private func claim(of person: PersonID, in mailed: MailedAnswer) -> MailedAnswer.Claim? {
        let own = mailed.claims.filter { $0.addresses.contains { has(person, $0) } }
        return own.first { $0.answer != nil } ?? own.first
    }

    private func only(
        among people: [PersonID], in mailed: MailedAnswer
    ) -> Result<Found, MailReading.Obstacle> {
        guard people.count == 1, let person = bundle.people[people[0]] else {
            return failure("several participants have this address")
        }
        guard person.id != bundle.meeting.organizer else {
            return failure("the organizer cannot answer their own meeting by mail")
        }
        // An answer in the subject names no attendee; it is that of the mail's author.
        let claim = mailed.uid == nil ? mailed.claims.first : claim(of: person.id, in: mailed)
        guard let claim else { return failure("the attendee does not own this reply address") }
        guard claim.answer != nil || mailed.period != nil else {
            let reason = "it answers neither yes nor maybe nor no"
            return failure(
                claim.isDelegated
                    ? "\(reason), but passes the invitation on to somebody else" : reason)
        }
        return .success(Found(person: person, answer: claim.answer, plus: claim.plus))
    }

    private func failure<Value>(_ reason: String) -> Result<Value, MailReading.Obstacle> {
        .failure(MailReading.Obstacle(reason: reason))
    }
}
