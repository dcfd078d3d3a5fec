import Agenda
import Ledger
import Secrets
import Settings
import Storage
import Timekeeping

/// A feed, with the addresses by which programs read it.
public struct FeedView: Encodable, Sendable {
    /// The id.
    public let id: String
    /// Whose meetings it shows; `null` where they are a circle's.
    @Null public var person: String?
    /// The circle, where it shows what its people were asked to as such; `null` of a person.
    @Null public var circle: String?
    /// Whether it reminds who reads it.
    public let alarms: Bool
    /// Whether it says only when somebody is busy, and not why.
    public let busyOnly: Bool
    /// Its address; `null` where nobody knows at which address the daemon answers.
    @Null public var url: String?
    /// The same for programs that subscribe to such links; `null` as well.
    @Null public var webcal: String?
    /// The path of its address; `null` where that was made with another key than this
    /// installation has now.
    @Null public var path: String?
    /// When it was made.
    public let made: Timestamp

    /// The name of the person or circle.
    public var name: String { person ?? circle ?? "" }
}

/// What was done to a feed.
public struct FeedOutcome: Encodable, Sendable {
    /// The feed.
    public let feed: FeedView
    /// What else there is to know, in sentences.
    public let remarks: [String]
}

extension Planner {
    /// The most feeds that a list shows.
    private static let feedsMax = 10_000

    /// Makes a private address by which calendar programs read the meetings of a person, or those
    /// to which a circle was asked.
    ///
    /// - Parameters:
    ///   - who: the person or the circle; `nil` for the actor.
    ///   - hasAlarms: whether it reminds who reads it.
    ///   - isBusyOnly: whether it says only when they are busy, and not why.
    /// - Returns: the feed with its address.
    /// - Throws: ``Refusal`` with `unknown_person` or `ambiguous_person`, and with `not_allowed`
    ///   where it is somebody else's.
    public func addFeed(
        of who: String?, hasAlarms: Bool, isBusyOnly: Bool = false
    ) async throws -> FeedOutcome {
        let (subject, name) = try await feedSubject(who)
        let key = try KeyFile.key(of: surroundings.home, surroundings.chance)
        let remarks = try remarksOnFeeds()
        let id: FeedID = surroundings.chance.id()
        let feed = Feed(
            id: id, owner: actor.id, subject: subject, name: name, hasAlarms: hasAlarms,
            isBusyOnly: isBusyOnly, madeAt: now, hash: key.token(of: id).hash)
        try await store.addFeed(feed)
        return FeedOutcome(feed: try view(of: feed, by: key), remarks: remarks)
    }

    /// The feeds that the actor made or that show their meetings; the owner sees all.
    public func feeds() async throws -> [FeedView] {
        let feeds = try await store.feeds(of: actsAsOwner ? nil : actor.id, limit: Self.feedsMax)
        guard !feeds.isEmpty else { return [] }
        let key = try KeyFile.key(of: surroundings.home, surroundings.chance)
        return try feeds.map { try view(of: $0, by: key) }
    }

    /// Makes feeds good for nothing: who reads them is told that there are none.
    ///
    /// - Parameter names: their ids, or their addresses.
    /// - Returns: the feeds that were.
    /// - Throws: ``Refusal`` with `unknown_feed` or `ambiguous_feed`; nothing has changed then.
    public func revokeFeeds(_ names: [String]) async throws -> [FeedView] {
        let known = try await feeds()
        let meant = try names.map { name throws(Refusal) in try Self.feed(name, among: known) }
        try await store.removeFeeds(meant.map { FeedID(text: $0.id) })
        return meant.reduce(into: []) { feeds, feed in
            if !feeds.contains(where: { $0.id == feed.id }) { feeds.append(feed) }
        }
    }

    private func feedSubject(_ who: String?) async throws -> (Feed.Subject, name: String) {
        guard let who else { return (.person(actor.id), actor.name) }
        switch try await searching({ try $0.meaning(of: who) }) {
        case .person(let person):
            guard person.id == actor.id || actsAsOwner else {
                throw Refusal(
                    .refused, code: "not_allowed",
                    "The feed of \(person.name) is for them to make, and for \(owner.name).")
            }
            return (.person(person.id), person.name)
        case .circle(let circle, _):
            let own = try await store.lookUp { [actor] people in
                try people.circle(named: circle.name, of: actor.id)
            }
            guard own?.id == circle.id || actsAsOwner else {
                throw Refusal(
                    .refused, code: "not_allowed",
                    "The circle \(circle.name) is \(owner.name)'s: its feed is for them to make.")
            }
            return (.circle(circle.id), circle.name)
        case .stranger(_, let address):
            throw Refusal(
                .refused, code: "unknown_person",
                "Nobody here has the address \(address): add them first, with letsmeet people add."
            )
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
                .refused, code: "unknown_feed",
                "There is no feed \(name). Those that there are, lists: letsmeet calendar feed list"
            )
        }
        guard found.count == 1 else {
            throw Refusal(
                .refused, code: "ambiguous_feed", "Several feeds begin with \(name).",
                candidates: found.map { .word($0.id) })
        }
        return feed
    }

    /// An id is named by its first characters, at least so many.
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
            busyOnly: feed.isBusyOnly,
            url: url,
            webcal: url.map { "webcal" + $0.drop { $0 != ":" } }, path: path,
            made: Timestamp(feed.madeAt, reader: zone))
    }

    /// At which address programs reach the daemon; where others have none, on this machine.
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

    private func remarksOnFeeds() throws(Refusal) -> [String] {
        var remarks = [
            "Programs read it now and then, some once an hour and some once a day: what changes "
                + "at short notice, mails tell."
        ]
        let base = try baseOfFeeds()
        if base == nil {
            remarks.append(
                "Nobody knows at which address letsmeetd answers: set base.url in letsmeet.yaml, "
                    + "or LETSMEET_BASE_URL.")
        } else if let base, base.hasPrefix("http://127.") || base.hasPrefix("http://[::1]") {
            remarks.append(
                "Only programs on this machine reach it: for others set base.url in "
                    + "letsmeet.yaml, or LETSMEET_BASE_URL.")
        }
        return remarks
    }
}

extension InstallationKey {
    /// What nobody can guess of a feed's address.
    fileprivate func token(of feed: FeedID) -> AccessToken { token(of: ["feed", feed.text]) }
}
