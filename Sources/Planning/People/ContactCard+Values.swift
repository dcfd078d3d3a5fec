import Agenda
import Interchange

/// Changes of single values of a card. The types of addresses and numbers, such as "work", stay.
extension ContactCard {
    /// An address with the type that it has on this card.
    ///
    /// - Parameters:
    ///   - address: the address.
    ///   - isPreferred: true if it is the address to write to.
    /// - Returns: the entry for a card.
    func email(at address: String, preferred isPreferred: Bool) -> Email {
        let folded = MailAddress.folded(address)
        let known = emails.first { MailAddress.folded($0.address) == folded }
        return Email(address: address, type: known?.type, preferred: isPreferred)
    }

    /// A phone number with the type that it has on this card.
    func phone(_ number: String) -> Phone {
        phones.first { $0.number == number } ?? Phone(number: number)
    }

    /// The place of the postal address that says where the person lives: the first one at home, or
    /// else the first one without a type. Those at work say nothing about it.
    private var homePlace: Int? {
        addresses.firstIndex { $0.type == "home" } ?? addresses.firstIndex { $0.type == nil }
    }

    /// The town where the person lives; empty if it is unknown.
    var town: String { homePlace.map { addresses[$0].locality } ?? "" }

    /// Sets the town where the person lives, with the street and the rest as they are. An empty
    /// text removes it.
    ///
    /// - Parameter town: the town.
    /// - Throws: `RuleViolation` with `bad_town` or `long_town`.
    mutating func takeTown(_ town: String) throws(RuleViolation) {
        try MeetingRules.checkLine(
            town, named: "town", charactersMax: ContactRules.lineCharactersMax,
            mayShowNothing: true)
        guard town != self.town else { return }
        let place = homePlace ?? addresses.endIndex
        var address = homePlace.map { addresses[$0] } ?? PostalAddress()
        let isNew = homePlace == nil
        if isNew { address.type = "home" }
        address.locality = town
        // The printed form would still have the old town.
        address.label = nil
        addresses.replaceSubrange(
            place..<(isNew ? place : place + 1), with: address.isEmpty ? [] : [address])
    }
}

extension ContactCard.PostalAddress {
    /// True if it names no place.
    fileprivate var isEmpty: Bool {
        [poBox, extended, street, locality, region, postcode, country].allSatisfy(\.isEmpty)
    }
}
