import Agenda
import NIOHTTP1
import Planning
import Wording

/// The form for a new contact, or for the changes of one.
struct PersonFormPage: PageModel {
    static let template = "person-form"
    static let names = TemplateNames(
        FieldFault.names + FieldFault.besideNames + [
            "id", "key", "nameValue", "townValue", "zoneValue", "birthdayValue", "noteValue",
            "isNew", "hasConflicts", "face", "picturePath", "isOwnPicture", "pictureFault",
        ],
        lists: [
            "was": ["wasName", "wasValue"], "conflicts": ["conflict"],
            "emails": ["value", "place"], "phones": ["value", "place"],
            "languages": ["value", "text", "isChosen"],
        ].merging(FieldFault.lists) { $1 })

    /// The contact as it is now; `nil` for a new one.
    let person: PersonView?
    let merge: PersonFieldMerge
    /// The number of empty fields for more addresses and numbers.
    var emptyCount = 1
    /// The key with which this form is carried out once, however often it is sent.
    var key = ""
    var faults: [FieldFault] = []
    /// The name of the contact's picture; `nil` for none.
    var picture: String?
    /// The reason why a sent picture was not taken.
    var pictureFault: String?

    var section: Section? { .people }

    func title(_ words: PageWords) -> String {
        person.map { words("Change “%title%”", ["title": $0.name]) } ?? words("Add somebody")
    }

    func values(_ words: PageWords) -> TemplateValues {
        let fields = merge.fields
        var values: TemplateValues = [
            "isNew": .flag(person == nil), "key": .text(key), "nameValue": .text(fields.name),
            "townValue": .text(fields.town), "zoneValue": .text(fields.zone),
            "birthdayValue": .text(fields.birthday), "noteValue": .text(fields.note),
            "emails": .list(inputs(fields.emails)), "phones": .list(inputs(fields.phones)),
            "was": .list(was), "hasConflicts": .flag(!merge.conflicts.isEmpty),
            "conflicts": .list(
                merge.conflicts.map { ["conflict": .text(words.contactConflict($0))] }),
            "languages": .list(languages(words)),
        ]
        values[text: "id"] = person?.id
        values[text: "picturePath"] = person.map { "people/\($0.id)/picture" }
        values["isOwnPicture"] = .flag(false)
        values[text: "pictureFault"] = pictureFault
        if let person, let picture {
            values[text: "face"] = PersonPicture.large(of: person.id, name: picture)
        }
        values.merge(FieldFault.values(faults, words)) { $1 }
        values.merge(FieldFault.besideValues(faults, words)) { $1 }
        return values
    }

    /// The choices for the language. The one of the contact keeps their tag, such as `de-AT`.
    private func languages(_ words: PageWords) -> [TemplateValues] {
        let tag = merge.fields.language
        let chosen = Language(tag: tag)
        let none: TemplateValues = [
            "value": "", "text": .text(words("Not known")), "isChosen": .flag(chosen == nil),
        ]
        let others: [TemplateValues] = Language.allCases.map { language in
            [
                "value": .text(language == chosen ? tag : language.rawValue),
                "text": .text(language.ownName), "isChosen": .flag(language == chosen),
            ]
        }
        return [none] + others
    }

    /// The inputs for the values of a field: one for each, and some empty ones.
    private func inputs(_ text: String) -> [TemplateValues] {
        let lines = PersonFields.lines(text)
        return (lines + Array(repeating: "", count: emptyCount)).enumerated().map {
            ["value": .text($0.element), "place": .text("\($0.offset)")]
        }
    }

    /// The fields as they are now, which the form keeps to notice changes of others.
    private var was: [TemplateValues] {
        guard let person else { return [] }
        let theirs = PersonFields(person)
        return PersonFields.all.flatMap { field -> [TemplateValues] in
            let text = theirs[keyPath: field.path]
            let lines = field.hasLines ? PersonFields.lines(text) : [text]
            return lines.map { ["wasName": .text(field.name), "wasValue": .text($0)] }
        }
    }
}

