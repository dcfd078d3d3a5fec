public import Agenda
import GRDB
public import Ledger
public import Timekeeping

/// An account that follows another one, or that asked to follow it.
public struct Follow: Equatable, Sendable {
    /// The other person: the follower, or the person who is followed.
    public let person: Person
    /// False while the followed account has not decided about the request.
    public let isAccepted: Bool
    /// The time at which the follower asked.
    public let askedAt: Moment

    init(row: Row) {
        person = Person(id: PersonID(text: row["id"]), name: row["name"])
        isAccepted = row["is_accepted"]
        askedAt = Moment(milliseconds: row["asked_at"])
    }
}

/// A list of follows of one account.
public enum FollowList: CaseIterable, Sendable {
    /// The accounts that follow it.
    case followers
    /// The accounts that asked to follow it, and on which it has to decide.
    case requests
    /// The accounts that it follows or asked to follow.
    case following
}

/// A place in a list of follows or blocks, after which a page of it begins.
public struct FollowPlace: Equatable, Sendable {
    let at: Int64
    let id: String

    /// The place of the last row of a page.
    public init(after person: PersonID, at moment: Moment) {
        (at, id) = (moment.milliseconds, person.text)
    }

    /// Reads a place from its ``text``; `nil` for other texts.
    public init?(text: String) {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 2, let at = Int64(parts[0]), !parts[1].isEmpty else { return nil }
        (self.at, id) = (at, String(parts[1]))
    }

    /// The place in links and in answers to programs.
    public var text: String { "\(at)-\(id)" }

    /// The arguments of a query, which returns the latest rows first.
    static func arguments(_ place: FollowPlace?) -> StatementArguments {
        ["at": place?.at ?? .max, "id": place?.id ?? ""]
    }
}

/// The result of asking to follow an account.
public enum FollowResult: Equatable, Sendable {
    /// The account is followed from now on.
    case followed
    /// The account has to approve the follower.
    case asked
    /// The follower followed it before, or asked before.
    case known(isAccepted: Bool)
    /// There is no such account, or one of both blocks the other.
    case unknown
}

/// What two accounts are to each other.
public struct FollowStanding: Equatable, Sendable {
    /// True if the reader follows the other account; false if they asked; `nil` if neither.
    public let follows: Bool?
    /// True if the other account follows the reader; false if it asked; `nil` if neither.
    public let isFollowed: Bool?
}
