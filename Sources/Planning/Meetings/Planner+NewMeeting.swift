import Agenda
import Ledger
import Settings
import Storage
import Timekeeping
import Wording

extension Planner {
    /// Creates a meeting and plans its notifications.
    ///
    /// - Parameters:
    ///   - request: the request.
    ///   - saving: true to save the meeting; false for a preview.
    /// - Returns: the meeting, and the notifications that will be sent.
    /// - Throws: ``Refusal`` with the problem and its remedy.
    public func createMeeting(
        _ request: MeetingRequest, saving: Bool
    ) async throws -> MeetingOutcome {
        try await retryingWithCurrentPeople { try await makeMeeting(request, saving: saving) }
    }

    /// Runs a use case again if another process created, merged or erased one of its guests in the
    /// meantime, because its names may mean other people then.
    func retryingWithCurrentPeople<Value>(_ body: () async throws -> Value) async throws -> Value {
        for _ in 0..<3 {
            do {
                return try await body()
            } catch StoreError.peopleChanged {
                continue
            }
        }
        return try await body()
    }

    /// The request with the place and the time zone of the earlier meeting that it repeats.
    private func withModel(_ request: MeetingRequest) async throws -> MeetingRequest {
        guard let like = request.like, request.model == nil else { return request }
        let meeting = try await visibleBundle(like).meeting
        try drafting.checkMayChange(meeting)
        guard request.place == meeting.place?.text else { return request }
        var request = request
        (request.place, request.model) = (nil, meeting)
        return request
    }

    private func makeMeeting(
        _ request: MeetingRequest, saving: Bool
    ) async throws -> MeetingOutcome {
        if let made = try await meetingMade(by: request) { return made }
        let request = try await withModel(request)
        let now = self.now
        try request.checkPlace()
        let known = try await known(by: request, inviting: saving)
        let chosen = try await chosenPlace(request, known: known.places)
        // A copy keeps place and zone, unless it gets another place.
        let model = chosen == nil && request.place == nil ? request.model : nil
        let zone = drafting.meetingZone(
            placeZone: try model.map { try self.zone(named: $0.time.zone) } ?? zone(of: chosen))
        let typed = try drafting.time(request.written, in: zone)
        let (time, series) = try drafting.repeated(
            typed, by: request.repetition, in: zone, now: now)
        let (guests, wishes) = try known.guests.get()
        let id: MeetingID = surroundings.chance.id()
        var meeting = try drafting.with(
            answerBy: request.answerBy,
            Meeting(
                id: id, uid: "\(id.text)@letsmeet", organizer: actor.id, title: request.title,
                note: request.note, link: request.link, place: chosen?.place ?? model?.place,
                time: time, series: series,
                reminders: (request.reminders ?? Meeting.remindersDefault).uniqued()))
        meeting.seating = try drafting.seating(
            request.seating, circle: try await audienceCircle(of: request.seating), of: meeting)
        let isAlone =
            guests.all.isEmpty && guests.remarks.isEmpty && meeting.seating?.audience == nil
        let alone =
            isAlone ? [Remark(Phrase("Nobody is invited yet."), advice: .meetings(.invite))] : []
        try MeetingRules.check(meeting)
        try MeetingRules.check(participantCount: guests.all.count + 1)
        try await checkMayInvite(guests.all.count)
        let organizer = Participant(person: actor.id, answer: .going)
        let people = [actor] + guests.all
        let (revision, isNew) = try await store.createMeeting(
            requestKey: request.key, organizer: actor.id, people: people.map(\.id),
            circles: guests.circles, wishes: wishes, saving: saving
        ) { [meeting] wishes in
            let bundle = MeetingBundle(
                meeting: meeting, participants: [organizer],
                people: Dictionary(people.map { ($0.id, $0) }, uniquingKeysWith: { $1 }),
                wishes: wishes)
            var draft = MeetingDraft(bundle)
            draft.guests = guests.new
            draft.organizerLimit = organizerLimit
            try draft.invite(guests.all, with: guests.members)
            return try drafting.decided(draft, deed: .created, reason: "", now: now)
        }
        guard isNew else { return try outcome(revision, remarks: [Self.madeBefore]) }
        var remarks = chosen?.remarksWithoutWords ?? []
        remarks += guests.remarks + alone + request.remarksOnCopy
        remarks += drafting.remarks(
            onFirst: time, series, typed: typed, request.written, by: request.repetition, in: zone)
        let made = try await notingConflicts(
            in: notingReach(in: try outcome(revision, remarks: remarks), isMade: saving))
        return saving ? made : made.unmade
    }

    /// The meeting that a request with this key created before.
    ///
    /// This is checked first, because a repeated request may no longer be valid: its start may have
    /// passed, or a guest may have left.
    private func meetingMade(by request: MeetingRequest) async throws -> MeetingOutcome? {
        guard let key = request.key else { return nil }
        guard !key.isEmpty else {
            throw Refusal(
                .invalid, code: "usage", "The key of the request is empty.",
                advice: [.leaveOut([.requestKey])])
        }
        guard let made = try await store.madeMeeting(requestKey: key, organizer: actor.id)
        else { return nil }
        return try outcome(made, remarks: [Self.madeBefore])
    }

    private static let madeBefore = Remark(
        Phrase("This meeting already exists: an earlier request with the same key created it."))

    /// Looks up the names of a request, in one read of the store.
    private func known(
        by request: MeetingRequest, inviting isInviting: Bool
    ) async throws -> KnownNames {
        try await searching(inviting: isInviting) { search in
            KnownNames(
                places: try request.place.map { try placeMeanings(of: $0, search) },
                guests: try guestsAndWishes(request.with, search))
        }
    }

    /// The guests that these names mean, with the preferences of the guests and the organizer, or
    /// the refusal of the names.
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

}

/// The meanings of the names in a request for a meeting.
private struct KnownNames: Sendable {
    typealias Guests = Result<(guests: GuestList, wishes: PersonalWishes), Refusal>

    let places: PlaceMeanings?
    /// The guests, or the refusal of a name. A refusal is thrown only after the place has been
    /// checked, because problems of the place are reported first. Errors of the store are thrown at
    /// once.
    let guests: Guests
}
