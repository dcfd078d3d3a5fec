import Planning
import Wording

/// A fault of a form, with the field that it belongs to.
struct FieldFault: Sendable {
    /// The variables of the list of all faults.
    static let names = ["hasFaults"]
    static let lists = ["faults": ["field", "text"]]

    /// The `id` of the field.
    let field: String
    /// The sentence for people.
    let text: String

    init(field: String, text: String) {
        self.field = field
        self.text = text
    }

    /// The fault of a request that was refused.
    ///
    /// - Throws: `error` if it is a bug and not a refusal.
    init(_ error: any Error) throws {
        let refusal = Refusal(error)
        guard refusal.category != .bug else { throw error }
        self.init(field: Self.field(of: refusal.code), text: refusal.message)
    }

    private static let fields: [(part: String, field: String)] = [
        ("title", "title"), ("person", "who"), ("address", "who"), ("guest", "who"),
        ("circle", "who"), ("place", "place"), ("city", "city"), ("interest", "interest"),
        ("duration", "duration"), ("repe", "repeat"), ("rule", "repeat"),
        ("reminder", "reminders"), ("link", "link"), ("note", "note"), ("message", "text"),
    ]

    private static func field(of code: String) -> String {
        fields.first { code.contains($0.part) }?.field ?? "date"
    }

    /// The variables that show faults above a form.
    static func values(_ faults: [FieldFault]) -> TemplateValues {
        [
            "hasFaults": .flag(!faults.isEmpty),
            "faults": .list(faults.map { ["field": .text($0.field), "text": .text($0.text)] }),
        ]
    }
}
