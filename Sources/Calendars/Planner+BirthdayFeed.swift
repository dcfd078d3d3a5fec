import Agenda
import Interchange
import Ledger
import Planning
import Storage
import Timekeeping
import Wording

extension Planner {
    /// The maximum number of birthdays in a feed.
    private static let birthdaysMax = 10_000

    /// The calendar of the birthdays of a person's contacts, in the person's language. Where the
    /// year of birth is unknown, a birthday repeats from the year before the current one.
    ///
    /// - Parameters:
    ///   - reader: the person.
    ///   - read: the feed.
    /// - Returns: the calendar object.
    /// - Throws: ``StoreError``.
    func birthdayCalendar(of reader: PersonID, for read: ReadFeed) async throws -> CalendarFeed {
        let person = try await store.person(reader) ?? Person(id: reader, name: "")
        let language = surroundings.language(of: person)
        let today = CivilDate(daysSince1970: Int(read.day)) ?? .latest
        let entries = try await store.birthdays(of: reader, limit: Self.birthdaysMax)
            .compactMap { $0.birthdayEvent(in: language, unlessKnown: today.year - 1) }
            .map { CalendarFeed.Entry([$0], changedAt: read.feed.madeAt) }
        return CalendarFeed(name: language.birthdays, entries)
    }
}

extension Contact {
    /// The event of a whole day that repeats each year.
    ///
    /// - Parameters:
    ///   - language: the language of the title.
    ///   - year: the first year if the year of birth is unknown.
    /// - Returns: the event; `nil` if the contact has no birthday.
    fileprivate func birthdayEvent(
        in language: Language, unlessKnown year: Int
    ) -> CalendarEvent? {
        guard let birthday = card.birthday.flatMap({ Birthday($0) }) else { return nil }
        let year = birthday.year ?? year
        let day = min(birthday.day, CivilDate.days(inMonth: birthday.month, ofYear: year))
        guard let date = try? CivilDate(year: year, month: birthday.month, day: day) else {
            return nil
        }
        var event = CalendarEvent(
            uid: "birthday-\(person.text)@letsmeet", sequence: 0,
            title: language.birthday(of: card.formattedName), start: Self.midnight(of: date),
            end: Self.midnight(of: date.adding(days: 1)), zone: .utc)
        event.rule = birthday.rule
        event.nameDays()
        event.show([.wholeDays, .transparent])
        return event
    }

    private static func midnight(of date: CivilDate) -> Moment {
        Zone.utc.moment(of: WallTime(date: date, time: .midnight))
    }
}
