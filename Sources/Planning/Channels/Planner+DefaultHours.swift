public import Agenda
import Settings
public import Storage

/// The quiet hours of a circle.
public struct CircleHoursView: Encodable, Sendable {
    /// The circle.
    public let circle: CircleView
    /// The quiet hours; empty if it has none.
    public let quietHours: [String]

    init(_ circle: Circle, _ hours: SendingHours?) {
        self.circle = CircleView(circle)
        quietHours = (hours?.quiet ?? []).map(\.description)
    }
}

extension Planner {
    /// The reason of deliveries that other quiet hours supersede.
    static let otherHours = "the quiet hours changed"

    /// Checks quiet hours and send windows.
    ///
    /// - Throws: ``Refusal`` with `too_many_hours` or `never_sent`.
    package static func hours(
        quiet: [WeekSpan], windows: [WeekSpan] = []
    ) throws(Refusal) -> SendingHours {
        do throws(SendingHoursError) {
            return try SendingHours(quiet: quiet.uniqued(), windows: windows.uniqued())
        } catch {
            let code =
                switch error {
                case .tooMany: "too_many_hours"
                case .never: "never_sent"
                }
            throw Refusal(.invalid, code: code, error.description)
        }
    }

    /// Reads quiet hours as the setting `quiet-hours` gives them: separated by commas.
    ///
    /// - Throws: ``Refusal`` with `bad_setting`, `too_many_hours` or `never_sent`.
    package static func quietHours(in text: String) throws(Refusal) -> SendingHours {
        var spans: [WeekSpan] = []
        for part in text.split(separator: ",") {
            do throws(WeekSpanError) {
                spans.append(try WeekSpan.parse(String(part)))
            } catch {
                throw Refusal(.invalid, code: "bad_setting", "\(error)")
            }
        }
        return try hours(quiet: spans)
    }

    /// Replans the coming meetings if the setting `quiet-hours` has changed since they were
    /// planned.
    ///
    /// - Returns: as ``followSinks()``; `nil` if the setting has not changed.
    /// - Throws: ``Refusal`` if the setting is not valid, or ``StoreError``.
    public func followQuietHours() async throws -> ReplanCount? {
        let hours = try Self.quietHours(in: surroundings.configuration[.quietHours] ?? "")
        guard try await store.installationHours() != hours else { return nil }
        // They are checked again before each attempt, so they count even if replanning fails.
        try await store.saveInstallationHours(hours)
        return try await replanComing(because: Self.otherHours)
    }

    /// The quiet hours of a circle.
    ///
    /// - Throws: ``Refusal`` with `not_allowed`, or ``StoreError``.
    public func quietHours(of circle: Circle) async throws -> CircleHoursView {
        try checkIsOwner(to: "see the quiet hours of a circle")
        return CircleHoursView(circle, try await store.circleHours(circle.id))
    }

    /// Changes the quiet hours of a circle: of its people who have chosen none themselves.
    ///
    /// - Parameters:
    ///   - spans: the quiet hours; empty for none.
    ///   - circle: the circle.
    ///   - saving: true to save the change; false for a preview.
    /// - Returns: the hours and the changes of the ledger.
    /// - Throws: ``Refusal`` with `not_allowed`, `too_many_hours` or `never_sent`.
    public func setQuietHours(
        _ spans: [WeekSpan], of circle: Circle, saving: Bool
    ) async throws -> PolicyOutcome<CircleHoursView> {
        // They delay the messages of other organizers, too.
        try checkIsOwner(to: "set the quiet hours of a circle")
        let hours = try Self.hours(quiet: spans)
        let revisions = try await store.setHours(
            hours, of: circle.id, now: now, saving: saving,
            replanning: replanning(because: Self.otherHours))
        return PolicyOutcome(
            policy: CircleHoursView(circle, hours),
            notifications: notifications(revisions), daemon: daemonPresence, remarks: [])
    }
}
