public import Agenda
import GRDB
public import Ledger
import Timekeeping

extension Store {
    /// The most parts of a series that are searched for a date.
    private static let partsMax = 100

    /// The meeting to which a date of a series went when the series was split.
    ///
    /// - Parameters:
    ///   - meeting: the series.
    ///   - name: the name that the date had in it.
    /// - Returns: the meeting; `nil` if the date did not go to another.
    /// - Throws: ``StoreError``.
    public func continuation(of meeting: MeetingID, on name: String) async throws -> MeetingID? {
        try await read { db in
            var part = meeting
            for _ in 0..<Self.partsMax {
                guard let known = try Meeting.fetch(part, in: db), let next = known.continuedBy,
                    let last = known.series?.rule.lastName, last < name
                else { break }
                part = next
            }
            return part == meeting ? nil : part
        }
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
