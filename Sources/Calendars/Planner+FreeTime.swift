public import Agenda
import Interchange
public import Ledger
public import Planning
import Storage
public import Timekeeping
import Wording

/// A request for times at which people can meet.
public struct FreeTimeRequest: Sendable {
    /// The people, from ``Planner/peopleToMeet(named:)``.
    public var people: [Person] = []
    /// The start of the period to search; empty for the current time.
    public var from = ""
    /// The end of the period to search; empty for two weeks after its start.
    public var until = ""
    /// The length of the meeting.
    public var duration = Meeting.durationDefault
    /// The hours in which people can come, each in their own time zone.
    public var hours: [WeekSpan] = []
    /// The number of people who must be able to come; `nil` for as many as possible.
    public var quorum: Int?
    /// The maximum number of times to return.
    public var count = 10
    /// A meeting whose time counts as free, because it is to be moved; `nil` for none.
    public var besides: MeetingID?

    /// Creates a request without people.
    public init() {}
}

/// A time at which people can meet.
public struct FreeSlot: Encodable, Sendable {
    /// A person who cannot come, or who may be busy.
    public struct Absence: Encodable, Sendable {
        /// The name of the person.
        public let person: String
        /// The reason: `busy`, `hours` (outside the requested hours in their time zone) or
        /// `tentative` (perhaps busy).
        public let reason: String
        /// The reason in words: "Ben is busy from 14:00 to 15:00".
        public let words: String
        /// The same for other languages.
        public let phrase: Phrase

        init(person: String, reason: String, phrase: Phrase) {
            self.person = person
            self.reason = reason
            self.phrase = phrase
            words = phrase.words(in: .english) { $0 }
        }

        private enum CodingKeys: CodingKey { case person, reason, words }
    }

    /// The start in another time zone.
    public struct LocalStart: Encodable, Sendable {
        /// The time zone, in which at least one of the people lives.
        public let tz: String
        /// The start in that zone.
        public let start: Timestamp
        /// The start in words: "11:00 (Europe/Berlin)".
        public let words: String
    }

    /// The start.
    public let start: Timestamp
    /// The end.
    public let end: Timestamp
    /// The start in the other time zones in which the people live, each zone once.
    public let local: [LocalStart]
    /// The number of people who can come.
    public let free: Int
    /// The people who cannot come.
    public let missing: [Absence]
    /// The people who may be busy.
    public let unsure: [Absence]

    /// The start and the end in words.
    public var words: String { start.words(through: end) }
}

/// Times at which people can meet, the best first.
public struct FreeTimes: Encodable, Sendable {
    /// A person for whom times were searched.
    public struct Guest: Encodable, Sendable {
        /// The person's id; for an address that belongs to nobody, the address itself.
        public let id: String
        /// The name.
        public let name: String
        /// Their time zone.
        public let tz: String
        /// True if a calendar with their busy times is known.
        public let known: Bool
    }

    /// The start of the searched period.
    public let from: Timestamp
    /// The end of the searched period.
    public let until: Timestamp
    /// The length of the meeting, in the form of ISO 8601.
    public let duration: String
    /// The people.
    public let people: [Guest]
    /// The times.
    public let slots: [FreeSlot]
    /// Remarks about the result, in sentences.
    public let remarks: [Remark]
}

extension Planner {
    /// The default length of the period to search, in seconds: two weeks.
    private static let freeSecondsDefault: Int64 = 14 * 86_400
    /// The maximum number of people in one search.
    public static let freePeopleMax = 1000

