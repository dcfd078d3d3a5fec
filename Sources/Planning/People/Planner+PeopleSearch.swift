import Agenda
import Ledger
import Storage

extension Planner {
    /// The contacts with a text in their name, address or phone number, and the people of circles
    /// with the text in their names, sorted by name.
    ///
    /// - Parameter text: the text, in upper or lower case.
    /// - Returns: the contacts; empty if there are none.
    /// - Throws: ``StoreError``.
    public func people(matching text: String) async throws -> [PersonView] {
        let filter = ContactFilter(text)
        let owner = actor.id
        let members = try await store.lookUp { lookup in
            try lookup.circles(of: owner, limit: Self.listRowsMax)
                .filter { filter.isPart(of: $0.name) }
                .flatMap { try lookup.members(of: $0.id, limit: Self.listRowsMax) }
                .map(\.id.text)
        }
        let ids = Set(members)
        return try await people().filter { ids.contains($0.id) || filter.fits($0) }
    }
}

/// A text that is searched for in contacts.
private struct ContactFilter: Sendable {
    /// The fewest digits that are searched for in phone numbers.
    private static let digitsMin = 3

    private let key: String
    private let text: String
    /// The digits of a typed phone number; empty for another text.
    private let digits: String

    init(_ text: String) {
        key = SearchKey.fold(text)
        self.text = text.lowercased()
        let isNumber = text.allSatisfy { $0.isNumber || " +-/().".contains($0) }
        digits = isNumber ? Self.digits(of: text) : ""
    }

    /// True if the text is part of a name, ignoring case and accents.
    func isPart(of name: String) -> Bool {
        !key.isEmpty && SearchKey.fold(name).contains(key)
    }

    /// True if the text is part of a name, an address or a phone number of a contact.
    func fits(_ person: PersonView) -> Bool {
        let names = [person.name] + person.nicknames + person.also
        return names.contains(where: isPart)
            || person.emails.contains { $0.address.lowercased().contains(text) }
            || digits.count >= Self.digitsMin
                && person.phones.contains { Self.digits(of: $0.number).contains(digits) }
    }

    private static func digits(of text: String) -> String { text.filter(\.isNumber) }
}
