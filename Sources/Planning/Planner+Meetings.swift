import Agenda
import Ledger
import Settings
import Storage
public import Timekeeping

/// A meeting as somebody asks for it; what is missing takes its default.
public struct MeetingRequest: Sendable {
    /// What it is about.
    public var title = ""
    /// Who is asked: names, addresses, circles.
    public var with: [String] = []
    /// A saved place, an id that a search printed, or words.
    public var place: String?
    /// The city in which the nearest place of ``interest`` is taken, where no place is named.
    public var city: String?
    /// What kind of place is taken.
    public var interest: String?
    /// The line by which people are told the place, where it is not the place's own.
    public var placeText: String?
    /// When it starts, as somebody typed it.
    public var start = ""
    /// How long it takes; one hour without it.
    public var duration: TimeSpan?
    /// How long before the start people are reminded; `nil` for the default.
    public var reminders: [TimeSpan]?
    /// What else there is to say.
    public var note = ""
    /// Where to join from afar.
    public var link = ""
    /// Names this request: the same key twice makes one meeting.
    public var key: String?

    /// An empty request.
    public init() {}
}

extension Planner {
    /// Makes a meeting and plans what its people are told.
    ///
    /// - Parameters:
    ///   - request: the meeting as it was asked for.
    ///   - saving: whether to save it; without, the outcome is a preview.
    /// - Returns: the meeting, and what people will be told.
    /// - Throws: ``Refusal`` with what is wrong and what to do.
    public func createMeeting(
        _ request: MeetingRequest, saving: Bool
    ) async throws -> MeetingOutcome {
        try await readingGuestsAnew { try await makeMeeting(request, saving: saving) }
    }

    /// Runs a use case again when a guest of it was made by another process in the meantime: that
    /// person is meant then.
    func readingGuestsAnew<Value>(_ body: () async throws -> Value) async throws -> Value {
        for _ in 0..<3 {
            do {
                return try await body()
            } catch StoreError.guestIsKnown {
                continue
            }
        }
        return try await body()
    }

    private func makeMeeting(
        _ request: MeetingRequest, saving: Bool
    ) async throws -> MeetingOutcome {
        // A request that is made again may not hold any more: its start has passed, somebody left.
        guard request.key != "" else {
            throw Refusal(
                .invalid, code: "usage", "--key is empty: name this request, or leave it out.")
        }
        if let key = request.key,
            let made = try await store.madeMeeting(requestKey: key, organizer: actor.id)
        {
            return try outcome(made, remarks: [Self.madeBefore])
        }
        let now = self.now
        try request.checkPlace()
        let chosen = try await chosenPlace(request)
        let zone = meetingZone(placeZone: try zone(of: chosen))
        let time = try meetingTime(request, zone: zone, now: now)
        let guests = try await guests(request.with, organizer: actor.id)
        let isAlone = guests.all.isEmpty && guests.remarks.isEmpty
        let alone = isAlone ? ["Nobody is invited yet. See: letsmeet meeting invite --help"] : []
        let id: MeetingID = surroundings.chance.id()
        let meeting = Meeting(
            id: id, uid: "\(id.text)@letsmeet", organizer: actor.id, title: request.title,
            note: request.note, link: request.link, place: chosen?.place, time: time,
            reminders: (request.reminders ?? Meeting.remindersDefault).uniqued())
        try MeetingRules.check(meeting)
        try MeetingRules.check(participantCount: guests.all.count + 1)
        let organizer = Participant(person: actor.id, answer: .going)
        let people = [actor] + guests.all
        let (revision, isNew) = try await store.createMeeting(
            requestKey: request.key, organizer: actor.id, people: people.map(\.id),
            saving: saving
        ) { policies in
            let bundle = MeetingBundle(
                meeting: meeting, participants: [organizer],
                people: Dictionary(people.map { ($0.id, $0) }, uniquingKeysWith: { $1 }),
                policies: policies)
            var draft = MeetingDraft(bundle)
            draft.guests = guests.new
            try draft.invite(guests.all)
            return try decided(draft, deed: .created, reason: "", now: now)
        }
        return try outcome(
            revision,
            remarks: isNew
                ? (chosen?.remarksWithoutWords ?? []) + guests.remarks + alone : [Self.madeBefore])
    }

    private static let madeBefore = "Made before by a request of this key: nothing is made anew."

    func chosenPlace(
        _ request: MeetingRequest
    ) async throws -> ChosenPlace? {
        guard (request.place ?? "").isEmpty, let interest = request.interest else {
            return try await place(request.place, words: request.placeText)
        }
        guard let city = request.city ?? surroundings.configuration[.area] else {
            throw Refusal(.invalid, code: "no_city", "Where? Give --city CITY too.")
        }
        return try await nearestPlace(
            city: city, interest: interest, words: request.placeText)
    }

    /// The zone in which a new meeting is kept: the one that was asked for, else that of its place,
    /// else the actor's.
    func meetingZone(placeZone: Zone?) -> Zone {
        surroundings.zoneOption == nil ? placeZone ?? zone : zone
    }

    private func meetingTime(
        _ request: MeetingRequest, zone: Zone, now: Moment
    ) throws -> MeetingTime {
        let start = try start(request.start, in: zone, now: now)
        let duration = request.duration ?? Meeting.durationDefault
        try MeetingRules.check(duration: duration)
        return MeetingTime(start: start, zone: zone, duration: duration)
    }

    /// Reads a start that somebody typed, and holds it to the rules: it exists, and lies ahead.
    func start(_ text: String, in zone: Zone, now: Moment) throws -> WallTime {
        guard !text.isEmpty else {
            throw Refusal(
                .invalid, code: "no_start",
                "When does it start? Give --start, such as \"fri 19:00\" or 2026-12-01T18:00.")
        }
        let wall = try wallTime(text, in: zone, now: now)
        try MeetingRules.check(start: wall, in: zone)
        let moment = zone.moment(of: wall)
        try MeetingRules.check(start: moment, now: now)
        return wall
    }
}

extension MeetingRequest {
    /// Refuses what would be ignored of the words for a place.
    ///
    /// - Throws: ``Refusal`` with `usage`.
    func checkPlace() throws(Refusal) {
        let search = [city.map { _ in "--city" }, interest.map { _ in "--for" }]
            .compactMap(\.self)
        let hasPlace = !(place ?? "").isEmpty
        guard !hasPlace || search.isEmpty else {
            throw .conflictingArguments(
                "--place names the place: leave out \(search.joined(separator: " and ")).")
        }
        guard city == nil || interest != nil else {
            throw .conflictingArguments(
                "--city needs --for: what kind of place is it to be, such as --for lunch?")
        }
        guard placeText == nil || hasPlace || interest != nil else {
            throw .conflictingArguments(
                "--place-text needs a place: give --place, or --city and --for.")
        }
    }
}

extension Refusal {
    /// Refuses arguments of which one would be ignored beside another.
    static func conflictingArguments(_ message: String) -> Refusal {
        Refusal(.invalid, code: "usage", message)
    }
}

extension Array where Element: Equatable {
    /// The elements, each once.
    func uniqued() -> [Element] {
        reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
    }
}
