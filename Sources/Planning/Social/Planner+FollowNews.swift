import Agenda
import Ledger
import Settings
import Storage
import Timekeeping
import Wording

/// The messages about follows. An account is told of the first follower at once, and of all others
/// within the following minutes in one message; of each follower at most once a day. Nobody is told
/// that a follow ended.
extension Planner {
    /// The minutes within which further followers are told of together.
    static let followMinutes: Int64 = 10
    /// The time for which the news may still be sent, in seconds: a week.
    private static let newsSeconds: Int64 = 7 * 86_400

    /// The messages to an account that the actor follows it, or asks to.
    ///
    /// - Parameter person: the account.
    /// - Returns: the message for a follower, and the one for a request; both `nil` if the account
    ///   was told of the actor today.
    /// - Throws: an error of the store or the templates.
    func newsOfFollower(
        for person: Person
    ) async throws -> (new: PreparedMessage?, request: PreparedMessage?) {
        let window = Self.followMinutes * 60
        let mark = NotificationMark(follower: actor.id.text, on: zone(of: person).date(at: now))
        let told = try await store.toldOfFollowers(
            person.id, mark: mark, since: now.advanced(bySeconds: -window))
        guard !told.isKnown else { return (nil, nil) }
        guard told.isRecent else {
            return (
                try await news(.follows, to: person, mark: mark, due: now),
                try await news(.asks, to: person, mark: mark, due: now)
            )
        }
        let next = Moment(
            milliseconds: (now.milliseconds / (window * 1000) + 1) * window * 1000)
        let all = try await news(
            .others, to: person, mark: NotificationMark(othersUntil: next), due: next)
        return (all, all)
    }

    /// The message to a follower that the actor accepted them; `nil` if they were told today.
    func newsOfAcceptance(for person: Person) async throws -> PreparedMessage? {
        let mark = NotificationMark(accepted: actor.id.text, on: zone(of: person).date(at: now))
        let told = try await store.toldOfFollowers(person.id, mark: mark, since: now)
        return told.isKnown ? nil : try await news(.accepted, to: person, mark: mark, due: now)
    }

    private func news(
        _ news: FollowFacts.News, to person: Person, mark: NotificationMark, due: Moment
    ) async throws -> PreparedMessage? {
        // As the account itself, with the address to which its mail goes.
        guard let reader = try await store.person(person.id) else { return nil }
        let base = try surroundings.configuration.baseURL()
        let path = news == .accepted ? "@\(actor.id.text)" : "me/followers"
        let facts = FollowFacts(
            news, about: news == .others ? "" : PersonLine(actor, isPrivate: true).name,
            for: PersonLine(reader, isPrivate: true).name,
            link: base.map { "\($0.text)/\(path)" })
        let hours = try await store.sendingHours(of: reader.id)?.hours ?? .always
        return delivery(
            .follow, to: reader, mark: mark, due: due,
            until: due.advanced(bySeconds: Self.newsSeconds),
            hours: LocalHours(hours, in: zone(of: reader)),
            try surroundings.templateLibrary().notification(facts, for: reader),
            own: try await store.ownChannels(of: reader.id),
            unwanted: try await store.mutedPeckKinds(of: reader.id))
    }
}

extension Zone {
    /// The local date at a moment.
    fileprivate func date(at moment: Moment) -> CivilDate { wallTime(at: moment).date }
}
