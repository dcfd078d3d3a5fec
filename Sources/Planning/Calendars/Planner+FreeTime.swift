public import Agenda
import Interchange
import Ledger
import Storage
public import Timekeeping
import Wording

/// When people are to meet, as somebody asks for it.
public struct FreeTimeRequest: Sendable {
    /// Who: people and circles.
    public var who: [String] = []
    /// Not before; empty for from now on.
    public var from = ""
    /// To be over by then; empty for two weeks after the beginning.
    public var until = ""
    /// How long.
    public var duration = Meeting.durationDefault
    /// The hours in which everybody can come, by their own clocks.
    public var hours: [WeekSpan] = []
    /// How many have to be able to come; `nil` for as many as can at any time.
    public var quorum: Int?
    /// How many times are shown.
    public var count = 10

    /// A request of nobody yet.
    public init() {}
}

/// A time at which people can meet.
public struct FreeSlot: Encodable, Sendable {
    /// Somebody who cannot, or may not.
    public struct Absence: Encodable, Sendable {
        /// Who.
        public let person: String
        /// `busy`, `hours` or `tentative`.
        public let reason: String
        /// The same in words: "Ben is busy from 14:00 to 15:00".
        public let words: String
    }

    /// What other clocks show when it begins.
    public struct LocalStart: Encodable, Sendable {
        /// Whose: a zone in which one of the people lives.
        public let tz: String
        /// The same moment.
        public let start: Timestamp
        /// "11:00 (Europe/Berlin)".
        public let words: String
    }

    /// When it begins.
    public let start: Timestamp
    /// When it ends.
    public let end: Timestamp
    /// When that is by the clocks of people who live in other zones, each zone once.
    public let local: [LocalStart]
    /// How many can come.
    public let free: Int
    /// Who cannot.
    public let missing: [Absence]
    /// Who may not.
    public let unsure: [Absence]

    /// When that is, in words.
    public var words: String { start.words(through: end) }
}

/// Times at which people can meet, the best first.
public struct FreeTimes: Encodable, Sendable {
    /// Somebody for whom a time was looked for.
    public struct Guest: Encodable, Sendable {
        /// The person's id; an address that nobody has yet is its own.
        public let id: String
        /// The name.
        public let name: String
        /// By whose clocks they live.
        public let tz: String
        /// Whether a calendar of theirs is known.
        public let known: Bool
    }

    /// From when on.
    public let from: Timestamp
    /// Up to when.
    public let until: Timestamp
    /// How long it takes.
    public let duration: String
    /// For whom.
    public let people: [Guest]
    /// The times.
    public let slots: [FreeSlot]
    /// What else there is to know, in sentences.
    public let remarks: [String]
}

extension Planner {
    /// How long ahead is looked where nothing is said, in seconds: two weeks.
    private static let freeSecondsDefault: Int64 = 14 * 86_400
    /// The most people for whom a time is looked for.
    public static let freePeopleMax = 1000

