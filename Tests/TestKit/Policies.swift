public import Planning
public import Timekeeping

extension Planner {
    /// Sets how long before a start somebody is reminded; `nil` for what each meeting says.
    @discardableResult
    public func setReminders(
        _ spans: [TimeSpan]?, of who: String?, saving: Bool = true
    ) async throws -> PolicyOutcome {
        var edit = PolicyEdit()
        edit.reminders = spans.map { .own($0) } ?? .asEachMeetingSays
        return try await setPolicy(edit, of: who, saving: saving)
    }
}
