import Agenda
import Foundation
import Interchange
import Ledger
import Storage
import Timekeeping

/// What an import did.
public struct ImportReport: Encodable, Sendable {
    /// A part of a file that was left out.
    public struct Skipped: Encodable, Sendable {
        /// The file.
        public let file: String
        /// The line, counted from 1; `null` when the whole file is meant.
        @Null public var line: Int?
        /// Why.
        public let reason: String
    }

    /// Contacts that are new.
    public internal(set) var imported = 0
    /// Contacts that were there and know more now.
    public internal(set) var updated = 0
    /// Contacts that were there and are as they were.
    public internal(set) var unchanged = 0
    /// What was left out.
    public internal(set) var skipped: [Skipped] = []
    /// What was read, but perhaps not as its author meant it.
    public internal(set) var warnings: [Skipped] = []
    /// Names of those who have no mail address and cannot be invited by mail.
    public internal(set) var withoutAddress: [String] = []
    /// How many cards were read.
    public internal(set) var read = 0
}

/// Which cards of a file are taken.
public struct ImportSelection: Sendable {
    /// Whether only those with a mail address are.
    public var isOnlyWithEmail = false
    /// Only those whose name, address or category holds one of these texts; empty for all.
    public var texts: [String] = []

    /// Takes everything.
    public init() {}

    func takes(_ card: ContactCard) -> Bool {
        guard !isOnlyWithEmail || !card.emails.isEmpty else { return false }
        guard !texts.isEmpty else { return true }
        let known = [card.formattedName] + card.emails.map(\.address) + card.categories
        return texts.contains { text in
            let key = SearchKey.fold(text)
            // A text of signs alone, such as "@", has no key and is meant as it stands.
            return known.contains {
                key.isEmpty ? $0.contains(text) : SearchKey.fold($0).contains(key)
            }
        }
    }
}

/// How contacts are written out.
public enum ExportFormat: String, CaseIterable, Sendable {
    /// vCard 3.0, which everybody reads.
    case vcard3
    /// vCard 4.0.
    case vcard4
    /// CSV with the headers of Google Contacts.
    case csv
}

extension Planner {
    /// How many cards are saved in one transaction, which takes half a second.
    static let importRowsMax = 2000

    /// Reads address book files, and folders of them, into the actor's address book.
    ///
    /// - Parameters:
    ///   - paths: the files and folders.
    ///   - selection: which cards to take.
    ///   - progress: told now and then how many cards were saved, of how many.
    /// - Returns: what became of the cards.
    /// - Throws: ``Refusal`` with `nothing_read` when not one card could be read.
    public func importPeople(
        _ paths: [String], selection: ImportSelection,
        progress: (_ done: Int, _ of: Int) -> Void = { _, _ in }
    ) async throws -> ImportReport {
        var report = ImportReport()
        var cards: [ContactCard] = []
        for file in try paths.flatMap(AddressBookFiles.expand) {
            let found = try AddressBookFiles.read(file, into: &report)
            report.read += found.count
            cards += found.filter { card in
                guard hasActorsAddress(card), selection.takes(card) else { return true }
                guard isActor(card) else {
                    report.warnings.append(
                        .init(
                            file: file, line: card.line,
                            reason: "\(card.formattedName): \(actor.address) is your own address: "
                                + "what is sent to them comes to you"))
                    return true
                }
                report.skipped.append(
                    .init(
                        file: file, line: card.line,
                        reason: "that is you: \(actor.name) <\(actor.address)>"))
                return false
            }
        }
        guard report.read > 0 else { throw Self.nothingRead(report) }
        let people = cards.filter { $0.groupMembers == nil && selection.takes($0) }
        var tally = ImportTally()
        let chance = surroundings.chance
        for start in stride(from: 0, to: people.count, by: Self.importRowsMax) {
            let chunk = Array(people[start..<min(start + Self.importRowsMax, people.count)])
            let decisions = try await store.importCards(
                chunk, owner: actor.id, now: now, decisions: contactDecisions
            ) { card, candidates in
                ContactMatching.decision(on: card, among: candidates, newID: chance.id())
            }
            for (card, decision) in zip(chunk, decisions) { tally.take(decision, of: card) }
            progress(start + chunk.count, people.count)
        }
        tally.finish(&report)
        try await importCircles(cards.filter { $0.groupMembers != nil }, known: tally.persons)
        return report
    }

