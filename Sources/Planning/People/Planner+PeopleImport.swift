import Agenda
import Interchange
import Ledger
import Storage
import Timekeeping
import Wording

extension Planner {
    /// The number of cards saved in one transaction, which then takes half a second.
    static let importRowsMax = 2000

    /// Imports address book files, and folders of such files, into the actor's address book.
    ///
    /// - Parameters:
    ///   - paths: the files and folders.
    ///   - selection: the filter for the cards.
    ///   - progress: called after each transaction with the number of saved cards and the total.
    /// - Returns: the result of the import.
    /// - Throws: ``Refusal`` with `nothing_read` if not a single card can be read.
    public func importPeople(
        _ paths: [String], selection: ImportSelection,
        progress: (_ done: Int, _ of: Int) -> Void = { _, _ in }
    ) async throws -> ImportReport {
        var report = ImportReport()
        var people: [ImportedCard] = []
        var groups: [GroupCard] = []
        var twins = CardTwins()
        for file in try files(paths, report: &report) {
            let found = try file.read(into: &report, besides: store)
            report.read += found.count
            groups += found.compactMap { GroupCard(file: file.path, card: $0) }
            for card in found where card.groupMembers == nil && selection.takes(card) {
                guard takes(card, from: file.path, &report) else { continue }
                people.append(
                    ImportedCard(
                        file: file.path, card: twins.distinguished(card, from: file.path, &report)))
            }
        }
        guard report.read > 0 else { throw Self.nothingRead(report) }
        var tally = ImportTally(
            members: Set(groups.flatMap(\.members).map(ContactCard.memberKey)))
        let chance = surroundings.chance
        for start in stride(from: 0, to: people.count, by: Self.importRowsMax) {
            let chunk = Array(people[start..<min(start + Self.importRowsMax, people.count)])
            let decisions: [CardDecision]
            do {
                decisions = try await store.importCards(
                    chunk.map(\.card), owner: actor.id, now: now, decisions: contactDecisions
                ) { card, candidates in
                    ContactMatching.decision(on: card, among: candidates, newID: chance.id())
                }
            } catch  where start > 0 {
                throw Self.stopped(after: start, of: people.count, by: error)
            }
            for (card, decision) in zip(chunk, decisions) { tally.take(decision, of: card) }
            progress(start + chunk.count, people.count)
        }
        tally.finish(&report)
        for group in groups.prefix(Self.groupsMax) {
            try await importCircle(group, known: tally.persons, report: &report)
        }
        if let next = groups.dropFirst(Self.groupsMax).first {
            report.skipped.append(
                .init(
                    file: next.file, line: next.card.line,
                    reason: "there are more than \(Self.groupsMax) groups; the rest is skipped"))
        }
        return report
    }

    /// The most groups of one import that become circles.
    private static let groupsMax = 500

    /// Imports an address book that somebody sent, after others: one at a time, on a thread of its
    /// own, so that no page waits for it.
    ///
    /// - Parameter path: the file.
    /// - Returns: the result for all cards in it.
    /// - Throws: as ``importPeople(_:selection:progress:)``.
    public func importSentPeople(_ path: String) async throws -> ImportReport {
        try await HeavyWork.run {
            try await importPeople([path], selection: ImportSelection())
        }
    }

    private static func stopped(
        after count: Int, of all: Int, by error: any Error
    ) -> Refusal {
        let cause = Refusal(error)
        let words = cause.message.replacing(", so nothing was changed", with: "")
        return Refusal(
            cause.category, code: cause.code,
            "The first \(count) of \(all) cards were saved, the others were not. \(words) Import "
                + "the file again to add the others.")
    }

    /// True if a card is imported: the actor's own card is not.
    private func takes(
        _ card: ContactCard, from path: String, _ report: inout ImportReport
    ) -> Bool {
        guard hasActorsAddress(card) else { return true }
        guard hasActorsName(card) else {
            report.warnings.append(
                .init(
                    file: path, line: card.line,
                    reason: "\(card.formattedName) has your own address, \(actor.address), so you "
                        + "will receive their notifications"))
            return true
        }
        report.skipped.append(
            .init(
                file: path, line: card.line,
                reason: "this card is your own: \(actor.name) <\(actor.address)>"))
        return false
    }

