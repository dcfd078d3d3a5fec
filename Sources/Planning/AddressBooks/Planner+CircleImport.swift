import Agenda
import Interchange
import Ledger
import Storage

extension Planner {
    /// The most groups of one import that become circles.
    private static let groupsMax = 500

    /// Makes circles of the groups of an address book.
    ///
    /// - Parameters:
    ///   - groups: the cards of groups.
    ///   - known: the persons of the imported cards, as ``ImportTally/persons``.
    ///   - membersMax: the most members of all groups together; `nil` for no limit.
    ///   - record: records the changes.
    ///   - report: gets the circles, and what was left out.
    /// - Throws: ``StoreError``.
    func importCircles(
        _ groups: [GroupCard], known: [String: [PersonID]], membersMax: Int?,
        record: ContactImport, report: inout ImportReport
    ) async throws {
        var count = 0
        let sources = CircleSource.all(of: groups.map(\.card))
        for (group, source) in zip(groups, sources).prefix(Self.groupsMax) {
            count += group.members.count
            guard count <= membersMax ?? .max else {
                report.skipped.append(
                    group.remark(
                        "the groups of this file have more than \(membersMax ?? 0) members; this "
                            + "one and the next are left out"))
                break
            }
            try await importCircle(group, source, known: known, record: record, report: &report)
        }
        if let next = groups.dropFirst(Self.groupsMax).first {
            report.skipped.append(
                next.remark(
                    "there are more than \(Self.groupsMax) groups; the rest is skipped"))
        }
    }

    /// Reports the circles that were made of categories, and those that could not be made.
    ///
    /// - Parameters:
    ///   - categories: the categories of the imported cards.
    ///   - report: gets the circles, and what was left out.
    /// - Throws: ``StoreError``.
    func report(_ categories: ImportCategories, in report: inout ImportReport) async throws {
        for category in categories.all.prefix(ImportCategories.circlesMax) {
            if let circle = category.circle {
                try await tell(
                    circle, file: category.card.file, line: category.card.card.line, in: &report)
            } else if let fault = category.fault {
                report.warnings.append(
                    category.card.remark(
                        "no circle is made of the category \"\(category.name)\": "
                            + "\(fault.message)", refusal: fault))
            }
        }
        if let next = categories.all.dropFirst(ImportCategories.circlesMax).first {
            report.skipped.append(
                next.card.remark(
                    "there are more than \(ImportCategories.circlesMax) categories; circles are "
                        + "made of the first ones only"))
        }
    }

    /// Reports a circle that got people.
    private func tell(
        _ circle: CircleExtension, file: String, line: Int?, in report: inout ImportReport
    ) async throws {
        let (name, owner) = (circle.name, actor.id)
        let saved = try await store.lookUp { try $0.circle(named: name, of: owner) }
        let known = saved?.name ?? name
        report.circles.append(
            .init(
                name: known, isNew: circle.isNew, added: circle.added, people: saved?.count ?? 0))
        if circle.leftOut > 0 {
            report.warnings.append(
                .init(
                    file: file, line: line,
                    reason: circle.leftOut == 1
                        ? "1 person of \"\(known)\" had been taken out of this circle, and the "
                            + "import does not put them in again."
                        : "\(circle.leftOut) people of \"\(known)\" had been taken out of this "
                            + "circle, and the import does not put them in again.",
                    advice: .people(.addToCircle)))
        }
        if circle.isNew, let words = try await searching({ try $0.words(onCircleNamed: name) }) {
            report.warnings.append(.init(file: file, line: line, reason: words))
        }
    }

    /// Makes a circle of a group card, or adds its members to its circle.
    private func importCircle(
        _ group: GroupCard, _ source: CircleSource, known: [String: [PersonID]],
        record: ContactImport, report: inout ImportReport
    ) async throws {
        let name = group.card.formattedName
        let owner = actor.id
        let found = try await store.lookUp { lookup in
            try group.members.map { member -> [PersonID] in
                let people =
                    try known[ContactCard.memberKey(of: member), default: []]
                    + self.contacts(withAddressIn: member, lookup)
                guard people.isEmpty else { return people }
                return try [lookup.contact(uid: member, of: owner)?.person].compactMap(\.self)
            }
        }
        var seen: Set<PersonID> = []
        let outcome = try await store.addOrExtend(
            by: found.joined().filter { seen.insert($0).inserted }, of: source,
            as: Circle(id: surroundings.chance.id(), name: name, count: 0), owner: owner, now: now,
            record: record)
        if case .deleted(let isNews) = outcome {
            if isNews { report.warnings.append(group.remarkOnDeletedCircle) }
            return
        }
        let missing = zip(group.members, found).filter { $0.1.isEmpty }.map { $0.0 }
        if !missing.isEmpty { report.warnings.append(group.remark(onMissing: missing)) }
        guard case .extended(let circle, let formerName) = outcome else { return }
        if let formerName {
            report.warnings.append(
                group.remark(
                    "the circle \"\(formerName)\" is now called \"\(circle.name)\", as its group "
                        + "in the file"))
        }
        try await tell(circle, file: group.file, line: group.card.line, in: &report)
    }

    /// The actor's contacts whose address a member of a group names (RFC 6350, 6.6.5).
    private func contacts(
        withAddressIn member: String, _ lookup: PeopleLookup
    ) throws -> [PersonID] {
        guard member.hasPrefix("mailto:"), let address = MailAddress.plausible(member) else {
            return []
        }
        return try lookup.persons(withAddress: address, limit: Self.namesakesMax).filter { person in
            try lookup.contact(person.id, of: actor.id) != nil
        }.map(\.id)
    }

    /// The most people with one address who are looked at.
    private static let namesakesMax = 50
}

/// The card of a group in an address book file.
struct GroupCard {
    let file: String
    let card: ContactCard
    let members: [String]

    /// Creates a group from its card; `nil` for the card of a person.
    init?(file: String, card: ContactCard) {
        guard let members = card.groupMembers else { return nil }
        self.file = file
        self.card = card
        self.members = members
    }

    func remark(_ reason: RemarkText) -> ImportReport.Skipped {
        ImportReport.Skipped(file: file, line: card.line, reason: reason)
    }

    func remark(onMissing missing: [String]) -> ImportReport.Skipped {
        let (count, name) = (missing.count, card.formattedName)
        let members = ContactCard.names(ofMembers: missing)
        return ImportReport.Skipped(
            file: file, line: card.line,
            reason: count == 1
                ? "1 member of the group \"\(name)\" could not be found among the imported cards: "
                    + "\(members)."
                : "\(count) members of the group \"\(name)\" could not be found among the "
                    + "imported cards: \(members).",
            advice: .people(.addToCircle))
    }

    var remarkOnDeletedCircle: ImportReport.Skipped {
        ImportReport.Skipped(
            file: file, line: card.line,
            reason: "the circle of the group \"\(card.formattedName)\" was deleted here, so the "
                + "import does not make it again. If you make a circle with this name, the next "
                + "import brings the people of the group into it.",
            advice: .people(.makeCircle(card.formattedName)))
    }
}
