import Agenda
import Ledger
import Storage

extension PersonSearch {
    /// True if a text with commas is the name of exactly one person, alone or before an address.
    ///
    /// If the person's name has no comma of its own and each part of the text is a whole name too,
    /// the text is a list of these parts.
    func isOneName(_ text: String) throws -> Bool {
        let text = WhoText.person(in: text)
        guard text.contains(",") else { return false }
        if let named = NamedAddress(text) { return try isOneName(named, in: text) }
        guard let person = try onlyPerson(wholly: text) else { return false }
        guard !person.name.contains(",") else { return true }
        for part in text.split(separator: ",") {
            guard try isWholeName(String(part)) else { return true }
        }
        return false
    }

    /// True if a name with commas before an address is one name: if somebody at the address has
    /// this name, if one contact does, or if the parts before the last comma match nobody, not
    /// even approximately.
    private func isOneName(_ named: NamedAddress, in text: String) throws -> Bool {
        guard named.name.contains(",") else { return false }
        let there = try persons(named: named.address, atLeast: .whole)
        if there.contains(where: { SearchKey.isSameName($0.name, named.name) }) { return true }
        if let person = try onlyPerson(wholly: named.name) {
            return person.name.contains(",")
        }
        guard !text.contains("\"") else { return false }
        for part in named.name.split(separator: ",").dropLast() {
            do {
                _ = try meaning(of: String(part))
                return false
            } catch let refusal as Refusal {
                let isNew = refusal.code == "unknown_person" && refusal.candidates.isEmpty
                guard isNew else { return false }
            }
        }
        return true
    }

    /// The only person with this whole name; `nil` if there are none or several.
    private func onlyPerson(wholly name: String) throws -> Person? {
        let (quality, persons) = try knownWithQuality(name, in: actor.id)
        return quality?.isOfWholeName == true && persons.count == 1 ? persons.first : nil
    }

    private func isWholeName(_ text: String) throws -> Bool {
        if try people.circle(named: text, of: actor.id) != nil { return true }
        return try knownWithQuality(text, in: actor.id).quality?.isOfWholeName == true
    }
}
