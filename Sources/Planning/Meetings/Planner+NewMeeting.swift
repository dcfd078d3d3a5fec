import Agenda
import Ledger
import Settings
import Storage
import Timekeeping

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

    /// Runs a use case again when another process made a guest of it in the meantime, or merged
    /// or erased one: its names may mean others then.
    func readingGuestsAnew<Value>(_ body: () async throws -> Value) async throws -> Value {
        for _ in 0..<3 {
            do {
                return try await body()
            } catch StoreError.peopleChanged {
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
        let known = try await known(by: request)
        let chosen = try await chosenPlace(request, known: known.places)
        let zone = meetingZone(placeZone: try zone(of: chosen))
        let typed = try meetingTime(request, zone: zone, now: now)
        let (time, series) = try repeated(typed, by: request.repetition, in: zone, now: now)
        let (guests, wishes) = try known.guests.get()
        let isAlone = guests.all.isEmpty && guests.remarks.isEmpty
        let alone = isAlone ? ["Nobody is invited yet. See: letsmeet meeting invite --help"] : []
        let id: MeetingID = surroundings.chance.id()
        let meeting = Meeting(
            id: id, uid: "\(id.text)@letsmeet", organizer: actor.id, title: request.title,
            note: request.note, link: request.link, place: chosen?.place, time: time,
            series: series,
            reminders: (request.reminders ?? Meeting.remindersDefault).uniqued())
        try MeetingRules.check(meeting)
        try MeetingRules.check(participantCount: guests.all.count + 1)
        let organizer = Participant(person: actor.id, answer: .going)
        let people = [actor] + guests.all
        let (revision, isNew) = try await store.createMeeting(
            requestKey: request.key, organizer: actor.id, people: people.map(\.id),
            circles: guests.circles, wishes: wishes, saving: saving
        ) { wishes in
            let bundle = MeetingBundle(
                meeting: meeting, participants: [organizer],
                people: Dictionary(people.map { ($0.id, $0) }, uniquingKeysWith: { $1 }),
                wishes: wishes)
            var draft = MeetingDraft(bundle)
            draft.guests = guests.new
            try draft.invite(guests.all)
            return try decided(draft, deed: .created, reason: "", now: now)
        }
        guard isNew else { return try outcome(revision, remarks: [Self.madeBefore]) }
        let made = try outcome(
            revision,
            remarks: (chosen?.remarksWithoutWords ?? []) + guests.remarks + alone
                + remarks(onFirst: time, typed: typed)
                + (series.map { Self.remarks(onSkipped: $0.rule, from: time.start.date) } ?? [])
                + untold(revision))
        return saving ? made : made.unmade
    }

    /// Says that the guests hear nothing, where no way to people is on.
    private func untold(_ revision: MeetingRevision) -> [String] {
        let isAnybodyTold = revision.difference.added.contains {
            $0.key.notification.receiver.person != nil
        }
        guard !isAnybodyTold, revision.participants.count > 1,
            !sinks.contains(where: { $0.readers == .people })
        else { return [] }
        return [
            "Nobody is told of it themselves: no way to people is on. Name mail or stdout in "
                + "sinks, beside \(sinks.map(\.name).joined(separator: ", "))."
        ]
    }

    private static let madeBefore = "Made before by a request of this key: nothing is made anew."

    /// What a request may mean by its names, in one look at the store.
    private func known(by request: MeetingRequest) async throws -> KnownNames {
        try await searching { search in
            KnownNames(
                places: try request.place.map { try placeMeanings(of: $0, search) },
                guests: try guestsAndWishes(request.with, search))
        }
    }

    /// Whom these names mean, and how they and the organizer want to be told things, or why they
    /// mean nobody.
    private func guestsAndWishes(
        _ names: [String], _ search: PersonSearch
    ) throws -> KnownNames.Guests {
        do {
            let list = try guests(names, organizer: actor.id, search)
            let wishes = try search.people.wishes(
                of: [actor.id] + list.all.map(\.id), circles: list.circles)
            return .success((list, wishes))
        } catch let refusal as Refusal {
            return .failure(refusal)
        }
    }

    private func meetingTime(
        _ request: MeetingRequest, zone: Zone, now: Moment
    ) throws -> MeetingTime {
        let start = try start(request.start, in: zone, now: now)
        let duration = request.duration ?? Meeting.durationDefault
        try MeetingRules.check(duration: duration)
        return MeetingTime(start: start, zone: zone, duration: duration)
    }
}

/// What the names in a request for a meeting may mean.
private struct KnownNames: Sendable {
    typealias Guests = Result<(guests: GuestList, wishes: PersonalWishes), Refusal>

    let places: PlaceMeanings?
    /// A refusal waits until it is known that the place is right: that one is told first. What the
    /// store fails with is no refusal, and does not wait.
    let guests: Guests
}
