import Agenda
import Ledger
import Timekeeping

/// Nights in which somebody wants to be left alone: from one full hour to another of the next day,
/// by the clock on their wall.
struct Night: Equatable, Sendable {
    let startHour: Int
    let endHour: Int

    /// The end of the night in which a moment lies; `nil` where it lies in none.
    func end(at moment: Moment, in zone: Zone) -> Moment? {
        let wall = zone.wallTime(at: moment)
        let isEvening = wall.time.hour >= startHour
        guard isEvening || wall.time.hour < endHour else { return nil }
        let day = wall.date.adding(days: isEvening ? 1 : 0)
        return CivilTime(secondsSinceMidnight: endHour * 3600).map {
            zone.moment(of: WallTime(date: day, time: $0))
        }
    }
}

/// Somebody of whom the simulation knows all.
struct Guest: Sendable {
    let name: String
    let address: String
    let id: String
    let zone: Zone?
    var night: History<Night?>
    var offsets: History<[TimeSpan]?>
    var isSuppressed: History<Bool>
}

/// What a meeting is, between two changes.
struct Facts: Sendable {
    var wall: WallTime
    var startsAt: Moment
    var endsAt: Moment
    var place: String
    var reminders: [TimeSpan]
    var isCancelled = false
    /// Whether nobody is told that it is so.
    var isQuiet = false

    /// Whether people who know these facts need not be told the others.
    func readsLike(_ other: Facts) -> Bool {
        startsAt == other.startsAt && endsAt == other.endsAt && place == other.place
            && isCancelled == other.isCancelled
    }
}

/// How somebody stands to a meeting, between two changes.
struct Standing: Sendable {
    struct Snooze: Equatable, Sendable {
        let due: Moment
        let startsAt: Moment
    }

    var isIn = true
    var answer = Answer.invited
    var snooze: Snooze?
}

/// A meeting of which the simulation knows all.
struct Gathering: Sendable {
    let id: String
    let title: String
    let zone: Zone
    /// The place of its planner among those of the simulation.
    let planner: Int
    var facts: [(step: Int, wall: Moment, value: Facts)]
    /// By the person's id.
    var standings: [String: History<Standing>]

    var now: Facts { facts[facts.count - 1].value }
    /// The latest end that was ever planned.
    var lastEnd: Moment { facts.map(\.value.endsAt).reduce(.earliest, max) }

    /// The numbers of the facts that held during any of these steps.
    func numbers(during steps: [Int]) -> [Int] {
        facts.indices.filter { number in
            let next = number + 1 < facts.count ? facts[number + 1].step : Int.max
            return steps.contains { facts[number].step <= $0 && $0 <= next }
        }
    }

    /// The first of the facts since which nothing was told anew.
    var toldNumber: Int {
        facts.indices.last { number in
            number == 0
                || !facts[number].value.isQuiet
                    && !facts[number].value.readsLike(facts[number - 1].value)
        } ?? 0
    }
}

extension TimeSpan {
    /// The moment so long before a start: days by the clock on the wall, the rest exactly.
    func simulatedBefore(_ wall: WallTime, in zone: Zone) -> Moment {
        let day = WallTime(date: wall.date.adding(days: -days), time: wall.time)
        return zone.moment(of: day).advanced(bySeconds: -Int64(seconds))
    }
}

/// The truth, as it is told to no store.
struct World: Sendable {
    static let ownerName = "Olga Owner"

    var guests: [Guest] = []
    var gatherings: [Gathering] = []
    var ownerID = ""
    /// What was given up by hand, and the step then.
    var dropped: [String: Int] = [:]
    /// What was taken up again by hand.
    var retaken: Set<String> = []

    func guest(id: String) -> Guest? { guests.first { $0.id == id } }

    /// When the next reminder of anybody falls due, as things stand.
    func nextReminder(after wall: Moment) -> Moment? {
        var next: Moment?
        for gathering in gatherings where gathering.now.startsAt > wall {
            for (person, standing) in gathering.standings where standing.last.isIn {
                for due in dues(of: person, standing.last, in: gathering) where due > wall {
                    next = min(next ?? due, due)
                }
            }
        }
        return next
    }

    /// When somebody is to be reminded of a meeting, as things stand.
    func dues(of person: String, _ standing: Standing, in gathering: Gathering) -> [Moment] {
        let facts = gathering.now
        let offsets = guest(id: person)?.offsets.last ?? facts.reminders
        return offsets.map { $0.simulatedBefore(facts.wall, in: gathering.zone) }
            + [standing.snooze?.due].compactMap(\.self)
    }
}
