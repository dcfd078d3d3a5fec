import Agenda
import Foundation
import Interchange
import Ledger
import Storage
import Timekeeping
import Wording

extension Planner {
    /// The number of old records that are forgotten in one transaction.
    private static let forgottenMax = 500

    /// Imports address book files, and folders of such files, into the actor's address book.
    ///
    /// - Parameters:
    ///   - paths: the files and folders.
    ///   - selection: the filter for the cards.
    ///   - cardsMax: the most cards that are imported at once, in a file that somebody sent to a
    ///     page; `nil` for the limit of each file.
    ///   - pace: the size of the transactions, and the decision to go on after each of them.
    ///   - progress: called after each transaction with the number of saved cards and the total.
    /// - Returns: the result of the import.
    /// - Throws: ``Refusal`` with `nothing_read` if not a single card can be read, or with
    ///   `too_many_cards`.
    public func importPeople(
        _ paths: [String], selection: ImportSelection, cardsMax: Int? = nil,
        pace: ImportPace = ImportPace(), progress: (_ done: Int, _ of: Int) -> Void = { _, _ in }
    ) async throws -> ImportReport {
        while try await store.forgetImports(now: now, limit: Self.forgottenMax) {}
        let record = ContactImport(
            id: pace.id ?? surroundings.chance.id(), owner: actor.id, isOfTask: pace.id != nil)
        var report = ImportReport()
        let files = try files(paths, report: &report)
        let saving = ImportSaving(
            selection: selection, isSent: cardsMax != nil, record: record, pace: pace)
        var survey = ImportSurvey()
        for (place, file) in files.enumerated() {
            let (people, groups) = try readCards(of: file, saving, &survey.twins, report: &report)
            guard !pace.isStopped() else { return .stoppedWhileReading }
            let named = NamedFile(path: file.path)
            survey.take(
                people, groups, ofFile: place,
                octets: files.count == 1 || named.isStream ? nil : named.size)
        }
        guard report.read > 0 else { throw Self.nothingRead(report) }
        if let cardsMax, survey.count > cardsMax { throw Self.tooManyCards(survey.count, cardsMax) }
        var tally = ImportTally(
            members: Set(survey.groups.flatMap(\.members).map(ContactCard.memberKey)))
        report.isStopped = try await !save(
            files, &survey, saving, into: &tally, progress: progress)
        tally.finish(&report)
        report.warnings += tally.pictures.skipped
        try await self.report(tally.categories, in: &report)
        if !report.isStopped {
            try await importCircles(
                survey.groups, known: tally.persons, membersMax: cardsMax, record: record,
                report: &report)
        }
        if try await store.contactImport(record, now: now) != nil {
            report.importID = record.id.text
        }
        return report
    }

    /// Reads the cards of a file: those of people that are imported, and those of groups.
    private func readCards(
        of file: AddressBookFile, _ saving: ImportSaving, _ twins: inout CardTwins,
        report: inout ImportReport
    ) throws -> (people: [ImportedCard], groups: [GroupCard]) {
        var people: [ImportedCard] = []
        let found = try file.read(
            into: &report, besides: store, isStopped: saving.pace.isStopped)
        report.read += found.count
        let groups = found.compactMap { GroupCard(file: file.path, card: $0) }
        var unusable = UnusableValues(zones: surroundings.zones)
        for card in found where card.groupMembers == nil && saving.selection.takes(card) {
            guard !saving.pace.isStopped(), takes(card, from: file.path, &report),
                let bounded = saving.isSent
                    ? SentCards.bounded(card, from: file.path, &report) : card
            else { continue }
            unusable.count(bounded)
            people.append(
                ImportedCard(
                    file: file.path, card: twins.distinguished(bounded, from: file.path, &report),
                    photo: card.photo))
        }
        report.unused += unusable.unused(in: file.path)
        return (people, groups)
    }

    /// The cards of people of a file, read again. The first reading reported what is wrong with it.
    private func readAgain(
        _ file: AddressBookFile, _ saving: ImportSaving, besides known: CardTwins
    ) throws -> [ImportedCard] {
        var (report, twins) = (ImportReport(), known)
        return try readCards(of: file, saving, &twins, report: &report).people
    }

