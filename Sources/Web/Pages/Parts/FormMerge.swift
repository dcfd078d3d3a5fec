import Wording

/// A form with single values after another browser may have saved the same settings: the changes
/// of this browser win, everything else is kept as the other left it.
struct FormMerge: Sendable {
    /// The variables of a form that notices changes of other browsers.
    static let names = ["hasConflicts"]
    static let lists = ["was": ["wasName", "wasValue"], "conflicts": ["conflict"]]
    /// The beginning of the names of fields that keep the state in which the form was opened.
    private static let before = "was-"

    /// The values to show and save, by the names of their fields.
    let values: [String: String]
    /// The values as they are now.
    let theirs: [String: String]
    /// The fields that both changed, in the order of the form.
    let conflicts: [String]
    /// The fields that differ from the values as they are now.
    let changed: Set<String>

    /// The values as they are, without a change.
    init(_ theirs: [String: String]) {
        values = theirs
        self.theirs = theirs
        conflicts = []
        changed = []
    }

    /// The values of a submitted form.
    ///
    /// - Parameters:
    ///   - form: the form, with the state in which it was opened.
    ///   - names: the names of the fields, in the order of the form.
    ///   - theirs: the values as they are now.
    init(_ form: FormFields, _ names: [String], theirs: [String: String]) {
        var (values, changed) = (theirs, Set<String>())
        var conflicts: [String] = []
        for name in names {
            let (mine, now) = (form[name][...].trimmingSpaces, theirs[name] ?? "")
            // A field that is missing is a box without a tick, if the form had it.
            guard form.has(name) || form.has(Self.before + name) else { continue }
            let was = form.has(Self.before + name) ? form[Self.before + name] : now
            guard mine != was, mine != now else { continue }
            values[name] = mine
            changed.insert(name)
            if now != was { conflicts.append(name) }
        }
        self.values = values
        self.theirs = theirs
        self.conflicts = conflicts
        self.changed = changed
    }

    /// The value of a field.
    subscript(name: String) -> String { values[name] ?? "" }

    /// The variables of the form.
    ///
    /// - Parameters:
    ///   - words: the phrases of the page.
    ///   - label: the name of a field for people.
    /// - Returns: the variables.
    func values(_ words: PageWords, label: (String) -> String) -> TemplateValues {
        [
            "hasConflicts": .flag(!conflicts.isEmpty),
            "was": .list(
                theirs.sorted { $0.key < $1.key }.map {
                    ["wasName": .text($0.key), "wasValue": .text($0.value)]
                }),
            "conflicts": .list(
                conflicts.map { name in
                    let value = theirs[name] ?? ""
                    let text =
                        value.isEmpty
                        ? words("%field%: now empty", ["field": label(name)])
                        : words(
                            "%field%: now “%value%”", ["field": label(name), "value": value])
                    return ["conflict": .text(text)]
                }),
        ]
    }
}
