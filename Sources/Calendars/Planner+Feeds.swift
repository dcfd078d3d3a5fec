public import Agenda
import Ledger
public import Planning
import Secrets
import Settings
import Storage
import Timekeeping

/// A feed, with the addresses at which programs read it.
public struct FeedView: Encodable, Sendable {
    /// The id.
    public let id: String
    /// The name of the person whose meetings it shows; `null` for a circle.
    @Null public var person: String?
    /// The name of the circle whose meetings it shows; `null` for a person.
    @Null public var circle: String?
    /// True if it contains alarms for its reader.
    public let alarms: Bool
    /// True if it shows only busy times, without the meetings.
    public let busyOnly: Bool
    /// True if it shows the birthdays of the person's contacts in place of meetings.
    public let birthdays: Bool
    /// The full address; `null` if no address of letsmeetd is known, or if `path` is `null`.
    @Null public var url: String?
    /// The address as a `webcal:` link for calendar programs; `null` if `url` is `null`.
    @Null public var webcal: String?
    /// The path of the address; `null` if it was created with another key than the current key of
    /// this installation.
    @Null public var path: String?
    /// The time of its creation.
    public let made: Timestamp

    /// The name of the person or circle.
    public var name: String { person ?? circle ?? "" }
}

/// The person or the circle whose meetings a feed shows.
public enum FeedSubject: Sendable {
    /// A person.
    case person(Person)
    /// A circle.
    case circle(Circle)

    fileprivate var stored: Feed.Subject {
        switch self {
        case .person(let person): .person(person.id)
        case .circle(let circle): .circle(circle.id)
        }
    }

    fileprivate var name: String {
        switch self {
        case .person(let person): person.name
        case .circle(let circle): circle.name
        }
    }
}

/// The result of the creation of a feed.
public struct FeedOutcome: Encodable, Sendable {
    /// The feed.
    public let feed: FeedView
    /// Remarks for the reader.
    public let remarks: [Remark]
}

extension Planner {
    /// The maximum number of feeds in a list.
    private static let feedsMax = 10_000

    /// Creates a feed: a private address at which calendar programs read the meetings of a person,
    /// or those to which a circle was invited.
    ///
    /// - Parameters:
    ///   - subject: the person or the circle.
    ///   - hasAlarms: true to include alarms for the reader.
    ///   - isBusyOnly: true to show only busy times, without the meetings.
    /// - Returns: the feed with its address.
    /// - Throws: ``Refusal`` with `not_allowed` if the actor may not create a feed for this person
    ///   or circle.
    public func addFeed(
        of subject: FeedSubject, hasAlarms: Bool, isBusyOnly: Bool = false
    ) async throws -> FeedOutcome {
        try await addFeed(
            of: subject, hasAlarms: hasAlarms, isBusyOnly: isBusyOnly, isOfBirthdays: false)
    }

    private func addFeed(
        of subject: FeedSubject, hasAlarms: Bool, isBusyOnly: Bool, isOfBirthdays: Bool
    ) async throws -> FeedOutcome {
        try await checkMayAddFeed(of: subject)
        let key = try KeyFile.key(of: surroundings.home, surroundings.chance)
        let remarks = try remarksOnFeeds()
        let id: FeedID = surroundings.chance.id()
        var feed = Feed(
            id: id, owner: actor.id, subject: subject.stored, name: subject.name,
            hasAlarms: hasAlarms,
            isBusyOnly: isBusyOnly, madeAt: now, hash: key.token(of: id).hash)
        feed.isOfBirthdays = isOfBirthdays
        try await store.addFeed(feed)
        return FeedOutcome(feed: try view(of: feed, by: key), remarks: remarks)
    }

    /// Creates a feed of the birthdays of the actor's contacts.
    ///
    /// - Returns: the feed with its address.
    /// - Throws: ``Refusal``.
    public func addBirthdayFeed() async throws -> FeedOutcome {
        try await addFeed(
            of: .person(actor), hasAlarms: false, isBusyOnly: false, isOfBirthdays: true)
    }

    /// The feeds that the actor created or that show the actor's meetings. The owner sees all.
    public func feeds() async throws -> [FeedView] {
        try await feeds(of: actsAsOwner ? nil : actor.id)
    }

    /// The feeds that the actor created or that show the actor's meetings. The owner sees no others
    /// here either.
    public func ownFeeds() async throws -> [FeedView] { try await feeds(of: actor.id) }

    /// The feeds that the actor created of a circle.
    public func feeds(of circle: Circle) async throws -> [FeedView] {
        try await feeds(of: actor.id) { $0.subject == .circle(circle.id) }
    }

    /// The feeds of a person that meet a condition; those of everybody for `nil`.
    private func feeds(
        of person: PersonID?, where isWanted: (Feed) -> Bool = { _ in true }
    ) async throws -> [FeedView] {
        let feeds = try await store.feeds(of: person, limit: Self.feedsMax).filter(isWanted)
        guard !feeds.isEmpty else { return [] }
        let key = try KeyFile.key(of: surroundings.home, surroundings.chance)
        return try feeds.map { try view(of: $0, by: key) }
    }

