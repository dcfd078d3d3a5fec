import Storage

/// The facts about all cards of an import that it needs before it saves the first card.
///
/// Small files are kept in memory. Large ones are read again, one after the other.
struct ImportSurvey {
    /// The size of all files together up to which their cards are kept, in octets.
    static let keptOctetsMax = 8 << 20

    /// The number of cards of people.
    private(set) var count = 0
    /// The cards of groups.
    private(set) var groups: [GroupCard] = []
    /// The cards without a UID.
    private(set) var withoutUID = CardsWithoutUID()
    /// The cards of different people with the same UID.
    var twins = CardTwins()
    private var kept: [Int: [ImportedCard]] = [:]
    private var keptOctets = 0

    /// Notes the cards of a file.
    ///
    /// - Parameters:
    ///   - people: the cards of people.
    ///   - groups: the cards of groups.
    ///   - place: the index of the file.
    ///   - octets: the size of the file; `nil` if it cannot be read again.
    mutating func take(
        _ people: [ImportedCard], _ groups: [GroupCard], ofFile place: Int, octets: Int?
    ) {
        count += people.count
        self.groups += groups
        withoutUID.add(people.map(\.card))
        guard keptOctets + (octets ?? 0) <= Self.keptOctetsMax else { return }
        keptOctets += octets ?? 0
        kept[place] = people
    }

    /// Removes the kept cards of a file.
    ///
    /// - Parameter place: the index of the file.
    /// - Returns: the cards; `nil` if the file must be read again.
    mutating func takeCards(ofFile place: Int) -> [ImportedCard]? {
        kept.removeValue(forKey: place)
    }
}
