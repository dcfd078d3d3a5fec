import Foundation
public import Planning
import Settings

/// A vCard for tests: a name, addresses, a UID, phone numbers and a note.
public struct SampleCard: Sendable {
    /// The name.
    public var name: String
    /// The mail addresses.
    public var emails: [String] = []
    /// The UID; `nil` for none.
    public var uid: String?
    /// The phone numbers.
    public var phones: [String] = []
    /// The note; `nil` for none.
    public var note: String?

    /// Describes a card.
    public init(
        name: String, emails: [String] = [], uid: String? = nil, phones: [String] = [],
        note: String? = nil
    ) {
        self.name = name
        self.emails = emails
        self.uid = uid
        self.phones = phones
        self.note = note
    }

    /// The card as vCard 3.0.
    public var text: String {
        var lines = ["BEGIN:VCARD", "VERSION:3.0", "FN:\(name)"]
        lines += uid.map { ["UID:\($0)"] } ?? []
        lines += emails.map { "EMAIL:\($0)" } + phones.map { "TEL:\($0)" }
        lines += note.map { ["NOTE:\($0)"] } ?? []
        return (lines + ["END:VCARD", ""]).joined(separator: "\r\n")
    }
}

extension ImportReport {
    /// The numbers of imported, updated and unchanged contacts.
    public var counts: [Int] { [imported, updated, unchanged] }
}

extension TestWorld {
    /// Imports the text of one file.
    @discardableResult
    public func importFile(_ text: String, named name: String = "cards.vcf") async throws
        -> ImportReport
    {
        let file = home.path + "/" + name
        try Data(text.utf8).write(to: URL(filePath: file))
        return try await planner().importPeople([file], selection: ImportSelection())
    }

    /// Imports cards from one file.
    @discardableResult
    public func importCards(_ cards: [SampleCard]) async throws -> ImportReport {
        try await importFile(cards.map(\.text).joined())
    }
}
