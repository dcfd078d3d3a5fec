import Agenda
import Interchange
import Ledger
import Storage

/// The categories of imported cards, which become circles.
///
/// Only a category that is new on its card counts. So a circle that was renamed or deleted here
/// does not come back, and who was taken out of one does not come back with it.
struct ImportCategories {
    /// A category of cards.
    struct Category {
        /// The name as the first card writes it.
        let name: String
        /// The first card.
        let card: ImportedCard
        /// The reason why no circle can have this name.
        let fault: Refusal?
        /// The people who came into its circle; `nil` if there is none.
        fileprivate(set) var circle: CircleExtension?

        fileprivate init(name: String, card: ImportedCard) {
            self.name = name
            self.card = card
            do {
                try ContactRules.checkCircle(named: name)
                fault = nil
            } catch {
                fault = Refusal(error)
            }
        }
    }

    /// The most categories of one import that become circles.
    static let circlesMax = 500
    /// The most categories of one card that count.
    private static let categoriesMax = 50

    /// The categories, in the order in which they were first seen.
    private(set) var all: [Category] = []
    private var places: [String: Int] = [:]

    /// Takes the categories of further cards.
    ///
    /// - Parameters:
    ///   - decisions: the decisions about the cards.
    ///   - cards: the cards.
    /// - Returns: the names of circles, and the people who come into them.
    mutating func take(
        _ decisions: [CardDecision], of cards: [ImportedCard]
    ) -> [(name: String, members: [PersonID])] {
        var members: [Int: [PersonID]] = [:]
        for (decision, card) in zip(decisions, cards) {
            for name in decision.newCategories.prefix(Self.categoriesMax) {
                guard let place = place(of: name, on: card) else { continue }
                members[place, default: []].append(decision.contact.person)
            }
        }
        return members.sorted { $0.key < $1.key }
            .filter { $0.key < Self.circlesMax && all[$0.key].fault == nil }
            .map { (all[$0.key].name, $0.value) }
    }

    private mutating func place(of name: String, on card: ImportedCard) -> Int? {
        let key = SearchKey.fold(name)
        guard !key.isEmpty, !GoogleGroup.isOwn(name) else { return nil }
        if let known = places[key] { return known }
        places[key] = all.count
        all.append(Category(name: name, card: card))
        return all.count - 1
    }

    /// Notes that circles got people.
    mutating func note(_ circles: [CircleExtension]) {
        for circle in circles {
            guard let place = places[SearchKey.fold(circle.name)] else { continue }
            if all[place].circle == nil {
                all[place].circle = circle
            } else {
                all[place].circle?.add(circle)
            }
        }
    }
}