    /// Revokes feeds: their addresses stop working, and readers get a "not found" answer.
    ///
    /// - Parameter names: the addresses of the feeds, their ids, or at least the first four
    ///   characters of their ids.
    /// - Returns: the revoked feeds.
    /// - Throws: ``Refusal`` with `unknown_feed` or `ambiguous_feed`; nothing is changed then.
    public func revokeFeeds(_ names: [String]) async throws -> [FeedView] {
        let known = try await feeds()
        let meant = try names.map { name throws(Refusal) in try Self.feed(name, among: known) }
        try await store.removeFeeds(meant.map { FeedID(text: $0.id) })
        return meant.reduce(into: []) { feeds, feed in
            if !feeds.contains(where: { $0.id == feed.id }) { feeds.append(feed) }
        }
    }

    /// The person or the circle that a text means.
    ///
    /// - Throws: ``Refusal`` with `unknown_person` or `ambiguous_person`.
    public func feedSubject(named who: String) async throws -> FeedSubject {
        switch try await searching({ try $0.meaning(of: who) }) {
        case .person(let person):
            try await checkIsOwn(person, meantBy: who)
            return .person(person)
        case .circle(let circle): return .circle(circle)
        case .stranger(_, let address): throw Self.nobody(at: address)
        }
    }

    private func checkMayAddFeed(of subject: FeedSubject) async throws {
        guard !actsAsOwner else { return }
        switch subject {
        case .person(let person):
            guard person.id != actor.id else { return }
            throw Refusal(
                .refused, code: "not_allowed",
                "Only \(person.name) and \(owner.name) can create a feed of \(person.name).")
        case .circle(let circle):
            let own = try await store.lookUp { [actor] people in
                try people.circle(named: circle.name, of: actor.id)
            }
            guard own?.id != circle.id else { return }
            throw Refusal(
                .refused, code: "not_allowed",
                "The circle \"\(circle.name)\" belongs to \(owner.name). Only they can create "
                    + "its feed.")
        }
    }

    private static func feed(
        _ name: String, among known: [FeedView]
    ) throws(Refusal) -> FeedView {
        let found = known.filter { feed in
            feed.id.hasPrefix(name.lowercased()) && name.count >= Self.prefixCharactersMin
                || feed.url == name || feed.webcal == name || feed.path == name
        }
        guard let feed = found.first else {
            throw Refusal(
                .refused, code: "unknown_feed", "There is no feed \"\(name)\".",
                advice: [.calendars(.listFeeds)])
        }
        guard found.count == 1 else {
            throw Refusal(
                .refused, code: "ambiguous_feed",
                "The ids of several feeds begin with \"\(name)\".",
                candidates: found.map { .word($0.id) })
        }
        return feed
    }

    /// The minimum number of characters by which an id can be abbreviated.
    private static let prefixCharactersMin = 4

    private func view(of feed: Feed, by key: InstallationKey) throws -> FeedView {
        let token = key.token(of: feed.id)
        let path = token.hash == feed.hash ? "/cal/\(token.text).ics" : nil
        let url = try baseOfFeeds().flatMap { base in path.map { base + $0 } }
        var (person, circle): (String?, String?) = (nil, nil)
        switch feed.subject {
        case .person: person = feed.name
        case .circle: circle = feed.name
        }
        return FeedView(
            id: feed.id.text, person: person, circle: circle, alarms: feed.hasAlarms,
            busyOnly: feed.isBusyOnly, birthdays: feed.isOfBirthdays,
            url: url,
            webcal: url.map { "webcal" + $0.drop { $0 != ":" } }, path: path,
            made: Timestamp(feed.madeAt, reader: zone))
    }

    /// The address at which programs reach the daemon: the public one if it is set, otherwise the
    /// address on which it listens, which may work on this machine only.
    private func baseOfFeeds() throws(Refusal) -> String? {
        do throws(SettingsError) {
            if let base = try surroundings.configuration.baseURL() { return base.text }
            guard
                case .network(let host, let port)? = try surroundings.configuration
                    .listenAddress(), port > 0, !["0.0.0.0", "::"].contains(host)
            else { return nil }
            return "http://\(ListenAddress.network(host: host, port: port))"
        } catch {
            throw Refusal(error)
        }
    }

    private func remarksOnFeeds() throws(Refusal) -> [Remark] {
        var remarks = [
            Remark(
                "Calendar programs refresh feeds every hour to every day. Changes at short notice "
                    + "also go out by mail.")
        ]
        let base = try baseOfFeeds()
        if base == nil {
            remarks.append(
                Remark(
                    "The public address of this installation is not set. Set `base.url` in "
                        + "letsmeet.yaml, or LETSMEET_BASE_URL."))
        } else if let base, base.hasPrefix("http://127.") || base.hasPrefix("http://[::1]") {
            remarks.append(
                Remark(
                    "Only programs on this machine can read it. For others, set `base.url` in "
                        + "letsmeet.yaml, or LETSMEET_BASE_URL."))
        }
        return remarks
    }
}

extension InstallationKey {
    /// The secret part of a feed's address.
    fileprivate func token(of feed: FeedID) -> AccessToken { token(of: ["feed", feed.text]) }
}
