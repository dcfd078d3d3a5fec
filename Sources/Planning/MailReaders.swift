import Agenda
import Interchange
import Storage

/// Those to whom a meeting's mails go, by the addresses that they have or were asked at.
struct MailReaders {
    private let bundle: MeetingBundle
    private let known: [PersonID: Set<String>]

    init(_ bundle: MeetingBundle, known: [PersonID: Set<String>]) {
        self.bundle = bundle
        self.known = known.mapValues { Set($0.map(MailReading.key)) }
    }

    /// Who gave an answer, as far as the mail says it: nobody vouches for that, and whoever knows
    /// the meeting and an address can write it. But who writes under another name than that of who
    /// answers is not taken for them.
    func author(of answer: MailedAnswer) -> Result<Person, MailReading.Obstacle> {
        only(among: present.filter { has($0, answer.address) }).flatMap { person in
            has(person.id, answer.author)
                ? .success(person)
                : failure("it comes from another address than those of who answers")
        }
    }

    /// Who gave an answer that was sent to an address of theirs alone: it says for whom it counts,
    /// whatever stands in the mail. But what another one answers, to whom they handed their
    /// invitation on, is not theirs.
    func signer(
        of answer: MailedAnswer, in mail: ReceivedMail, by replies: ReplyAddresses
    ) -> Result<Person, MailReading.Obstacle> {
        let signatures = replies.signatures(of: mail)
        let asked = present.filter { person in
            known[person, default: []].contains {
                replies.holds(signatures, of: bundle.meeting.id, for: $0)
            }
        }
        guard !asked.isEmpty else {
            return failure("it was not sent to the address that its author was given for answers")
        }
        return only(among: asked).flatMap { person in
            answer.uid == nil || has(person.id, answer.address)
                ? .success(person) : failure("who answers is not who was asked there")
        }
    }

    private var present: [PersonID] {
        bundle.participants.filter { !$0.isRemoved }.map(\.person)
    }

    private func has(_ person: PersonID, _ address: String) -> Bool {
        known[person]?.contains(MailReading.key(address)) ?? false
    }

    private func only(among people: [PersonID]) -> Result<Person, MailReading.Obstacle> {
        guard let id = people.first, people.count == 1, let person = bundle.people[id] else {
            return failure(
                people.isEmpty
                    ? "who answers is not in the meeting" : "several people have that address")
        }
        guard id != bundle.meeting.organizer else {
            return failure("who plans a meeting does not answer it by mail")
        }
        return .success(person)
    }

    private func failure(_ reason: String) -> Result<Person, MailReading.Obstacle> {
        .failure(MailReading.Obstacle(reason: reason))
    }
}