    /// The times that suit people best.
    ///
    /// - Parameter request: who, and when.
    /// - Returns: the times, the best first; none where fewer can come than have to.
    /// - Throws: ``Refusal`` with what is wrong.
    public func freeTimes(_ request: FreeTimeRequest) async throws -> FreeTimes {
        let people = try await people(named: request.who)
        if let quorum = request.quorum, quorum > people.count {
            throw Refusal(
                .invalid, code: "usage",
                "--quorum \(quorum) is more than there are: "
                    + TimeWords.count(people.count, "person", plural: "people") + "."
            )
        }
        let time = try freeRange(request)
        let known = try await store.knownTimes(of: people.map(\.id), within: time)
        let guests = people.map { person in
            SlotGuest(
                busy: busyTimes(of: person, known, within: time), zone: zone(of: person))
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
    ) -> [String] {
        people.compactMap { person in
            let until = known.calendars[person.id]?.map(\.laidOutUntil).min()
            return until.flatMap { until in
                until < end
                    ? "Of \(person.name) it is known only until "
                        + "\(TimeWords.date(zone.wallTime(at: until).date)) when they are busy."
                    : nil
            }
        }
    }

    private func remarks(
        on slots: [FreeSlot], or nearest: FreeSlot?, of guests: [FreeTimes.Guest],
        _ request: FreeTimeRequest
    ) -> [String] {
        var remarks: [String] = []
        let unknown = guests.filter { !$0.known }.map(\.name)
        if !unknown.isEmpty {
            let names = unknown.prefix(5).joined(separator: ", ")
            let more = unknown.count > 5 ? " and \(unknown.count - 5) others" : ""
            remarks.append(
                "Of \(names)\(more) no calendar is known, only meetings here. To add one: letsmeet "
                    + "calendar busy add URL --who WHO")
        }
        if slots.isEmpty {
            let comers = request.quorum.map(String.init) ?? "any"
            remarks.append("There is no time at which \(comers) of them can come.")
            remarks.append(
                nearest.map { slot in
                    let reasons = slot.missing.map(\.words).joined(separator: ", ")
                    return "Nearest to it comes \(slot.words), for \(slot.free) of "
                        + "\(guests.count): \(reasons)."
                } ?? "It takes longer than there is from --from to --to.")
        } else if let best = slots.first, !best.missing.isEmpty {
            remarks.append(
                "There is no time at which all of them can come: at the best \(best.free) of "
                    + "\(guests.count) can.")
        }
        return remarks
    }

    /// The people whom names mean, circles by their members, the actor where they are named.
    private func people(named names: [String]) async throws -> [Person] {
        guard !names.isEmpty else {
            throw Refusal(
                .invalid, code: "usage", "Whom shall it suit? Name people or circles.")
        }
        let found = try await searching { search in
            try names.flatMap { name -> [Person] in
                switch try search.meaning(of: name) {
                case .person(let person): [person]
                case .circle(_, let members): members
                case .stranger(let name, let address):
                    [Person(id: PersonID(text: address), name: name, address: address)]
                }
            }
        }
        let people = found.reduce(into: [Person]()) { people, person in
            if !people.contains(where: { $0.id == person.id }) { people.append(person) }
        }
        guard people.count <= Self.freePeopleMax else {
            throw Refusal(
                .refused, code: "too_many_people",
                "A time is looked for for at most \(Self.freePeopleMax) people.")
        }
        return people
    }

    private func freeRange(_ request: FreeTimeRequest) throws -> Range<Moment> {
        // Nobody meets in the past.
        let from = max(
            now, request.from.isEmpty ? now : try moment(request.from, dayMeans: .start))
        let until =
            request.until.isEmpty
            ? from.advanced(bySeconds: Self.freeSecondsDefault) : try moment(request.until)
        guard until > from else {
            throw Refusal(.invalid, code: "bad_range", "--to is not after --from, or is over.")
        }
        guard until.seconds - from.seconds <= Int64(SlotSearch.daysMax) * 86_400 else {
            throw Refusal(
                .invalid, code: "bad_range",
                "From --from to --to are more than \(SlotSearch.daysMax) days.")
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
                    person: name, reason: "busy", words: "\(name) is busy \(words(of: span))")
            case .hours:
                let there = guests[place].zone.wallTime(at: slot.time.lowerBound)
                return FreeSlot.Absence(
                    person: name, reason: "hours",
                    words: "for \(name) it is \(there.time.shortText) then")
            }
        }
        let unsure = slot.tentative.sorted { $0.key < $1.key }.map { place, span in
            let name = people[place].name
            return FreeSlot.Absence(
                person: name, reason: "tentative", words: "\(name) may be busy \(words(of: span))")
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

    /// "from 14:00 to 15:00", with days where it goes over more than one.
    func words(of span: Range<Moment>) -> String {
        let (start, end) = (
            zone.wallTime(at: span.lowerBound), zone.wallTime(at: span.upperBound)
        )
        guard start.date == end.date else {
            return "from \(TimeWords.short(span.lowerBound, in: zone)) to "
                + TimeWords.short(span.upperBound, in: zone)
        }
        return "from \(start.time.shortText) to \(end.time.shortText)"
    }

    /// When somebody is busy, by their calendars and their meetings here.
    ///
    /// - Parameters:
    ///   - person: who.
    ///   - known: what is known of them.
    ///   - time: within this.
    ///   - meetings: meetings that do not count.
    /// - Returns: the times.
    func busyTimes(
        of person: Person, _ known: KnownTimes, within time: Range<Moment>,
        besides meetings: Set<MeetingID> = []
    ) -> BusyTimes {
        let others = (known.meetings[person.id] ?? []).filter {
            !meetings.contains($0.meeting.id)
        }
        var (firm, tentative): ([Range<Moment>], [Range<Moment>]) = ([], [])
        for shown in others {
            for date in shown.spans(within: time, by: surroundings.zones) {
                if date.isFirm { firm.append(date.span) } else { tentative.append(date.span) }
            }
        }
        return (known.calendars[person.id] ?? []).reduce(
            BusyTimes(firm: firm, tentative: tentative)
        ) { $0.union($1.busy.sharing(time)) }
    }
}

extension FeedMeeting {
    /// When it takes its person's time, and whether they said that they come.
    func spans(
        within time: Range<Moment>, by zones: ZoneDirectory
    ) -> [(span: Range<Moment>, isFirm: Bool)] {
        guard meeting.series != nil else {
            let span = meeting.time.startsAt..<meeting.time.endsAt
            return answer == .declined ? [] : [(span, isFirm(answer))]
        }
        let zone = (try? zones.zone(meeting.time.zone)) ?? .utc
        return meeting.dates(
            endingAfter: time.lowerBound, startingBefore: time.upperBound, in: zone
        ).compactMap { date in
            let own = dates[date.name]
            guard date.isOn, own?.isRemoved != true, let said = own?.answer ?? answer,
                said != .declined
            else { return nil }
            return (date.time.startsAt..<date.time.endsAt, isFirm(said))
        }
    }

    private func isFirm(_ answer: Answer?) -> Bool {
        answer == .going && !nature.contains(.tentative)
    }
}
