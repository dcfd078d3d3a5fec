import Agenda
import Ledger
import Storage
public import Timekeeping

/// The meetings that a list shows.
public enum MeetingScope: Sendable {
    /// The meetings that have not ended.
    case coming
    /// The meetings that have not ended and that the actor organizes.
    case mine
    /// The meetings that have not ended and to which the actor is invited.
    case invited
    /// The meetings that have not ended and that the actor joined, or for a seat in which they
    /// wait.
    case joined
    /// The meetings that have ended.
    case past
    /// The meetings that are cancelled and would not have ended.
    case cancelled
}

/// The conditions for a list of meetings.
public struct MeetingQuery: Sendable {
    /// The kind of meetings.
    public var scope: MeetingScope
    /// True for meetings that the actor organizes only.
    public var isMine = false
    /// True for meetings only that the actor joined, for whose seats they wait, or that they asked
    /// to join.
    public var isJoined = false
    /// True for meetings only that the actor may join without an invitation.
    public var isJoinable = false
    /// True for meetings only that the actor may join, of organizers whom they follow.
    public var isOfFriends = false
    /// A text in the title or the place; capitals and accents do not matter.
    public var text = ""
    /// A text in the place; capitals and accents do not matter.
    public var place = ""
    /// Only meetings of all these people: names, addresses, or ids.
    public var people: [String] = []
    /// Only meetings to which this circle of the actor was invited: its name.
    public var circle: String?
    /// Only meetings that end on this day or later, also if they have ended.
    public var from: CivilDate?
    /// Only meetings that start on this day or earlier.
    public var through: CivilDate?
    /// The most meetings to list. A text or a place is looked for among this many.
    public var countMax = Planner.listRowsMax

    /// Creates the conditions for all meetings of a kind.
    public init(_ scope: MeetingScope = .coming) { self.scope = scope }

    fileprivate func matches(_ summary: MeetingSummary) -> Bool {
        let found = summary.place ?? ""
        return Self.contains(text, in: [summary.title, found])
            && Self.contains(place, in: [found])
    }

    private static func contains(_ text: String, in texts: [String]) -> Bool {
        let key = SearchKey.fold(text)
        // A text without letters and digits, such as "%", has no key.
        return key.isEmpty
            ? text.isEmpty || texts.contains { $0.contains(text) }
            : texts.contains { SearchKey.fold($0).contains(key) }
    }
}

extension Planner {
    /// The meetings of a scope.
    public func meetings(_ scope: MeetingScope) async throws -> MeetingLines {
        try await meetings(MeetingQuery(scope))
    }

    /// The meetings that meet conditions. Between two days, each date of a series is listed;
    /// otherwise its next or last one.
    ///
    /// - Parameter query: the conditions.
    /// - Returns: the meetings: the earliest first, past ones the latest first.
    /// - Throws: ``Refusal`` with `unknown_person`, `ambiguous_person` or `unknown_circle`, or with
    ///   `bad_time` if the last day is before the first.
    public func meetings(_ query: MeetingQuery) async throws -> MeetingLines {
        if let from = query.from, let through = query.through, through < from {
            throw Refusal(
                .invalid, code: "bad_time", "The last day, \(through), is before \(from).")
        }
        var filter = filter(of: query.scope, limit: query.countMax + 1)
        if query.isMine { filter.organizer = actor.id }
        if query.isJoined { filter = joined(filter) }
        if query.isJoinable || query.isOfFriends { filter = joinable(filter) }
        if query.isOfFriends { filter.follower = actor.id }
        for who in query.people { filter.guests.append(try await person(named: who).id) }
        if let name = query.circle { filter.circle = try await circle(named: name).id }
        if let from = query.from { filter.endsAfter = midnight(of: from) }
        filter.startsBefore = query.through.map { midnight(of: $0.adding(days: 1)) }
        let isEachDate = query.through != nil && filter.endsBefore == nil
        return try await lines(filter, eachDate: isEachDate, where: query.matches)
    }

    private func midnight(of day: CivilDate) -> Moment {
        zone.moment(of: WallTime(date: day, time: .midnight))
    }

    private func filter(of scope: MeetingScope, limit: Int) -> MeetingFilter {
        var filter = visible(limit: limit)
        if scope == .past { filter.endsBefore = now } else { filter.endsAfter = now }
        switch scope {
        case .coming, .past: break
        case .mine: filter.organizer = actor.id
        case .invited: filter.invited = actor.id
        case .joined: filter.joined = actor.id
        case .cancelled: filter.isOnlyCancelled = true
        }
        return filter
    }
}