extension PageWords {
    fileprivate func contactConflict(_ conflict: (name: String, theirs: String)) -> String {
        let field: String =
            switch conflict.name {
            case "name": self("Name")
            case "email": self("Mail addresses")
            case "phone": self("Phone numbers")
            case "town": self("Town where they live")
            case "zone": self("Time zone")
            case "language": self("Language")
            case "birthday": self("Birthday")
            default: self("Note")
            }
        guard !conflict.theirs.isEmpty else {
            return self(
                "%field%: meanwhile, the value was removed elsewhere. Saving writes your text.",
                ["field": field])
        }
        return self(
            "%field%: meanwhile, “%value%” was saved elsewhere. Saving replaces it with your "
                + "text.",
            ["field": field, "value": conflict.theirs.replacing("\n", with: ", ")])
    }
}

extension Refusal {
    fileprivate static let changedContact = Refusal(
        .refused, code: "changed_contact",
        "The contact has just been changed elsewhere. Look at it again before you save.")
}

extension Site {
    /// Adding and changing contacts.
    var personFormRoutes: [Route] {
        [
            route(.get, "/people/new", newPerson), formRoute(.post, "/people/new", makePerson),
            route(.get, "/people/:person/edit", showPersonForm),
            route(.post, "/people/:person/edit", editPerson),
        ]
    }

    /// The number of empty fields for addresses, and for numbers, if somebody asks for more.
    private static let moreCount = 4

    private func newPerson(_ request: PageRequest, _ visitor: Visitor) async throws -> PageAnswer {
        let fields = PersonFields()
        var page = PersonFormPage(
            person: nil, merge: PersonFieldMerge(fields, since: fields, theirs: fields))
        page.key = visitor.planner.newKey()
        return show(page, in: Frame(visitor: visitor))
    }

    private func makePerson(
        _ request: PageRequest, _ visitor: Visitor
    ) async throws -> PageAnswer {
        let mine = PersonFields(request.form)
        var page = PersonFormPage(
            person: nil,
            merge: PersonFieldMerge(mine, since: PersonFields(), theirs: PersonFields()))
        page.key = request.form["key"]
        return try await save(page, request, visitor) {
            var edit = page.merge.edit
            edit.name = mine.name
            return try await visitor.planner.addPerson(edit)
        }
    }

    private func showPersonForm(
        _ request: PageRequest, _ visitor: Visitor
    ) async throws -> PageAnswer {
        let view = try await visitor.planner.contact(withID: request["person"]).view
        let fields = PersonFields(view)
        var page = PersonFormPage(
            person: view, merge: PersonFieldMerge(fields, since: fields, theirs: fields))
        page.picture = try await visitor.planner.pictureNames(of: [view.id])[view.id]
        return show(page, in: Frame(visitor: visitor))
    }

    private func editPerson(
        _ request: PageRequest, _ visitor: Visitor
    ) async throws -> PageAnswer {
        let (person, view) = try await visitor.planner.contact(withID: request["person"])
        let mine = PersonFields(request.form)
        let base = PersonFields(request.form, before: PersonFields.before)
        let page = PersonFormPage(
            person: view, merge: PersonFieldMerge(mine, since: base, theirs: PersonFields(view)))
        guard page.merge.conflicts.isEmpty else {
            return show(page, in: Frame(visitor: visitor), .conflict)
        }
        return try await save(page, request, visitor) {
            try await visitor.planner.editPerson(person, page.merge.edit) { now in
                // Another browser may save a change after the look above.
                let merge = PersonFieldMerge(mine, since: base, theirs: PersonFields(now))
                guard merge.conflicts.isEmpty else { throw Refusal.changedContact }
            }
        }
    }

    /// Saves a form if it has no faults, and shows it again otherwise.
    private func save(
        _ page: PersonFormPage, _ request: PageRequest, _ visitor: Visitor,
        _ body: () async throws -> PersonView
    ) async throws -> PageAnswer {
        var page = page
        guard request.form["do"] != "more" else {
            page.emptyCount = Self.moreCount
            return show(page, in: Frame(visitor: visitor))
        }
        page.faults = try page.merge.faults(visitor.planner)
        guard page.faults.isEmpty else {
            return show(page, in: Frame(visitor: visitor), .badRequest)
        }
        do {
            let saved = try await body()
            let isOdd = !Planner.remarks(onAddressesOf: saved).isEmpty
            return redirect(to: .person(saved.id, saved: isOdd ? "odd-address" : "person"))
        } catch {
            page.faults = [try FieldFault(error, field: "name")]
            return show(page, in: Frame(visitor: visitor), .badRequest)
        }
    }
}
