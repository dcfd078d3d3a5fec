public import Agenda
public import Ledger
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
    /// The meetings that have ended.
    case past
}

extension Planner {
    /// The most rows that a list shows by default.
    public static let listRowsMax = 10_000

    /// The meetings of a scope.
    public func meetings(_ scope: MeetingScope) async throws -> MeetingLines {
        var filter = visible(limit: Self.listRowsMax + 1)
        switch scope {
        case .coming: filter.endsAfter = now
        case .mine:
            filter.endsAfter = now
            filter.organizer = actor.id
        case .invited:
            filter.endsAfter = now
            filter.invited = actor.id
        case .past: filter.endsBefore = now
        }
        return try await lines(filter)
    }

    /// The meetings of one day in the actor's time zone.
    public func meetings(on date: CivilDate) async throws -> MeetingLines {
        var filter = visible(limit: Self.listRowsMax + 1)
        filter.endsAfter = zone.moment(of: WallTime(date: date, time: .midnight))
        filter.startsBefore = zone.moment(of: WallTime(date: date.adding(days: 1), time: .midnight))
        return try await lines(filter, eachDate: true)
    }

    /// Converts the meetings that pass a filter to lines. The filter's limit is one more than is
    /// shown, to find out whether there are more.
    private func lines(
        _ filter: MeetingFilter, eachDate isEachDate: Bool = false
    ) async throws -> MeetingLines {
        try MeetingLines(
            try await summaries(filter, eachDate: isEachDate), countMax: filter.limit - 1,
            reader: zone,
            zone: zone(named:))
    }

    /// One meeting with its people.
    ///
    /// - Parameters:
    ///   - id: the meeting.
    ///   - date: the date of a series to show; `nil` for the whole series.
    /// - Returns: the meeting in its current state.
    /// - Throws: ``Refusal``.
    public func meeting(_ id: MeetingID, on date: String? = nil) async throws -> MeetingView {
        let bundle = try await bundle(id)
        return try date.map {
            try view(bundle, on: try drafting.date($0, of: bundle.meeting, pastToo: true))
        } ?? view(bundle)
    }
}
