public import Agenda
public import Ledger
public import Settings
import Storage

/// A coming meeting to which somebody else is invited whose mail goes to a proven address of the
/// reader. It is only shown: the reader is not that guest, and gets none of their rights.
public struct OtherInvitation: Sendable {
    /// The id of the meeting.
    public let meeting: String
    /// The id of the guest.
    public let guest: String
    /// The address to which the invitation goes.
    public let address: String
    /// The title of the meeting.
    public let title: String
    /// The start; for a series, that of its first date.
    public let start: Timestamp
    /// The end; for a series, that of its first date.
    public let end: Timestamp
    /// True if the meeting repeats.
    public let repeats: Bool
}

/// Invitations whose mails the actor gets without being the guest.
extension Planner {
    /// The coming meetings to which somebody else is invited whose mail goes to a proven address of
    /// the actor, the earliest first.
    ///
    /// - Parameter limit: the most meetings.
    /// - Returns: the invitations.
    /// - Throws: ``StoreError``.
    public func otherInvitations(limit: Int) async throws -> [OtherInvitation] {
        try await store.invitations(addressedTo: actor.id, after: now, limit: limit).map { found in
            OtherInvitation(
                meeting: found.meeting.id.text, guest: found.guest.text, address: found.address,
                title: found.meeting.title, start: start(of: found.meeting),
                end: end(of: found.meeting), repeats: found.meeting.isSeries)
        }
    }

    /// The secret part of the private link of such a guest, as in the mail to them. With it, the
    /// actor sees the meeting and answers as that guest, like everybody who has their mail.
    ///
    /// - Parameters:
    ///   - guest: the guest.
    ///   - meeting: the meeting.
    ///   - other: the address of the pages if no public one is set.
    /// - Returns: the secret part; `nil` if their mail does not go to the actor, if they are not
    ///   invited, or if the meeting is over.
    /// - Throws: ``Refusal`` with `no_base_url` if no address of the pages is known.
    public func linkToken(
        of guest: PersonID, to meeting: MeetingID, otherwise other: BaseURL? = nil
    ) async throws -> String? {
        let found = try await store.invitations(
            addressedTo: actor.id, after: now, of: guest, to: meeting, limit: 1)
        guard let invitation = found.first else { return nil }
        let builder = try surroundings.linkBuilder(otherwise: other)
        guard let generator = builder.generator else { throw Self.noBaseURL }
        let subject = LinkSubject.guest(invitation.guest, of: invitation.meeting.id)
        let number = try await store.keepLink(for: subject, by: generator, now: now)
        return builder.token(of: subject, number: number)
    }
}
