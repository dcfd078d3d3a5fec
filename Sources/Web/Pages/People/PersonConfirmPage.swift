import Agenda
import NIOHTTP1
import Planning
import Wording

/// The page that says what an act on a contact means, and asks for it: removing, erasing, and
/// taking a merge back. It also says what remains to be done after an act.
struct PersonConfirmPage: PageModel {
    static let template = "person-confirm"
    static let names = TemplateNames(
        ["id", "action", "confirm", "isDanger", "isAsking", "refusal"],
        lists: ["explanations": ["explanation"]])

    /// An act.
    enum Act: Sendable {
        case remove(RemovalReport)
        case erase
        /// The person is erased, and traces remain.
        case erased(ErasureReport)
        case unmerge(RecentMerge)
        /// The merge is taken back, and not everything could be restored.
        case unmerged([Remark])
    }

    let person: PersonView
    let act: Act
    /// The reason why it was not done.
    var refusal: String?

    var section: Section? { .people }

    func title(_ words: PageWords) -> String {
        let values = ["name": person.name]
        return switch act {
        case .remove: words("Remove %name% from the address book?", values)
        case .erase: words("Erase %name% everywhere?", values)
        case .erased: words("The person is erased")
        case .unmerge: words("Take the merge back?")
        case .unmerged: words("The merge is taken back")
        }
    }

    /// The last part of the address of the form, the words of its button, and whether it can hurt;
    /// `nil` if nothing is asked.
    private func form(
        _ words: PageWords
    ) -> (action: String, confirm: String, isDanger: Bool)? {
        switch act {
        case .remove: ("remove", words("Remove from the address book"), true)
        case .erase: ("erase", words("Erase permanently"), true)
        case .unmerge: ("unmerge", words("Take the merge back"), false)
        case .erased, .unmerged: nil
        }
    }

    private func explanations(_ words: PageWords) -> [String] {
        switch act {
        case .remove(let report): words.removal(report)
        case .erase:
            [
                words(
                    "Name, mail addresses and phone numbers are replaced in all address books, "
                        + "meetings and messages of this installation."),
                words("This cannot be undone."),
                words("Older backups still contain the name. Delete those that you do not need."),
            ]
        case .erased(let report): words.traces(of: report)
        case .unmerge(let merge):
            [
                words(
                    "%name% gets back their card, meetings, answers and settings, with what has "
                        + "changed in them since.", ["name": merge.name]),
                words("Everything else that has changed stays with %name%.", ["name": person.name]),
                words("Sign-ins and private links of both since the merge end."),
            ]
        case .unmerged(let remarks): remarks.map { words($0) }
        }
    }

    func values(_ words: PageWords) -> TemplateValues {
        let form = form(words)
        var values: TemplateValues = [
            "id": .text(person.id), "isAsking": .flag(form != nil),
            "isDanger": .flag(form?.isDanger == true),
            "explanations": .list(explanations(words).map { ["explanation": .text($0)] }),
        ]
        values[text: "action"] = form?.action
        values[text: "confirm"] = form?.confirm
        values[text: "refusal"] = refusal
        return values
    }
}

extension PageWords {
    private static let namesMax = 5

    /// The effects of a removal.
    fileprivate func removal(_ report: RemovalReport) -> [String] {
        let circles =
            report.circles.isEmpty
            ? nil
            : self(
                "They also leave these circles: %names%.",
                ["names": report.circles.joined(separator: ", ")])
        let titles = report.meetings.prefix(Self.namesMax).map(\.title).joined(separator: ", ")
        let more = report.meetings.count > Self.namesMax ? ", …" : ""
        let meetings =
            report.meetings.isEmpty
            ? nil
            : self(
                "They stay invited to coming meetings and get messages about them: %titles%.",
                ["titles": titles + more])
        return [
            self("The contact leaves your address book with all addresses, numbers and notes."),
            circles, meetings,
        ].compactMap(\.self)
    }

    /// The texts that still say something about an erased person.
    fileprivate func traces(of report: ErasureReport) -> [String] {
        let texts = report.remaining.map { left in
            self(
                left.texts,
                "1 text of their meetings still contains “%word%”, which may mean somebody else.",
                "%n% texts of their meetings still contain “%word%”, which may mean somebody else.",
                ["word": left.word])
        }
        let log =
            report.isOverwritten
            ? nil : self("The database was in use, so its log may contain the name for a while.")
        let folder = report.syncedFolder.map {
            self(
                "The next sync brings the card back from %folder%. Delete it there.",
                ["folder": $0])
        }
        let copies = report.copies.map {
            self("This copy of the database still contains the name: %file%", ["file": $0])
        }
        return texts + [log, folder].compactMap(\.self) + copies
    }
}

