public import Agenda
public import Ledger
public import Planning

/// The use cases with names in place of ids, as the command line resolves them.
extension Planner {
    /// Shows a meeting.
    public func meeting(_ name: String, on date: String? = nil) async throws -> MeetingView {
        try await meeting(try await meetingID(named: name, on: date, pastToo: true), on: date)
    }

    /// Edits a meeting.
    public func editMeeting(
        _ name: String, _ edit: MeetingEdit, saving: Bool
    ) async throws -> MeetingOutcome {
        let id = try await meetingID(named: name, on: edit.date ?? edit.from)
        return try await editMeeting(id, edit, saving: saving)
    }

    /// Cancels a meeting.
    public func cancelMeeting(
        _ name: String, on date: String? = nil, from first: String? = nil, saving: Bool
    ) async throws -> MeetingOutcome {
        let id = try await meetingID(named: name, on: date ?? first)
        return try await cancelMeeting(id, on: date, from: first, saving: saving)
    }

    /// Invites people to a meeting.
    public func invite(
        _ names: [String], to name: String, on date: String? = nil, saving: Bool
    ) async throws -> MeetingOutcome {
        let id = try await meetingID(named: name, on: date)
        return try await invite(names, to: id, on: date, saving: saving)
    }

    /// Removes people from a meeting.
    public func uninvite(
        _ names: [String], from name: String, on date: String? = nil, saving: Bool
    ) async throws -> MeetingOutcome {
        let id = try await meetingID(named: name, on: date)
        return try await uninvite(named: names, from: id, on: date, saving: saving)
    }

    /// Answers for the actor, or for a participant.
    public func answer(
        _ name: String, on date: String? = nil, _ answer: Answer, who: String?, plus: Int?,
        note: String?, saving: Bool
    ) async throws -> MeetingOutcome {
        let id = try await meetingID(named: name, on: date)
        let person = try await participant(who, of: id)
        return try await self.answer(
            id, on: date, answer, of: person, plus: plus, note: note, saving: saving)
    }

    /// Asks people again who have not answered.
    public func nudge(
        _ name: String, on date: String? = nil, who: [String], note: String, saving: Bool
    ) async throws -> MeetingOutcome {
        let id = try await meetingID(named: name, on: date)
        let people = who.isEmpty ? nil : try await participants(named: who, of: id, on: date)
        return try await nudge(id, on: date, people: people, note: note, saving: saving)
    }

    /// Sends a message to participants.
    public func message(
        _ name: String, on date: String? = nil, _ text: String, to answers: Set<Answer>,
        saving: Bool
    ) async throws -> MeetingOutcome {
        let id = try await meetingID(named: name, on: date, pastToo: true)
        return try await message(id, on: date, text, to: answers, saving: saving)
    }

    /// Finds a proposal.
    public func proposal(for name: String, by who: String?) async throws -> ChosenProposal {
        try await proposal(for: try await meetingID(named: name), by: who)
    }

    /// Snoozes a reminder.
    public func snooze(
        _ name: String, _ time: SnoozeTime, who: String?, saving: Bool
    ) async throws -> MeetingOutcome {
        let id = try await meetingID(named: name)
        let person = try await participant(who, of: id)
        return try await snooze(id, time, of: person, saving: saving)
    }

    /// The links of guests.
    public func guestLinks(
        of name: String, to who: [String], change: LinkChange
    ) async throws -> GuestLinks {
        let id = try await meetingID(named: name)
        let people = who.isEmpty ? nil : try await participants(named: who, of: id)
        return try await guestLinks(of: id, to: people, change: change)
    }

    /// The deliveries of a meeting.
    public func deliveries(
        of name: String, to who: String?, limit: Int = Planner.listRowsMax
    ) async throws -> FirstRows<StoryView> {
        let id = try await meetingID(named: name)
        guard let who else { return try await deliveries(of: id, limit: limit) }
        let receiver = try await deliveryReceiver(named: who, of: id)
        return try await deliveries(of: id, to: receiver, limit: limit)
    }

