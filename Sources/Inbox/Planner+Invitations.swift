import Agenda
import Interchange
import Planning
import Storage

/// Mails that seem to answer an invitation, without naming it in a form that programs read.
extension Planner {
    /// The most invitations of one person that are looked at.
    private static let invitationsMax = 200

    /// Notes the meeting whose title is in the subject of a mail of one of its guests. A calendar
    /// object that ends before it names its meeting may answer any of the author's invitations.
    ///
    /// Other organizers read of the mails about their meetings, so a mail that only has the title
    /// of one is noted without it.
    func noteInvitation(
        of mail: ReceivedMail, in finding: inout MailFinding
    ) async throws {
        guard let author = mail.author else { return }
        let known = try await store.invitations(
            toAddress: author, now: now, limit: Self.invitationsMax)
        let subject = TitledSubject(mail["Subject"] ?? "")
        let titled = known.filter { subject.names($0.title) }
        let likely = titled.isEmpty && mail.hasAnswerWithoutMeeting ? known : titled
        guard !likely.isEmpty else { return }
        finding.isAnswer = true
        finding.note = MailedNote.own(of: mail)
        let people = Set(likely.map(\.person))
        finding.person = people.count == 1 ? people.first : nil
        guard Set(likely.map(\.meeting)).count == 1,
            let bundle = try await store.meetingBundle(likely[0].meeting),
            bundle.meeting.organizer == owner.id
        else { return }
        try await note(bundle, author: author, in: &finding)
        noteDate(in: bundle, &finding)
        // A title does not tell which date of a series is meant.
        finding.leaveDateOpen(in: bundle)
    }
}
