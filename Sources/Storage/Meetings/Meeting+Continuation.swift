public import Agenda
import GRDB
public import Ledger
import Timekeeping

extension Store {
    /// The meeting to which a date of a series went when the series was split.
    ///
    /// - Parameters:
    ///   - meeting: the series.
    ///   - name: the name that the date had in it.
    /// - Returns: the meeting; `nil` if the date did not go to another.
    /// - Throws: ``StoreError``.
    public func continuation(of meeting: MeetingID, on name: String) async throws -> MeetingID? {
        try await read { db in
            try String.fetchOne(
                db.cachedStatement(
                    sql: """
                        SELECT id FROM meeting
                        WHERE continues_id = :series AND continues_after < :name
                        ORDER BY continues_after DESC LIMIT 1
                        """), arguments: ["series": meeting.text, "name": name])
        }.map { MeetingID(text: $0) }
    }
}

extension Meeting {
    /// Notes that this meeting contains the dates after the present end of a series.
    func noteContinuation(of series: Meeting, in db: Database) throws {
        guard let last = series.series?.rule.lastName else { return }
        try db.cachedStatement(
            sql: """
                UPDATE meeting SET continues_id = :series, continues_after = :last
                WHERE id = :id
                """
        ).execute(arguments: ["series": series.id.text, "last": last, "id": id.text])
    }
}

extension RecurrenceRule {
    /// The last name that a date can have; `nil` if there is none.
    fileprivate var lastName: String? {
        guard case .until(let stamp) = end else { return nil }
        guard case .day = stamp else { return stamp.description }
        return "\(stamp.description)T235959"
    }
}