    /// Saves the cards of all files, of which one large file at a time is in memory.
    ///
    /// - Returns: false if the import was stopped before the last card.
    private func save(
        _ files: [AddressBookFile], _ survey: inout ImportSurvey, _ saving: ImportSaving,
        into tally: inout ImportTally, progress: (_ done: Int, _ of: Int) -> Void
    ) async throws -> Bool {
        let most = saving.pace.rowsMax
        var waiting: [ImportedCard] = []
        var done = 0
        do {
            for (place, file) in files.enumerated() {
                let people =
                    try survey.takeCards(ofFile: place)
                    ?? readAgain(file, saving, besides: survey.twins)
                guard !saving.pace.isStopped() else { return false }
                waiting += survey.twins.separated(people)
                let end =
                    place == files.count - 1 ? waiting.count : waiting.count / most * most
                for start in stride(from: 0, to: end, by: most) {
                    guard try await saving.pace.mayGoOn(done, survey.count) else { return false }
                    let chunk = Array(waiting[start..<min(start + most, end)])
                    let decisions = try await save(
                        chunk, besides: survey.withoutUID, record: saving.record, into: &tally)
                    try await takePictures(
                        of: chunk, decisions, saving, into: &tally.pictures)
                    done += chunk.count
                    progress(done, survey.count)
                }
                waiting.removeFirst(end)
            }
        } catch  where done > 0 {
            throw Self.stopped(after: done, of: survey.count, by: error)
        }
        return true
    }

    /// Saves cards with their circles in one transaction.
    ///
    /// - Returns: the decision about each card.
    private func save(
        _ cards: [ImportedCard], besides all: CardsWithoutUID, record: ContactImport,
        into tally: inout ImportTally
    ) async throws -> [CardDecision] {
        let (known, chance) = (tally.categories, surroundings.chance)
        let rules = ImportRules(
            contact: ContactMatching.contact,
            circles: { decisions in
                var categories = known
                return categories.take(decisions, of: cards).map { name, members in
                    CircleAddition(
                        Circle(id: chance.id(), name: name, count: 0), members: members)
                }
            },
            decision: { card, candidates, known in
                ContactMatching.decision(
                    on: card, among: candidates, known: known, newID: chance.id())
            })
        let (decisions, circles) = try await store.importCards(
            cards.map(\.card), besides: all, owner: actor.id, now: now, record: record,
            rules: rules, decisions: contactDecisions)
        for (card, decision) in zip(cards, decisions) { tally.take(decision, of: card) }
        _ = tally.categories.take(decisions, of: cards)
        tally.categories.note(circles)
        return decisions
    }

    /// Imports an address book that somebody sent, after others: one at a time, on a thread of its
    /// own, so that no page waits for it.
    ///
    /// - Parameters:
    ///   - path: the file.
    ///   - bookMax: the number of people from which on an address book takes no more files.
    ///   - charactersMax: the characters of all its cards from which on it takes no more files.
    ///   - pace: the size of the transactions, and the decision to go on after each of them.
    /// - Returns: the result for all cards in it.
    /// - Throws: as ``importPeople(_:selection:cardsMax:pace:progress:)``, and ``Refusal`` with
    ///   `full_address_book`.
    public func importSentPeople(
        _ path: String, bookMax: Int = 100_000, charactersMax: Int = 64 << 20,
        pace: ImportPace = ImportPace()
    ) async throws -> ImportReport {
        let size = try? FileManager.default.attributesOfItem(atPath: path)[.size] as? Int
        return try await HeavyWork.run(isSmall: size ?? .max <= Self.smallFileOctets) {
            let known = try await store.bookSize(of: actor.id)
            guard known.count < bookMax, known.characters < charactersMax else {
                throw Self.full(known.count, known.characters)
            }
            return try await importPeople(
                [path], selection: ImportSelection(), cardsMax: Self.sentCardsMax, pace: pace)
        }
    }

    /// The largest file that does not wait for larger ones, in octets.
    private static let smallFileOctets = 128 * 1024
    /// The most cards in a file that somebody sends, which take some ten seconds.
    private static let sentCardsMax = 50_000

    private static func tooManyCards(_ count: Int, _ most: Int) -> Refusal {
        Refusal(
            .invalid, code: "too_many_cards",
            "The file has \(count) cards. A page takes at most \(most) at once, so nothing was "
                + "imported. Divide the file, or use the command line.")
    }

    private static func full(_ count: Int, _ characters: Int) -> Refusal {
        Refusal(
            .invalid, code: "full_address_book",
            "Your address book has \(count) people with \(characters) characters, and a page adds "
                + "no more files to it. Nothing "
                + "was imported. Use the command line, or remove people.")
    }

    private static func stopped(
        after count: Int, of all: Int, by error: any Error
    ) -> Refusal {
        let cause = Refusal(error)
        let words =
            (error as? StoreError)?.publicWords
            ?? String(cause.message.hasSuffix(".") ? cause.message.dropLast() : cause.message[...])
        return Refusal(
            cause.category, code: "partly_imported",
            "The first \(count) of \(all) cards were saved, the others were not: \(words). Import "
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
