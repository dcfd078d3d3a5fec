public import Agenda
public import Ledger
import Storage
import Timekeeping

extension Planner {
    /// The number of meetings to read per query.
    private static let allMeetingsRows = 500

    /// All meetings that the actor may see, past ones and cancelled ones too: as the owner, all of
    /// the installation.
    ///
    /// - Returns: their ids.
    /// - Throws: ``StoreError``.
    public func allMeetings() async throws -> [MeetingID] {
        actsAsOwner ? try await allOfInstallation() : try await ownMeetings()
    }

    private func allOfInstallation() async throws -> [MeetingID] {
        var all: [MeetingID] = []
        while true {
            let page = try await store.meetings(
                endingAfter: .earliest, after: all.last, limit: Self.allMeetingsRows)
            all += page
            guard page.count == Self.allMeetingsRows else { return all }
        }
    }

    /// The meetings that the actor organizes or takes part in, by their start.
    ///
    /// - Returns: their ids.
    /// - Throws: ``StoreError``.
    package func ownMeetings() async throws -> [MeetingID] {
        var all: [MeetingID] = []
        var last = (startsAt: Moment.earliest, id: "")
        while true {
            let page = try await store.meetings(
                of: actor.id, after: last, limit: Self.allMeetingsRows)
            all += page.map(\.id)
            guard let end = page.last, page.count == Self.allMeetingsRows else { return all }
            last = (end.startsAt, end.id.text)
        }
    }
}
