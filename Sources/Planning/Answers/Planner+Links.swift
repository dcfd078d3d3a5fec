import Agenda
import Ledger
import Storage

/// The private links of a meeting's guests.
public struct GuestLinks: Encodable, Sendable {
    /// A guest's link.
    public struct Link: Encodable, Sendable {
        /// Whose it is.
        public let person: PersonLine
        /// The link; `null` where it was revoked, and no new one made.
        @Null public var url: String?
    }

    /// The meeting's id.
    public let meeting: String
    /// The meeting's title.
    public let title: String
    /// One for each guest.
    public let links: [Link]
}

/// What becomes of links that were given out.
public enum LinkChange: Sendable {
    /// They stay good.
    case none
    /// They are good for nothing any more, and others are made.
    case renewed
    /// They are good for nothing any more.
    case revoked
}

extension Planner {
    /// The links by which guests see a meeting and answer: who has one can answer for its guest.
    ///
    /// A guest whose links were revoked gets another one with the next letter. With the link to the
    /// meeting those go by which reminders and digests are stopped: the same letters brought them.
    /// A letter that is under way at that very moment may still bring the old ones.
    ///
    /// - Parameters:
    ///   - name: the meeting.
    ///   - who: whose; all guests' where nobody is named.
    ///   - change: what becomes of those that were given out.
    /// - Returns: the links.
    /// - Throws: ``Refusal`` with `no_base_url` where pages have no address that others can see,
    ///   `not_organizer` where they are somebody else's.
    public func guestLinks(
        of name: String, to who: [String], change: LinkChange
    ) async throws -> GuestLinks {
        let id = try await meetingID(name)
        let book = try surroundings.linkBook()
        guard let generator = book.generator else { throw Self.noBaseURL }
        guard let bundle = try await store.meetingBundle(id) else {
            throw Self.unknownMeeting(name)
        }
        let guests = try await guests(who, of: bundle)
        if guests.contains(where: { $0.id != actor.id }) { try checkMayChange(bundle.meeting) }
        var links: [GuestLinks.Link] = []
        for guest in guests {
            let subject = LinkSubject.guest(guest.id, of: id)
            let isPrivate = !maySeeAddress(of: guest.id, in: bundle.meeting)
            var link = GuestLinks.Link(person: PersonLine(guest, isPrivate: isPrivate))
            if change != .none {
                for subject in [subject] + LinkSubject.unsubscribing(guest.id) {
                    _ = try await store.revokeLinks(for: subject, now: now)
                }
            }
            if change != .revoked {
                let number = try await store.keepLink(for: subject, by: generator, now: now)
                link.url = book.url(of: subject, number: number)
            }
            links.append(link)
        }
        return GuestLinks(meeting: id.text, title: bundle.meeting.title, links: links)
    }

    private func guests(_ who: [String], of bundle: MeetingBundle) async throws -> [Person] {
        guard who.isEmpty else { return try await participants(who, of: bundle.meeting.id) }
        guard actor.id == bundle.meeting.organizer || actsAsOwner else { return [actor] }
        return bundle.everybody.filter { $0.id != bundle.meeting.organizer }
    }

    private static var noBaseURL: Refusal {
        Refusal(
            .refused, code: "no_base_url",
            "There are no links while nobody knows at which address others see the pages of "
                + "letsmeetd. Set it: base.url in letsmeet.yaml, or LETSMEET_BASE_URL.")
    }
}
