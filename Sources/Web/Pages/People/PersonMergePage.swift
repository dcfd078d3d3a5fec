import Agenda
import Ledger
import NIOHTTP1
import Planning
import Wording

/// Merging a contact with another one: the search for the other, and then both beside each other
/// with what becomes of them.
struct PersonMergePage: PageModel {
    static let template = "person-merge"
    static let names = TemplateNames(
        [
            "id", "q", "nothing", "hasPreview", "other", "seen", "refusal",
        ],
        lists: [
            "heads": ["head", "isMerged"] + Face.names,
            "found": ["foundId", "foundName", "foundAddress"] + Face.names,
            "rows": ["row", "mine", "theirs", "united", "text"],
        ])

    let person: PersonView
    var query = ""
    /// The people whom the search found; `nil` if nobody was searched for.
    var found: [PeoplePage.Line]?
    var preview: MergePreview?
    /// The names of the pictures of the two, by person.
    var pictures: [String: String] = [:]
    /// The reason why the two were not merged.
    var refusal: String?

    var section: Section? { .people }

    func title(_ words: PageWords) -> String {
        words("Merge %name% with somebody", ["name": person.name])
    }

    func values(_ words: PageWords) -> TemplateValues {
        var values: TemplateValues = [
            "id": .text(person.id), "q": .text(query),
            "hasPreview": .flag(preview != nil),
            "found": .list(
                (found ?? []).map { line in
                    line.face.values.merging([
                        "foundId": .text(Link.segment(line.who)), "foundName": .text(line.name),
                        "foundAddress": .text(line.address == line.name ? "" : line.address),
                    ]) { $1 }
                }), "heads": .list(heads),
            "rows": .list(preview.map { rows($0, words) } ?? []),
        ]
        values[text: "other"] = preview?.other.id
        values[text: "seen"] = preview?.version
        values[text: "refusal"] = refusal
        values[text: "nothing"] =
            found?.isEmpty == true
            ? words("Nobody else is called “%name%”.", ["name": query]) : nil
        return values
    }

    /// The two contacts beside each other: the one that stays, and the one that is merged.
    private var heads: [TemplateValues] {
        guard let other = preview?.other else { return [] }
        return [person, other].map { contact in
            let face = Face(ofContact: contact.id, contact.name, picture: pictures[contact.id])
            return face.values.merging([
                "head": .text(contact.name), "isMerged": .flag(contact.id == other.id),
            ]) { $1 }
        }
    }

    /// The rows of the table that have a value in some column.
    private func rows(_ preview: MergePreview, _ words: PageWords) -> [TemplateValues] {
        let columns = [preview.kept, preview.other, preview.united].map { Self.rows($0, words) }
        return columns[0].indices.compactMap { place in
            let cells = columns.map { $0[place].texts }
            guard cells.contains(where: { !$0.isEmpty }) else { return nil }
            return [
                "row": .text(columns[0][place].name), "mine": Self.list(cells[0]),
                "theirs": Self.list(cells[1]), "united": Self.list(cells[2]),
            ]
        }
    }

    private static func list(_ texts: [String]) -> TemplateValue {
        .list(texts.map { ["text": .text($0)] })
    }

    private static func rows(
        _ person: PersonView, _ words: PageWords
    ) -> [(name: String, texts: [String])] {
        [(words("Name"), [person.name])]
            + ContactFacts.all(person, words).map { ($0.name, $0.lines.map(\.text)) }
            + [(words("Note"), person.note.isEmpty ? [] : [person.note])]
    }
}

extension Site {
    /// Merging two contacts. Only the owner may do that.
    var personMergeRoutes: [Route] {
        [
            route(.get, "/people/:person/merge", showMerge),
            route(.post, "/people/:person/merge", mergePeople),
        ]
    }

    private func showMerge(
        _ request: PageRequest, _ visitor: Visitor
    ) async throws -> PageAnswer {
        let planner = visitor.planner
        let (person, view) = try await planner.contact(withID: request["person"])
        try planner.checkIsOwner(to: "merge people")
        var page = PersonMergePage(person: view)
        let other = request.query["with"]
        guard other.isEmpty else {
            let preview = try await planner.mergePreview(
                person, planner.contact(withID: other).person)
            page.preview = preview
            page.pictures = try await planner.pictureNames(of: [view.id, preview.other.id])
            return show(page, in: Frame(visitor: visitor))
        }
        page.query = request.query["q"]
        if !page.query.isEmpty {
            let found = try await found(page.query, planner).filter { $0.who != view.id }
            page.found = try await pictured(found, planner)
        }
        return show(page, in: Frame(visitor: visitor))
    }

    private func mergePeople(
        _ request: PageRequest, _ visitor: Visitor
    ) async throws -> PageAnswer {
        let planner = visitor.planner
        let (person, view) = try await planner.contact(withID: request["person"])
        try planner.checkIsOwner(to: "merge people")
        let other = try await planner.contact(withID: request.form["with"]).person
        do {
            let seen = request.form["seen"]
            _ = try await planner.mergePeople(person, other, seen: seen.isEmpty ? nil : seen)
            return redirect(to: .person(view.id, saved: "merged"))
        } catch {
            var page = PersonMergePage(person: view)
            // What has changed since the page was shown is shown now.
            page.preview = try? await planner.mergePreview(person, other)
            page.pictures = try await planner.pictureNames(of: [view.id, other.id.text])
            page.refusal = try sentence(error, visitor)
            return show(page, in: Frame(visitor: visitor), .conflict)
        }
    }
}
