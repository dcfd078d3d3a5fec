public import Agenda
public import Ledger
public import Settings
import Storage

/// The private links of the guests of a meeting.
public struct GuestLinks: Encodable, Sendable {
    /// A guest's link.
    public struct Link: Encodable, Sendable {
        /// The guest.
        public let person: PersonLine
        /// The link; `null` if it was revoked and not replaced.
        @Null public var url: String?
    }

    /// The meeting's id.
    public let meeting: String
    /// The meeting's title.
    public let title: String
    /// One link for each guest.
    public let links: [Link]
}

/// The change to existing links.
public enum LinkChange: Sendable {
    /// Nothing changes, and no new links are made.
    case looked
    /// They stay valid, and missing ones are made.
    case none
    /// They become invalid, and new ones are made.
    case renewed
    /// They become invalid.
    case revoked
}

extension Planner {
    /// The links through which guests see a meeting and answer. Anyone who has a link can answer
    /// for its guest. So it is noted that the actor has seen those of others: such a link cannot
    /// stop reminders of other meetings, and its answer shows nobody the guest's busy times.
    ///
    /// A guest whose links were revoked gets a new one with the next message. Revoking the link to
    /// a meeting also revokes the guest's links that stop reminders and digests, because the same
    /// messages contain them. A message that is being sent at that moment may still contain the
    /// old links.
    ///
    /// - Parameters:
    ///   - id: the meeting.
    ///   - people: the guests; `nil` for all whose links the actor may see.
    ///   - change: the change to existing links.
    ///   - other: the address of the pages if no public one is set.
    /// - Returns: the links.
    /// - Throws: ``Refusal`` with `no_base_url` if the public address of the pages is not set, with
    ///   `not_organizer` if the links belong to other people.
    public func guestLinks(
        of id: MeetingID, to people: [Person]? = nil, change: LinkChange,
        otherwise other: BaseURL? = nil
    ) async throws -> GuestLinks {
        let book = try surroundings.linkBuilder(otherwise: other)
        guard let generator = book.generator else { throw Self.noBaseURL }
        let bundle = try await bundle(id)
        let guests = people ?? guests(of: bundle)
        if guests.contains(where: { $0.id != actor.id }) {
            try drafting.checkMayChange(bundle.meeting)
        }
        let known = try await store.linkNumbers(for: guests.map { .guest($0.id, of: id) })
        var links: [GuestLinks.Link] = []
        for guest in guests {
            let subject = LinkSubject.guest(guest.id, of: id)
            let isPrivate = !maySeeAddress(of: guest.id, in: bundle.meeting)
            var link = GuestLinks.Link(person: PersonLine(guest, isPrivate: isPrivate))
            link.url = known[subject].flatMap { book.url(of: subject, number: $0) }
            if change == .renewed || change == .revoked {
                link.url = nil
                for subject in [subject] + LinkSubject.unsubscribing(guest.id) {
                    _ = try await store.revokeLinks(for: subject, now: now)
                }
            }
            if change == .none || change == .renewed {
                let number = try await store.keepLink(for: subject, by: generator, now: now)
                link.url = book.url(of: subject, number: number)
            }
            links.append(link)
        }
        let seen = zip(guests, links).filter { $0.id != actor.id && $1.url != nil }
        try await store.noteShownLinks(of: seen.map { $0.0.id }, to: id, now: now)
        return GuestLinks(meeting: id.text, title: bundle.meeting.title, links: links)
    }

    /// The address of the pages on this machine; `nil` if a public address is set, or if the daemon
    /// serves no pages.
    ///
    /// - Returns: the address.
    /// - Throws: ``SettingsError`` for an invalid setting.
    public func localBaseURL() throws -> BaseURL? {
        let configuration = surroundings.configuration
        guard try configuration.baseURL() == nil else { return nil }
        return try configuration.listenAddress()?.port.flatMap {
            try? BaseURL("http://localhost:\($0)")
        }
    }

    private func guests(of bundle: MeetingBundle) -> [Person] {
        guard actor.id == bundle.meeting.organizer || actsAsOwner else { return [actor] }
        return bundle.everybody.filter { $0.id != bundle.meeting.organizer }
    }

    static var noBaseURL: Refusal {
        Refusal(
            .refused, code: "no_base_url",
            "The public address of letsmeetd is not set. Set `base.url` in letsmeet.yaml, or "
                + "LETSMEET_BASE_URL.", advice: [.installation(.showSettings)])
    }
}
