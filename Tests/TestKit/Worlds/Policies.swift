public import Planning
public import Timekeeping

extension Planner {
    /// Sets a person's reminder times before the start of meetings; `nil` for those of each
    /// meeting.
    @discardableResult
    public func setReminders(
        _ spans: [TimeSpan]?, of who: String?, saving: Bool = true
    ) async throws -> PolicyOutcome<PolicyView> {
        var edit = PolicyEdit()
        edit.reminders = spans.map { .own($0) } ?? .asEachMeetingSays
        return try await setPolicy(edit, of: who, saving: saving)
    }
}