    /// The deliveries of a meeting in these states.
    public func ledger(
        states: Set<DeliveryState>, meeting: String, limit: Int
    ) async throws -> FirstRows<StoryView> {
        let id = try await meetingID(named: meeting)
        return try await ledger(states: states, meeting: id, limit: limit)
    }

    /// The planned deliveries to a person.
    public func outbox(
        to who: String, kind: NotificationKind? = nil, limit: Int = Planner.listRowsMax
    ) async throws -> FirstRows<OutboxLine> {
        let person = try await knownPerson(named: who)
        return try await outbox(to: person.id, kind: kind, limit: limit)
    }

    private func participant(_ who: String?, of id: MeetingID) async throws -> Person {
        guard let who else { return actor }
        return try await participant(named: who, of: id)
    }
}

/// The use cases about people, circles and channels with names in place of ids.
extension Planner {
    /// Shows a contact.
    public func contact(_ who: String) async throws -> PersonView {
        try await contact(try await person(named: who))
    }

    /// Edits a contact.
    public func editPerson(_ who: String, _ edit: ContactEdit) async throws -> PersonView {
        try await editPerson(try await person(named: who), edit)
    }

    /// Removes a contact.
    public func removePerson(_ who: String) async throws -> RemovalReport {
        try await removePerson(try await person(named: who))
    }

    /// Merges two people.
    public func mergePeople(
        _ first: String, _ second: String, saving: Bool = true
    ) async throws -> PersonView {
        let kept = try await person(named: first)
        let other = try await person(named: second)
        return try await mergePeople(kept, other, saving: saving)
    }

    /// Erases a person.
    @discardableResult
    public func erasePerson(_ who: String) async throws -> ErasureReport {
        try await erasePerson(try await personToErase(named: who))
    }

    /// The policy of a person; of the actor without a name.
    public func policy(of who: String?) async throws -> PolicyView {
        try await policy(of: try await holder(who))
    }

    /// Changes the policy of a person; of the actor without a name.
    public func setPolicy(
        _ edit: PolicyEdit, of who: String?, saving: Bool
    ) async throws -> PolicyOutcome<PolicyView> {
        try await setPolicy(edit, of: try await holder(who), saving: saving)
    }

    private func holder(_ who: String?) async throws -> Person {
        guard let who else { return actor }
        return try await knownPerson(named: who)
    }

    /// A circle with its people.
    public func circle(_ name: String) async throws -> (CircleView, [PersonLine]) {
        try await members(of: try await circle(named: name))
    }

    /// Creates a circle.
    @discardableResult
    public func addCircle(
        _ name: String, members: [String]
    ) async throws -> (CircleView, [PersonLine]) {
        try await addCircle(name, members: try await people(named: members))
    }

    /// Adds people to a circle.
    @discardableResult
    public func addMembers(
        _ members: [String], to name: String
    ) async throws -> (CircleView, [PersonLine]) {
        let circle = try await circle(named: name, advice: [.people(.makeCircle(name))])
        return try await addMembers(try await people(named: members), to: circle)
    }

    /// Removes people from a circle.
    @discardableResult
    public func removeMembers(
        _ members: [String], from name: String
    ) async throws -> (CircleView, [PersonLine]) {
        let circle = try await circle(named: name)
        return try await removeMembers(try await people(named: members), from: circle)
    }

    /// Deletes a circle.
    @discardableResult
    public func deleteCircle(
        _ name: String
    ) async throws -> (circle: CircleView, channels: [String]) {
        try await deleteCircle(try await circle(named: name))
    }

    /// The readers of a channel: a person, a circle, or the installation.
    public func readers(
        who: String? = nil, circle: String? = nil
    ) async throws -> ChannelRequest.Readers {
        if let who { return .person(try await knownPerson(named: who)) }
        if let circle { return .circle(try await self.circle(named: circle)) }
        return .installation
    }
}