    /// Searches for the best times at which people can meet.
    ///
    /// - Parameter request: the people, and the conditions.
    /// - Returns: the times, the best first; none if the required number of people can never come.
    /// - Throws: ``Refusal`` if the request is invalid.
    public func freeTimes(_ request: FreeTimeRequest) async throws -> FreeTimes {
        let people = request.people
        try Self.check(people)
        if let quorum = request.quorum, quorum > people.count {
            throw Refusal(
                .invalid, code: "usage",
                "A quorum of \(quorum) is not possible with "
                    + TimeWords.count(people.count, "person", plural: "people") + "."
            )
        }
        let time = try freeRange(request)
        let known = try await knownTimes(of: people, within: time)
        let guests = people.map { person in
            SlotGuest(
                busy: busyTimes(
                    of: person, known, within: time,
                    besides: Set([request.besides].compactMap(\.self))), zone: zone(of: person))
        }
        var search = SlotSearch(in: time, lasting: try seconds(of: request.duration), by: zone)
        search.hours = request.hours
        search.quorum = request.quorum
        search.slotsMax = request.count
        func views(_ slots: [Slot]) -> [FreeSlot] {
            slots.map { view(of: $0, people: people, guests: guests) }
        }
        let slots = views(search.slots(for: guests))
        (search.quorum, search.slotsMax) = (0, 1)
        let nearest = slots.isEmpty ? views(search.slots(for: guests)).first : nil
        let lines = zip(people, guests).map { person, guest in
            FreeTimes.Guest(
                id: person.id.text, name: person.name, tz: guest.zone.id,
                known: known.calendars[person.id]?.isEmpty == false)
        }
        return FreeTimes(
            from: Timestamp(time.lowerBound, in: zone, reader: zone),
            until: Timestamp(time.upperBound, in: zone, reader: zone),
            duration: request.duration.iso, people: lines, slots: slots,
            remarks: remarks(on: slots, or: nearest, of: lines, request)
                + remarks(onPeopleKnownBefore: time.upperBound, people, known))
    }

    private func remarks(
        onPeopleKnownBefore end: Moment, _ people: [Person], _ known: KnownTimes
    ) -> [Remark] {
        people.compactMap { person in
            let until = known.calendars[person.id]?.map(\.laidOutUntil).min()
            return until.flatMap { until in
                until < end
                    ? Remark(
                        Phrase(
                            "The busy times of %name% are known only until %date%.",
                            [
                                "name": .text(person.name),
                                "date": .dates([zone.wallTime(at: until).date]),
                            ]))
                    : nil
            }
        }
    }

    private func remarks(
        on slots: [FreeSlot], or nearest: FreeSlot?, of guests: [FreeTimes.Guest],
        _ request: FreeTimeRequest
    ) -> [Remark] {
        var remarks: [Remark] = []
        let unknown = guests.filter { !$0.known }.map(\.name)
        if !unknown.isEmpty {
            let names = Phrase.Value.names(
                Array(unknown.prefix(5)), rest: max(0, unknown.count - 5))
            remarks.append(
                Remark(
                    Phrase(
                        "No calendar is known for %names%. Only meetings here count for them.",
                        ["names": names]), advice: .calendars(.addBusy)))
        }
        if slots.isEmpty {
            let none =
                request.quorum.map {
                    Phrase(
                        "There is no time at which %n% of them can come.", ["n": .text("\($0)")])
                } ?? Phrase("There is no time at which any of them can come.")
            let closest =
                nearest.map { closestTime($0, of: guests.count) }
                ?? Phrase("The meeting is longer than the period to search.")
            remarks += [Remark(none), Remark(closest)]
        } else if let best = slots.first, !best.missing.isEmpty {
            remarks.append(
                Remark(
                    Phrase(
                        "There is no time at which all of them can come. At most %m% of %n% can "
                            + "come.",
                        ["m": .text("\(best.free)"), "n": .text("\(guests.count)")])))
        }
        return remarks
    }

    private func closestTime(_ slot: FreeSlot, of count: Int) -> Phrase {
        Phrase(
            "The closest time is %time%: %m% of %n% can come (%reasons%).",
            [
                "time": .time(slot.start.moment..<slot.end.moment, zone),
                "m": .text("\(slot.free)"), "n": .text("\(count)"),
                "reasons": .phrases(slot.missing.map(\.phrase)),
            ])
    }

