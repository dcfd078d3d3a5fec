import Agenda
import GRDB
import Ledger
import Timekeeping

extension DeliveryFacts {
    /// The facts for deliveries about a single date of a series; the facts of the whole meeting if
    /// `name` is no date of it.
    func on(_ name: String, by zones: ZoneDirectory, in db: Database) throws -> DeliveryFacts {
        guard let zone = try? zones.zone(meeting.time.zone),
            let date = meeting.date(named: name, in: zone)
        else { return self }
        let (turnout, going) = try comers(on: name, in: db)
        return DeliveryFacts(
            meeting: meeting.on(date), organizer: organizer, turnout: turnout, going: going,
            historyNumber: historyNumber,
            regularTime: meeting.date(named: name, byRule: true, in: zone)?.time)
    }

    /// The participants who are going on a date. An answer to the whole series counts for every
    /// date without its own answer.
    private func comers(
        on name: String, in db: Database
    ) throws -> (turnout: Turnout, going: [String]) {
        guard let special = try Participant.fetchDates(of: meeting, in: db)[name] else {
            return (turnout, going)
        }
        let expected = try Participant.fetchAll(of: meeting.id, in: db).on(special)
            .filter { !$0.isRemoved }
        let people = try Person.fetchAll(of: meeting.id, in: db)
        let comers = expected.filter { $0.presentAnswer == .going }
        let names = comers.map { comer in
            let name = (people[comer.person]?.name ?? "").withoutAddress
            return comer.plus > 0 ? "\(name) +\(comer.plus)" : name
        }
        guard meeting.seating?.namesFor != .organizer else { return (Turnout(of: expected), []) }
        return (
            Turnout(of: expected),
            names.count > Self.namesMax ? names.prefix(Self.namesMax) + ["…"] : names
        )
    }
}
