import Planning
import Wording

/// A fault of a form, with the field that it belongs to.
struct FieldFault: Sendable {
    /// The variables of the list of all faults.
    static let names = ["hasFaults"]
    static let lists = ["faults": ["field", "text"]]

    /// The `id` of the field.
    let field: String
    /// The sentence for people, in the language of the page or in English.
    private let message: String
    /// The code of the refusal, by which the sentence is translated; `nil` if it is already.
    private let code: String?

    /// A fault with a sentence in the language of the page.
    init(field: String, text: String) {
        self.field = field
        message = text
        code = nil
    }

    /// The fault of a request that was refused.
    ///
    /// - Parameters:
    ///   - error: the reason.
    ///   - field: the field that it is about; `nil` to find it by the code of the refusal.
    /// - Throws: `error` if it is a bug or a fault of this installation, and not a refusal.
    init(_ error: any Error, field: String? = nil) throws {
        let refusal = Refusal(error)
        guard refusal.category != .bug, refusal.fault == nil else { throw error }
        self.field = field ?? Self.field(of: refusal.code)
        message = refusal.message
        code = refusal.code
    }

    /// True if fewer seats were asked for than people are going, which can be confirmed.
    var isAboutGoing: Bool { code == "seats_below_going" }

    /// The sentence for people.
    func text(_ words: PageWords) -> String {
        code.flatMap { words.refusal($0) } ?? message
    }

    private static let fields: [(part: String, field: String)] = [
        ("seats", "seats"), ("minimum", "minimum"), ("audience", "audience"),
        ("title", "title"), ("answer_by", "answerBy"), ("person", "who"), ("address", "who"),
        ("guest", "who"),
        ("circle", "who"), ("place", "place"), ("city", "city"), ("interest", "interest"),
        ("duration", "duration"), ("repe", "repeat"), ("rule", "repeat"),
        ("reminder", "reminders"), ("zone", "zone"), ("link", "link"),
        ("note", "note"), ("message", "text"),
    ]

    private static func field(of code: String) -> String {
        fields.first { code.contains($0.part) }?.field ?? "date"
    }

    /// The variables that show faults beside the fields of a form.
    static let besideNames = beside.map(\.name)

    /// The variables, each with the fields beside which it stands.
    private static let beside: [(name: String, fields: [String])] = [
        ("titleFault", ["title"]), ("placeFault", ["city", "place", "interest"]),
        ("whenFault", ["date"]), ("durationFault", ["duration"]), ("repeatFault", ["repeat"]),
        ("lastDayFault", ["lastDay"]), ("answerByFault", ["answerBy"]),
        ("linkFault", ["link"]), ("remindersFault", ["reminders"]), ("zoneFault", ["zone"]),
        ("noteFault", ["note"]), ("textFault", ["text"]), ("nameFault", ["name"]),
        ("emailsFault", ["email-0"]), ("phonesFault", ["phone-0"]), ("townFault", ["town"]),
        ("birthdayFault", ["birthday"]), ("languageFault", ["language"]),
    ]

    /// The faults beside the fields of a form.
    static func besideValues(_ faults: [FieldFault], _ words: PageWords) -> TemplateValues {
        var values: TemplateValues = [:]
        for (name, fields) in beside {
            values[text: name] = faults.first { fields.contains($0.field) }?.text(words)
        }
        return values
    }

    /// The variables that show faults above a form.
    static func values(_ faults: [FieldFault], _ words: PageWords) -> TemplateValues {
        [
            "hasFaults": .flag(!faults.isEmpty),
            "faults": .list(
                faults.map { ["field": .text($0.field), "text": .text($0.text(words))] }),
        ]
    }
}

extension Site {
    /// The sentence about an error for the reader of a page.
    ///
    /// - Throws: `error` if it is a bug or a fault of this installation, and not a refusal.
    func sentence(_ error: any Error, _ visitor: Visitor) throws -> String {
        try FieldFault(error).text(Frame(visitor: visitor).words(world))
    }
}