    /// The people with the given names, each once. A circle stands for its members; the actor is
    /// included only if named.
    ///
    /// - Throws: ``Refusal`` with `unknown_person` or `ambiguous_person`.
    public func peopleToMeet(named names: [String]) async throws -> [Person] {
        try await searching { search in
            try names.flatMap { name -> [Person] in
                switch try search.meaning(of: name) {
                case .person(let person): [person]
                case .circle(let circle): try search.members(of: circle)
                case .stranger(let name, let address):
                    [Person(id: PersonID(text: address), name: name, address: address)]
                }
            }.uniqued()
        }
    }

    private static func check(_ people: [Person]) throws(Refusal) {
        guard !people.isEmpty else {
            throw Refusal(
                .invalid, code: "usage", "Name the people or circles for whom to find a time.")
        }
        guard people.count <= freePeopleMax else {
            throw Refusal(
                .refused, code: "too_many_people",
                "A time can be searched for at most \(freePeopleMax) people.")
        }
    }

    private func freeRange(_ request: FreeTimeRequest) throws -> Range<Moment> {
        // The search never starts in the past.
        let from = max(
            now, request.from.isEmpty ? now : try moment(request.from, dayMeans: .start))
        let until =
            request.until.isEmpty
            ? from.advanced(bySeconds: Self.freeSecondsDefault) : try moment(request.until)
        guard until > from else {
            throw Refusal(
                .invalid, code: "bad_range",
                "The end of the period to search is not after its start, or it is past.")
        }
        guard until.seconds - from.seconds <= Int64(SlotSearch.daysMax) * 86_400 else {
            throw Refusal(
                .invalid, code: "bad_range",
                "The period to search is longer than \(SlotSearch.daysMax) days.")
        }
        return from..<until
    }

    private func seconds(of duration: TimeSpan) throws -> Int64 {
        try MeetingRules.check(duration: duration)
        return Int64(duration.days) * 86_400 + Int64(duration.seconds)
    }

    private func view(of slot: Slot, people: [Person], guests: [SlotGuest]) -> FreeSlot {
        let missing = slot.absent.sorted { $0.key < $1.key }.map { place, reason in
            let name = people[place].name
            switch reason {
            case .busy(let span):
                return FreeSlot.Absence(
                    person: name, reason: "busy",
                    phrase: Phrase(
                        "%name% is busy %period%",
                        ["name": .text(name), "period": .period(span, zone)]))
            case .hours:
                let there = guests[place].zone.wallTime(at: slot.time.lowerBound)
                return FreeSlot.Absence(
                    person: name, reason: "hours",
                    phrase: Phrase(
                        "it is %time% for %name%",
                        ["name": .text(name), "time": .text(there.time.shortText)]))
            }
        }
        let unsure = slot.tentative.sorted { $0.key < $1.key }.map { place, span in
            let name = people[place].name
            return FreeSlot.Absence(
                person: name, reason: "tentative",
                phrase: Phrase(
                    "%name% may be busy %period%",
                    ["name": .text(name), "period": .period(span, zone)]))
        }
        return FreeSlot(
            start: Timestamp(slot.time.lowerBound, in: zone, reader: zone),
            end: Timestamp(slot.time.upperBound, in: zone, reader: zone),
            local: localStarts(of: slot, guests),
            free: people.count - missing.count, missing: missing, unsure: unsure)
    }

    private func localStarts(of slot: Slot, _ guests: [SlotGuest]) -> [FreeSlot.LocalStart] {
        let start = slot.time.lowerBound
        let zones = Dictionary(guests.map { ($0.zone.id, $0.zone) }) { first, _ in first }
        return zones.values.filter { $0.id != zone.id }
            .sorted { ($0.offsetSeconds(at: start), $0.id) < ($1.offsetSeconds(at: start), $1.id) }
            .map { there in
                let time = there.wallTime(at: start).time.shortText
                return FreeSlot.LocalStart(
                    tz: there.id, start: Timestamp(start, in: there, reader: there),
                    words: "\(time) (\(there.id))")
            }
    }
}
