import Foundation

/// The address of a page of this site, below the public path prefix. All links are made here, so
/// that none can differ from its route.
enum Link: Equatable, Sendable {
    case today(day: String? = nil)
    case enter
    case signIn(
        next: String, isSent: Bool = false, isAgain: Bool = false, isEnded: Bool = false)
    case meetings(query: String = "")
    case new(saved: String? = nil)
    case meeting(_ id: String, date: String? = nil, saved: String? = nil)
    case links(_ id: String)
    case people(saved: String? = nil)
    case person(_ id: String, saved: String? = nil)
    case places(saved: String? = nil)
    case place(_ id: String, saved: String? = nil)
    case circles(saved: String? = nil)
    case circle(_ name: String, saved: String? = nil)
    case me(saved: String? = nil)
    case task(_ id: String)
    case welcome
    case mail(saved: String? = nil)
    case feeds(saved: String? = nil)
    case addresses(saved: String? = nil)
    case profile
    case account(_ id: String, saved: String? = nil)
    case followers(after: String? = nil, saved: String? = nil)
    case following(after: String? = nil, saved: String? = nil)
    case backup
    case reminders(saved: String? = nil)
    case pecks(saved: String? = nil)
    case channels(ofCircle: String? = nil, saved: String? = nil)
    case busyCalendars(saved: String? = nil)
    case feed
    case demo(since: Int)

    var path: String {
        switch self {
        case .today(let day): "/" + Self.query([("day", day)])
        case .enter: "/enter"
        case .signIn(let next, let isSent, let isAgain, let isEnded):
            "/sign-in"
                + Self.query([
                    ("next", next == "/" ? nil : next), ("sent", isSent ? "1" : nil),
                    ("again", isAgain ? "1" : nil), ("ended", isEnded ? "1" : nil),
                ])
        case .meetings(let query): "/meetings\(query)"
        case .new(let saved): "/new" + Self.query([("saved", saved)])
        case .meeting(let id, let date, let saved):
            "/m/\(Self.segment(id))" + Self.query([("date", date), ("saved", saved)])
        case .links(let id): "/m/\(Self.segment(id))/links"
        case .people(let saved): "/people" + Self.query([("saved", saved)])
        case .person(let id, let saved):
            "/people/\(Self.segment(id))" + Self.query([("saved", saved)])
        case .places(let saved): "/places" + Self.query([("saved", saved)])
        case .place(let id, let saved):
            "/places/\(PlacePath.of(id))" + Self.query([("saved", saved)])
        case .circles(let saved): "/circles" + Self.query([("saved", saved)])
        case .circle(let name, let saved):
            "/circles/\(Self.segment(name))" + Self.query([("saved", saved)])
        case .me(let saved): "/me" + Self.query([("saved", saved)])
        case .task(let id): "/tasks/\(Self.segment(id))"
        case .welcome: "/welcome"
        case .feed: "/feed"
        case .demo(let count): "/demo" + Self.query([("since", "\(count)")])
        case .feeds(let saved): "/me/feeds" + Self.query([("saved", saved)])
        case .addresses(let saved): "/me/addresses" + Self.query([("saved", saved)])
        case .profile: "/me/profile"
        case .account(let id, let saved):
            "/@\(Self.segment(id))" + Self.query([("saved", saved)])
        case .followers(let after, let saved):
            "/me/followers" + Self.query([("after", after), ("saved", saved)])
        case .following(let after, let saved):
            "/me/following" + Self.query([("after", after), ("saved", saved)])
        case .backup: "/me/backup"
        case .pecks(let saved): "/pecks" + Self.query([("saved", saved)])
        case .reminders(let saved): "/me/reminders" + Self.query([("saved", saved)])
        case .channels(let circle, let saved):
            (circle.map { "/circles/\(Self.segment($0))" } ?? "/me") + "/channels"
                + Self.query([("saved", saved)])
        case .busyCalendars(let saved): "/me/calendars" + Self.query([("saved", saved)])
        case .mail(let saved): "/me/mail" + Self.query([("saved", saved)])
        }
    }

    /// A path of this site that was given by somebody else; `nil` if it may lead elsewhere.
    static func local(_ path: String) -> String? {
        guard path.hasPrefix("/"), !path.hasPrefix("//"),
            path.unicodeScalars.allSatisfy({ $0.value > 0x20 && $0.value < 0x7F && $0 != "\\" })
        else { return nil }
        return path
    }

    private static let unreserved = CharacterSet(
        charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")

    /// A text with everything percent-encoded but letters, digits and `-._~` (RFC 3986, 2.3).
    ///
    /// - Parameters:
    ///   - text: the text.
    ///   - more: characters that stay as they are, too.
    /// - Returns: the encoded text.
    static func segment(_ text: String, and more: String = "") -> String {
        text.addingPercentEncoding(
            withAllowedCharacters: unreserved.union(CharacterSet(charactersIn: more))) ?? ""
    }

    private static func query(_ fields: [(name: String, value: String?)]) -> String {
        let pairs = fields.compactMap { field in
            field.value.map { "\(field.name)=\(segment($0))" }
        }
        return pairs.isEmpty ? "" : "?" + pairs.joined(separator: "&")
    }
}

extension Link {
    /// The page to sign in, for a request that needs it. It leads back to the page that was asked
    /// for, or on which the form stands.
    init(signingInFor request: PageRequest) {
        self =
            request.verb == .get
            ? .signIn(next: request.target)
            : .signIn(next: Self.page(ofForm: request), isEnded: request.path != "/sign-out")
    }

    /// The page on which a form stands.
    static func page(ofForm request: PageRequest) -> String {
        let parts = request.path.split(separator: "/")
        let forms: Set<Substring> = ["edit", "invite", "message", "cancel", "uncancel", "nudge"]
        let pages: Set<Substring> = [
            "addresses", "reminders", "profile", "delete", "backup", "followers", "following",
        ]
        return switch (parts.first, parts.count) {
        case ("m", 3) where forms.contains(parts[2]): request.target
        case ("m", 3): "/m/\(parts[1])"
        case ("new", _): "/new"
        case ("people", _): "/people"
        case ("places", _): "/places"
        case ("circles", _): "/circles"
        case ("pecks", _): "/pecks"
        case ("me", 2...) where pages.contains(parts[1]): "/me/\(parts[1])"
        case ("me", _): "/me"
        case ("tasks", 3): "/tasks/\(parts[1])"
        case (let first?, 1) where first.hasPrefix("@"): "/\(first)"
        default: "/"
        }
    }
}
