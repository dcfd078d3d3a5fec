import Planning
import Wording

/// The people who were never notified, and will be when another way to reach them is enabled.
struct UntoldPeople {
    /// The people and notifications, in a sentence; `nil` if there are none.
    let sentence: String?

    /// Describes a forecast.
    init(_ forecast: SinkForecast) {
        let parts = [
            (forecast.invitations, "invitation"), (forecast.changes, "change"),
            (forecast.messages, "message"),
        ].filter { $0.0 > 0 }.map { TimeWords.count($0.0, $0.1) }
        let people = TimeWords.count(forecast.people, "person was", plural: "people were")
        sentence =
            parts.isEmpty ? nil : "\(people) never notified: \(parts.joined(separator: ", "))."
    }

    /// When the notifications are sent, and how to prevent it. The name of the setting follows.
    ///
    /// A setting that was saved enables the other way to reach the people.
    static let sending =
        "They are sent when letsmeetd starts, or by: letsmeetd once. To send nothing, remove the "
        + "setting before: letsmeet config unset"
}