    private func hasActorsAddress(_ card: ContactCard) -> Bool {
        guard card.groupMembers == nil, !actor.address.isEmpty else { return false }
        let address = MailAddress.folded(actor.address)
        return card.emails.contains { MailAddress.folded($0.address) == address }
    }

    /// Whether a card at the actor's address is the actor's own: by name as of anybody, or by a
    /// name of which one of the two is the longer form.
    private func isActor(_ card: ContactCard) -> Bool {
        guard card.hasOwnName, !SearchKey.isSameName(card.formattedName, actor.name) else {
            return true
        }
        let names = [card.formattedName, actor.name].map { name in
            Set(SearchKey.fold(name).split(separator: " "))
        }
        guard names.allSatisfy({ !$0.isEmpty }) else { return false }
        return names[0].isSubset(of: names[1]) || names[1].isSubset(of: names[0])
    }

    /// A group card becomes a circle, or adds to the circle of its name.
    private func importCircles(
        _ groups: [ContactCard], known: [String: PersonID]
    ) async throws {
        for group in groups {
            let members = (group.groupMembers ?? []).compactMap {
                known[ContactCard.memberKey(of: $0)]
            }
            if let circle = try await store.circle(named: group.formattedName, of: actor.id) {
                try await store.addMembers(members, to: circle.id)
                continue
            }
            let circle = Circle(id: surroundings.chance.id(), name: group.formattedName, count: 0)
            _ = try await store.addCircle(circle, members: members, owner: actor.id)
        }
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

    /// The address book by name, at most `limit` of it.
    public func people(limit: Int) async throws -> [PersonView] {
        try await store.contacts(of: actor.id, after: nil, limit: limit).map { PersonView($0) }
    }

    /// One contact.
    public func contact(_ who: String) async throws -> PersonView {
        PersonView(try await storedContact(who))
    }

    func storedContact(_ who: String) async throws -> Contact {
        let person = try await person(who)
        guard let contact = try await store.contact(person.id, of: actor.id) else {
            throw Refusal(
                .refused, code: "not_a_contact", "\(person.name) is not in the address book.")
        }
        return contact
    }

    /// Writes the whole address book out, page by page.
    public func exportPeople(
        _ format: ExportFormat, write: (_ text: String) -> Void
    ) async throws {
        var last: Contact?
        var cards: [ContactCard] = []
        while true {
            let page = try await store.contacts(of: actor.id, after: last, limit: 1000)
            guard let end = page.last else { break }
            last = end
            switch format {
            case .vcard3: write(VCardWriter.write(page.map(\.card), version: .v3))
            case .vcard4: write(VCardWriter.write(page.map(\.card), version: .v4))
            case .csv: cards += page.map(\.card)
            }
        }
        // A CSV file has one header, whose columns depend on all of its rows.
        if format == .csv { write(ContactCSVWriter.write(cards)) }
    }
}

/// The files of an address book: one file of many cards, or a folder of many files, as khard and
/// vdirsyncer keep it.
enum AddressBookFiles {
    private static let endings = [".vcf", ".vcard", ".csv"]

    static func expand(_ path: String) throws -> [String] {
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
            throw Refusal(.invalid, code: "no_file", "There is no file \(path).")
        }
        guard isFolder.boolValue else { return [path] }
        let names = FileManager.default.enumerator(atPath: path)?.compactMap { $0 as? String }
        return (names ?? []).filter { name in
            endings.contains { name.lowercased().hasSuffix($0) }
        }.sorted().map { "\(path)/\($0)" }
    }

    static func read(_ path: String, into report: inout ImportReport) throws -> [ContactCard] {
        guard let data = FileManager.default.contents(atPath: path) else {
            throw Refusal(.invalid, code: "unreadable_file", "\(path) cannot be read.")
        }
        let name = path.split(separator: "/").last.map(String.init) ?? path
        var reading = ContactFile.read(Array(data), name: name)
        reading.cards = reading.cards.filter { card in
            do {
                try ContactRules.check(card)
                return true
            } catch {
                reading.skipped.append(
                    SkippedPart(line: card.line, reason: Refusal(error).message))
                return false
            }
        }
        report.skipped += reading.skipped.sorted { $0.line < $1.line }.map {
            .init(file: path, line: $0.line, reason: $0.reason)
        }
        report.warnings += reading.warnings.map {
            .init(file: path, line: $0.line, reason: $0.message)
        }
        return reading.cards
    }
}
