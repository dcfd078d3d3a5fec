import Agenda
import Interchange
import Storage

/// Those to whom a meeting's mails go, by the addresses that they have or were asked at.
struct MailReaders {
    /// Who says something by a mail.
    struct Found {
        /// Who.
        let person: Person
        /// What they answer; `nil` where all that they say is that they propose another time.
        let answer: Answer?
    }

    private let bundle: MeetingBundle
    private let known: MeetingMailNames

    init(_ bundle: MeetingBundle, known: MeetingMailNames) {
        self.bundle = bundle
        self.known = MeetingMailNames(
            addresses: known.addresses.mapValues { Set($0.map(MailReading.key)) },
            formerIDs: known.formerIDs)
    }

    /// Who gave an answer, as far as the mail says it: nobody vouches for that, and whoever knows
    /// the meeting and an address can write it. But who writes under another name than that of who
    /// answers is not taken for them.
    func author(of mailed: MailedAnswer) -> Result<Found, MailReading.Obstacle> {
        let claimed = present.filter { claim(of: $0, in: mailed) != nil }
        let authors = claimed.filter { has($0, mailed.author) }
        guard !authors.isEmpty || claimed == [bundle.meeting.organizer] else {
            return failure(
                claimed.isEmpty
                    ? "who answers is not in the meeting"
                    : "it comes from another address than those of who answers")
        }
        return only(among: authors.isEmpty ? claimed : authors, in: mailed)
    }

    /// Who gave an answer that was sent to an address of theirs alone: it says for whom it counts,
    /// whatever stands in the mail. But what another one answers, to whom they handed their
    /// invitation on, is not theirs.
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
            return failure("it was not sent to the address that its author was given for answers")
        }
        return only(among: asked, in: mailed)
    }

    private var present: [PersonID] {
        bundle.participants.filter { !$0.isRemoved }.map(\.person)
    }

    private func has(_ person: PersonID, _ address: String) -> Bool {
        known.addresses[person]?.contains(MailReading.key(address)) ?? false
    }

    private func claim(of person: PersonID, in mailed: MailedAnswer) -> MailedAnswer.Claim? {
        mailed.claims.first { has(person, $0.address) }
    }

    private func only(
        among people: [PersonID], in mailed: MailedAnswer
    ) -> Result<Found, MailReading.Obstacle> {
        guard people.count == 1, let person = bundle.people[people[0]] else {
            return failure("several people have that address")
        }
        guard person.id != bundle.meeting.organizer else {
            return failure("who plans a meeting does not answer it by mail")
        }
        // Words in a subject name nobody: they are of whom the mail is of.
        let claim = mailed.uid == nil ? mailed.claims.first : claim(of: person.id, in: mailed)
        guard let claim else { return failure("who answers is not who was asked there") }
        return .success(Found(person: person, answer: claim.answer))
    }

    private func failure<Value>(_ reason: String) -> Result<Value, MailReading.Obstacle> {
        .failure(MailReading.Obstacle(reason: reason))
    }
}
