import Planning

/// The fields of a contact as a form shows them. Fields with several values have a line for each.
struct PersonFields: Equatable, Sendable {
    var name = ""
    var emails = ""
    var phones = ""
    var town = ""
    var zone = ""
    var language = ""
    var birthday = ""
    var note = ""

    /// A field.
    struct Field: Sendable {
        let name: String
        /// The `id` of the input, to which a fault leads.
        let input: String
        let path: any (WritableKeyPath<PersonFields, String> & Sendable)
        /// True if it has several values, each in an input of its own.
        var hasLines = false
    }

    static let all = [
        Field(name: "name", input: "name", path: \.name),
        Field(name: "email", input: "email-0", path: \.emails, hasLines: true),
        Field(name: "phone", input: "phone-0", path: \.phones, hasLines: true),
        Field(name: "town", input: "town", path: \.town),
        Field(name: "zone", input: "zone", path: \.zone),
        Field(name: "language", input: "language", path: \.language),
        Field(name: "birthday", input: "birthday", path: \.birthday),
        Field(name: "note", input: "note", path: \.note),
    ]
    /// The beginning of the names of fields that keep the state in which the form was opened.
    static let before = "was-"

    /// Empty fields.
    init() {}

    /// The fields of a contact.
    init(_ person: PersonView) {
        name = person.name
        emails = person.emails.map(\.address).joined(separator: "\n")
        phones = person.phones.map(\.number).joined(separator: "\n")
        (town, zone, language) = (person.town, person.tz ?? "", person.language ?? "")
        (birthday, note) = (person.birthday ?? "", person.note)
    }

    /// The fields of a submitted form.
    init(_ form: FormFields, before: String = "") {
        for field in Self.all {
            let texts = form.all(before + field.name)
            self[keyPath: field.path] =
                field.hasLines
                ? texts.map(Self.line).filter { !$0.isEmpty }.joined(separator: "\n")
                : form[before + field.name].replacing("\r\n", with: "\n")
        }
        trim()
    }

    /// A typed value without spaces around it, in one line.
    private static func line(_ text: String) -> String {
        text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }

    private mutating func trim() {
        (name, town) = (name[...].trimmingSpaces, town[...].trimmingSpaces)
        (zone, birthday) = (zone[...].trimmingSpaces, birthday[...].trimmingSpaces)
    }

    /// The values of a field with lines.
    static func lines(_ text: String) -> [String] { text.split(separator: "\n").map(String.init) }

    /// The edit that sets one field.
    func set(_ field: Field, in edit: inout ContactEdit) {
        let text = self[keyPath: field.path]
        switch field.name {
        case "name": edit.name = text
        case "email": edit.emails = Self.lines(text)
        case "phone": edit.phones = Self.lines(text)
        case "town": edit.town = text
        case "zone": edit.zone = text
        case "language": edit.language = text
        case "birthday": edit.birthday = text
        default: edit.note = text
        }
    }
}

/// A form after others may have changed the contact: the changes of this person win, everything
/// else is kept as the others left it.
struct PersonFieldMerge: Sendable {
    /// The fields to show and save.
    let fields: PersonFields
    /// The fields that both changed, by name, each with the value of the others.
    let conflicts: [(name: String, theirs: String)]
    /// The fields that differ from the contact.
    let changed: [PersonFields.Field]

    /// - Parameters:
    ///   - mine: the submitted fields.
    ///   - base: the fields as the form was opened.
    ///   - theirs: the fields as they are now.
    init(_ mine: PersonFields, since base: PersonFields, theirs: PersonFields) {
        var merged = theirs
        var conflicts: [(String, String)] = []
        var changed: [PersonFields.Field] = []
        for field in PersonFields.all
        where mine[keyPath: field.path] != base[keyPath: field.path] {
            merged[keyPath: field.path] = mine[keyPath: field.path]
            guard mine[keyPath: field.path] != theirs[keyPath: field.path] else { continue }
            changed.append(field)
            if theirs[keyPath: field.path] != base[keyPath: field.path] {
                conflicts.append((field.name, theirs[keyPath: field.path]))
            }
        }
        fields = merged
        self.conflicts = conflicts
        self.changed = changed
    }

    /// The edit that saves the changed fields.
    var edit: ContactEdit {
        changed.reduce(into: ContactEdit()) { fields.set($1, in: &$0) }
    }

    /// The faults of the changed fields, each beside its field.
    ///
    /// - Throws: an error that is a bug.
    func faults(_ planner: Planner) throws -> [FieldFault] {
        try changed.compactMap { field in
            var edit = ContactEdit()
            fields.set(field, in: &edit)
            do {
                try planner.check(edit)
                return nil
            } catch {
                return try FieldFault(error, field: field.input)
            }
        }
    }
}
