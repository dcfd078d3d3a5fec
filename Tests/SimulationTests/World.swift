import Agenda
import Ledger
import Timekeeping

/// A person's quiet hours: from one full hour to another on the next day, in wall-clock time.
struct Night: Equatable, Sendable {
    let startHour: Int
    let endHour: Int

    /// The end of the quiet hours that contain a moment; `nil` if it is outside them.
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

/// A guest, with everything that the simulation knows about them.
struct Guest: Sendable {
    let name: String
    let address: String
    let id: String
    let zone: Zone?
    var night: History<Night?>
    var offsets: History<[TimeSpan]?>
    var isSuppressed: History<Bool>
}

/// The facts of a meeting between two changes.
struct Facts: Sendable {
    var wall: WallTime
    var startsAt: Moment
    var endsAt: Moment
    var place: String
    var reminders: [TimeSpan]
    var isCancelled = false
    /// True if nobody is notified of this change.
    var isQuiet = false

    /// True if people who know these facts need no notification of the others.
    func readsLike(_ other: Facts) -> Bool {
        startsAt == other.startsAt && endsAt == other.endsAt && place == other.place
            && isCancelled == other.isCancelled
    }
}

/// A person's status in a meeting between two changes.
struct Standing: Sendable {
    struct Snooze: Equatable, Sendable {
        let due: Moment
        let startsAt: Moment
    }

    var isIn = true
    var answer = Answer.invited
    var snooze: Snooze?
    /// The start for which the answer was given.
    var answeredFor: Moment?
    /// True if the meeting was moved after the answer, so that the person is asked again.
    var isOutdated = false

    /// True if the person is asked for an answer.
    var isSilent: Bool { answer == .invited || isOutdated }

    /// Follows a change that people are notified of. An answer holds after a move by less than the
    /// meeting's length within one day, and for its own start.
    mutating func follow(_ facts: Facts, in zone: Zone) {
        guard let given = answeredFor else { return }
        let distance = abs(facts.startsAt.milliseconds(since: given))
        let isNear =
            distance < facts.endsAt.milliseconds(since: facts.startsAt)
            && zone.wallTime(at: given).date == zone.wallTime(at: facts.startsAt).date
        isOutdated = distance > 0 && (isOutdated || !isNear)
    }
}

/// A meeting, with everything that the simulation knows about it.
struct Gathering: Sendable {
    let id: String
    let title: String
    let zone: Zone
    /// The index of its planner in the simulation's list.
    let planner: Int
    var facts: [(step: Int, wall: Moment, value: Facts)]
    /// The statuses by the person's ID.
    var standings: [String: History<Standing>]

    var now: Facts { facts[facts.count - 1].value }
    /// The latest end that it ever had.
    var lastEnd: Moment { facts.map(\.value.endsAt).reduce(.earliest, max) }

    /// The numbers of the facts that held during any of these steps.
    func numbers(during steps: [Int]) -> [Int] {
        facts.indices.filter { number in
            let next = number + 1 < facts.count ? facts[number + 1].step : Int.max
            return steps.contains { facts[number].step <= $0 && $0 <= next }
        }
    }

    /// The number of the last facts that people had to be notified of.
    var toldNumber: Int {
        facts.indices.last { number in
            number == 0
                || !facts[number].value.isQuiet
                    && !facts[number].value.readsLike(facts[number - 1].value)
        } ?? 0
    }

    /// True if who was told the facts with this number knows the facts of now: nothing of which
    /// people are notified came later, or it was taken back.
    func isCurrent(_ number: Int) -> Bool {
        number >= toldNumber || facts[number].value.readsLike(now)
    }
}

extension TimeSpan {
    /// The moment this long before a start: days in wall-clock time, the rest exactly.
    func simulatedBefore(_ wall: WallTime, in zone: Zone) -> Moment {
        let day = WallTime(date: wall.date.adding(days: -days), time: wall.time)
        return zone.moment(of: day).advanced(bySeconds: -Int64(seconds))
    }
}

/// The true state of the world, independent of the store.
struct World: Sendable {
    static let ownerName = "Olga Owner"

    var guests: [Guest] = []
    var gatherings: [Gathering] = []
    var ownerID = ""
    /// The deliveries that were dropped manually, with the step.
    var dropped: [String: Int] = [:]
    /// The deliveries that were retried manually.
    var retaken: Set<String> = []

    func guest(id: String) -> Guest? { guests.first { $0.id == id } }

    /// The due time of the next reminder, as things stand.
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

    /// The times of a person's reminders for a meeting, as things stand.
    func dues(of person: String, _ standing: Standing, in gathering: Gathering) -> [Moment] {
        let facts = gathering.now
        let offsets = guest(id: person)?.offsets.last ?? facts.reminders
        return offsets.map { $0.simulatedBefore(facts.wall, in: gathering.zone) }
            + [standing.snooze?.due].compactMap(\.self)
    }
}