extension ErasureReport {
    /// True if nothing remains to be done.
    fileprivate var isComplete: Bool {
        remaining.isEmpty && copies.isEmpty && isOverwritten && syncedFolder == nil
    }
}

extension Site {
    /// Everything about single contacts.
    var contactRoutes: [Route] {
        peopleExportRoutes + personFormRoutes + personMergeRoutes + personConfirmRoutes
            + personRoutes + personPictureRoutes
    }

    /// Removing and erasing contacts, and taking merges back.
    var personConfirmRoutes: [Route] {
        [
            route(.get, "/people/:person/remove", showRemoval),
            route(.post, "/people/:person/remove", removePerson),
            route(.get, "/people/:person/erase", showErasure),
            route(.post, "/people/:person/erase", erasePerson),
            route(.get, "/people/:person/unmerge", showUnmerging),
            route(.post, "/people/:person/unmerge", unmergePerson),
        ]
    }

    private func showRemoval(
        _ request: PageRequest, _ visitor: Visitor
    ) async throws -> PageAnswer {
        let (person, view) = try await visitor.planner.contact(withID: request["person"])
        let report = try await visitor.planner.removePerson(person, saving: false)
        return show(
            PersonConfirmPage(person: view, act: .remove(report)), in: Frame(visitor: visitor))
    }

    private func removePerson(
        _ request: PageRequest, _ visitor: Visitor
    ) async throws -> PageAnswer {
        let person = try await visitor.planner.contact(withID: request["person"]).person
        guard request.form["do"] == "remove" else {
            return try await showRemoval(request, visitor)
        }
        _ = try await visitor.planner.removePerson(person)
        return redirect(to: .people(saved: "removed"))
    }

    private func showErasure(
        _ request: PageRequest, _ visitor: Visitor
    ) async throws -> PageAnswer {
        let view = try await visitor.planner.contact(withID: request["person"]).view
        try visitor.planner.checkIsOwner(to: "erase people")
        return show(PersonConfirmPage(person: view, act: .erase), in: Frame(visitor: visitor))
    }

    private func erasePerson(
        _ request: PageRequest, _ visitor: Visitor
    ) async throws -> PageAnswer {
        let (person, view) = try await visitor.planner.contact(withID: request["person"])
        try visitor.planner.checkIsOwner(to: "erase people")
        guard request.form["do"] == "erase" else {
            return try await showErasure(request, visitor)
        }
        do {
            let report = try await visitor.planner.erasePerson(person)
            guard !report.isComplete else { return redirect(to: .people(saved: "erased")) }
            return show(
                PersonConfirmPage(person: view, act: .erased(report)), in: Frame(visitor: visitor))
        } catch {
            var page = PersonConfirmPage(person: view, act: .erase)
            page.refusal = try sentence(error, visitor)
            return show(page, in: Frame(visitor: visitor), .conflict)
        }
    }

    private func showUnmerging(
        _ request: PageRequest, _ visitor: Visitor
    ) async throws -> PageAnswer {
        let (person, view) = try await visitor.planner.contact(withID: request["person"])
        try visitor.planner.checkIsOwner(to: "take back a merge")
        guard let merge = try await visitor.planner.lastMerge(into: person) else {
            return redirect(to: .person(view.id))
        }
        return show(
            PersonConfirmPage(person: view, act: .unmerge(merge)), in: Frame(visitor: visitor))
    }

    private func unmergePerson(
        _ request: PageRequest, _ visitor: Visitor
    ) async throws -> PageAnswer {
        let (person, view) = try await visitor.planner.contact(withID: request["person"])
        try visitor.planner.checkIsOwner(to: "take back a merge")
        guard request.form["do"] == "unmerge" else {
            return try await showUnmerging(request, visitor)
        }
        let remarks = try await visitor.planner.unmergePerson(person).remarks
        guard !remarks.isEmpty else {
            return redirect(to: .person(view.id, saved: "unmerged"))
        }
        return show(
            PersonConfirmPage(person: view, act: .unmerged(remarks)), in: Frame(visitor: visitor))
    }
}