    /// True if a path is a file, or a folder with files of an address book. A new folder has none.
    ///
    /// - Throws: ``Refusal`` with `no_file`.
    public static func hasCards(_ path: String) throws -> Bool {
        try !AddressBookFile.expand(path).isEmpty
    }

    /// The address book files of these paths. A folder without any is added to the report.
    private func files(
        _ paths: [String], report: inout ImportReport
    ) throws -> [AddressBookFile] {
        var files: [AddressBookFile] = []
        for path in paths {
            let found = try AddressBookFile.expand(path)
            if found.isEmpty {
                report.skipped.append(
                    .init(
                        file: path, line: nil,
                        reason: "the folder has no .vcf, .vcard or .csv file"))
            }
            files += found
        }
        return files
    }

    private func hasActorsAddress(_ card: ContactCard) -> Bool {
        guard card.groupMembers == nil, !actor.address.isEmpty else { return false }
        let address = MailAddress.folded(actor.address)
        return card.emails.contains { MailAddress.folded($0.address) == address }
    }

    /// True if a card is the actor's own and not the card of somebody else with the same address.
    func isActor(_ card: ContactCard) -> Bool { hasActorsAddress(card) && hasActorsName(card) }

    /// True if a card with the actor's address also has the actor's name, no name of its own, or a
    /// longer or shorter form of the actor's name.
    private func hasActorsName(_ card: ContactCard) -> Bool {
        guard card.hasOwnName, !SearchKey.isSameName(card.formattedName, actor.name) else {
            return true
        }
        let names = [card.formattedName, actor.name].map { name in
            Set(SearchKey.fold(name).split(separator: " "))
        }
        guard names.allSatisfy({ !$0.isEmpty }) else { return false }
        return names[0].isSubset(of: names[1]) || names[1].isSubset(of: names[0])
    }

    /// Makes a circle of a group card, or adds its members to the circle of the same name.
    private func importCircle(
        _ group: GroupCard, known: [String: PersonID], report: inout ImportReport
    ) async throws {
        let name = group.card.formattedName
        let owner = actor.id
        let found = try await store.lookUp { lookup in
            try group.members.map { member -> PersonID? in
                try known[ContactCard.memberKey(of: member)]
                    ?? self.contact(withAddressIn: member, lookup)
                    ?? lookup.contact(uid: member, of: owner)?.person
            }
        }
        let isNew = try await store.lookUp { try $0.circle(named: name, of: owner) } == nil
        let circle = Circle(id: surroundings.chance.id(), name: name, count: 0)
        let members = found.compactMap(\.self)
        try await store.addOrExtend(circle, members: members, owner: actor.id)
        let saved =
            try await store.lookUp { try $0.circle(named: name, of: owner) } ?? circle
        report.circles.append(.init(name: saved.name, isNew: isNew, people: saved.count))
        let missing = zip(group.members, found).filter { $0.1 == nil }.map { $0.0 }
        if !missing.isEmpty {
            report.warnings.append(
                .init(
                    file: group.file, line: group.card.line,
                    reason: "\(TimeWords.count(missing.count, "member")) of the group "
                        + "\"\(name)\" could not be found among the imported cards: "
                        + "\(ContactCard.names(ofMembers: missing)).",
                    advice: .people(.addToCircle)))
        }
        if isNew, let remark = try await remark(onCircleNamed: name) {
            report.warnings.append(
                .init(file: group.file, line: group.card.line, reason: remark))
        }
    }

    /// The actor's contact whose address a member of a group names (RFC 6350, 6.6.5).
    private func contact(withAddressIn member: String, _ lookup: PeopleLookup) throws -> PersonID? {
        guard member.hasPrefix("mailto:"), let address = MailAddress.plausible(member) else {
            return nil
        }
        return try lookup.persons(withAddress: address, limit: Self.namesakesMax).first { person in
            try lookup.contact(person.id, of: actor.id) != nil
        }?.id
    }

    /// The most people with one address who are looked at.
    private static let namesakesMax = 50

    private static func nothingRead(_ report: ImportReport) -> Refusal {
        let reasons = report.skipped.prefix(5).map { part in
            "\(part.file)\(part.line.map { ", line \($0)" } ?? ""): \(part.reason)"
        }
        var refusal = Refusal(
            .invalid, code: "nothing_read",
            (["No contact could be read."] + reasons).joined(separator: "\n  "))
        refusal.skipped = report.skipped
        return refusal
    }
}

/// The card of a group in an address book file.
private struct GroupCard {
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
}
