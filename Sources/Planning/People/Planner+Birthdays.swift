import Agenda
import Interchange
import Ledger
import Storage
public import Timekeeping
import Wording

/// A birthday of a contact on a date.
public struct BirthdayLine: Encodable, Sendable {
    /// The person's id.
    public let id: String
    /// The person's name.
    public let name: String
    /// The age that the person reaches; `nil` if the year of birth is unknown.
    public let age: Int?
    /// The date on which the birthday falls.
    public let date: CivilDate

    private enum Key: CodingKey { case id, name, age, date }

    init(_ contact: Contact, on date: CivilDate) {
        id = contact.person.text
        name = contact.card.formattedName
        age = contact.card.birthday.flatMap { Birthday($0) }?.age(on: date)
        self.date = date
    }

    /// The birthday as an entry of a digest.
    var fact: DigestFacts.BirthdayFact { .init(name: name, date: date, age: age) }

    /// Encodes all fields; an unknown age is `null`.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(id, forKey: .id)
        try container.encode(name, forKey: .name)
        try container.encode(age, forKey: .age)
        try container.encode(date.description, forKey: .date)
    }
}

extension Planner {
    /// The maximum number of birthdays that are shown of one date.
    private static let birthdaysOfDayMax = 50

    /// The birthdays of the actor's contacts on a date, by name; none if the actor does not want
    /// to see them.
    ///
    /// - Parameter date: the date.
    /// - Returns: the birthdays, at most 50.
    /// - Throws: an error of the store.
    public func birthdays(on date: CivilDate) async throws -> [BirthdayLine] {
        try await birthdays(of: actor, from: date, days: 1)
    }

    /// The birthdays of a person's contacts in a range of days, in the order of the days; none if
    /// the person does not want to see them.
    func birthdays(
        of reader: Person, from first: CivilDate, days: Int
    ) async throws -> [BirthdayLine] {
        var lines: [BirthdayLine] = []
        for number in 0..<days {
            let date = first.adding(days: number)
            lines += try await store.birthdays(
                of: reader.id, on: date, limit: Self.birthdaysOfDayMax
            ).map { BirthdayLine($0, on: date) }
        }
        return lines
    }
}
