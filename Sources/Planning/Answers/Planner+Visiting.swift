package import Agenda
import Ledger
import Secrets
import Sinks
import Storage
import Timekeeping
public import Wording

/// Visits through private links.
extension Planner {
    /// Finds the guest and the meeting of a private link.
    ///
    /// - Parameters:
    ///   - token: the secret part of the link.
    ///   - date: the name of a date of a recurring meeting; a text that names none is ignored.
    /// - Returns: the visit; `nil` if the link is not valid, or no longer.
    /// - Throws: ``StoreError``.
    public func visit(
        by token: some StringProtocol, on date: String = ""
    ) async throws -> GuestVisit? {
        guard let link = try await link(of: token), let meeting = link.subject.meeting,
            let bundle = try await store.meetingFacts(meeting),
            let known = bundle.people[link.subject.person]
        else { return nil }
        // To whoever was shown the link, a person whom the organizer does not know has the typed
        // name, and no zone and language of their own.
        let person = link.isShown ? known : try await store.person(known.id) ?? known
        let place = try zone(named: bundle.meeting.time.zone)
        let own = person.zone.flatMap { try? zone(named: $0) }
        return try GuestVisit(
            acting(as: person).reading(in: own ?? place), bundle,
            on: bundle.date(date, for: person.id, after: now, in: place), by: link)
    }

    private func link(of token: some StringProtocol) async throws -> FoundLink? {
        guard let token = AccessToken(token) else { return nil }
        return try await store.accessLink(hash: token.hash)
    }

    private func subject(of token: some StringProtocol) async throws -> LinkSubject? {
        try await link(of: token)?.subject
    }

    /// A kind of regular notifications that a link can stop.
    public enum Subscription: Sendable {
        /// Reminders of all meetings.
        case reminders
        /// Digests.
        case digests
    }

    /// The subscription that a link stops, whether it is active, and the language of its reader;
    /// `nil` if the link is not valid, or no longer.
    public func subscription(
        by token: some StringProtocol
    ) async throws -> (kind: Subscription, isOn: Bool, language: Language)? {
        guard let subject = try await subject(of: token) else { return nil }
        let policy = try await store.policy(of: subject.person)
        let language =
            try await store.person(subject.person).map(surroundings.language(of:))
            ?? surroundings.standardLanguage
        return switch subject.purpose {
        case .guest: nil
        case .reminders: (.reminders, policy.reminders != [], language)
        case .digests: (.digests, policy.digest != nil, language)
        }
    }

    /// Stops or restarts the subscription of a link. Restarted reminders follow each meeting again.
    /// A subscription that already is in this state stays as it is, and a link that is not valid
    /// changes nothing.
    public func set(_ isOn: Bool, by token: some StringProtocol) async throws {
        guard let subject = try await subject(of: token),
            let known = try await subscription(by: token), known.isOn != isOn,
            let person = try await store.person(subject.person)
        else { return }
        var edit = PolicyEdit()
        switch subject.purpose {
        case .guest: return
        case .reminders: edit.reminders = isOn ? .asEachMeetingSays : .own([])
        // The period of the stopped digest is not stored.
        case .digests: edit.digest = isOn ? .each(.weekly) : .none
        }
        _ = try await acting(as: person).setPolicy(edit, of: person, saving: true)
    }

    /// The maximum number of people in one request for links, and of meetings for each.
    private static let sentLinksMax = 5
    /// The minimum time between two messages with the same link, in seconds.
    private static let linkSecondsMin: Int64 = 3600

    /// Sends all people with this address the links to their next meetings. The links go to the
    /// address for their notifications, each link at most once an hour and three times a day.
    ///
    /// The result is not reported, so that a request does not reveal which addresses are known.
    ///
    /// - Parameters:
    ///   - address: the address that was entered.
    ///   - isAdmitted: asked once if the address is known; nothing is sent if it says no.
    /// - Throws: the errors of the store.
    public func sendLinks(
        to address: String, ifAdmitted isAdmitted: () -> Bool = { true }
    ) async throws {
        // Without a public address there are no pages, and no links to them.
        guard try surroundings.linkBuilder().generator != nil else { return }
        let now = self.now
        let persons = try await store.lookUp {
            try $0.invitees(withAddress: address, after: now, limit: Self.sentLinksMax).map(\.id)
        }
        guard !persons.isEmpty, isAdmitted() else { return }
        for person in persons {
            var filter = MeetingFilter(limit: Self.sentLinksMax)
            filter.guests = [person]
            filter.endsAfter = now
            filter.isOnlyConfirmed = true
            for meeting in try await summaries(filter) {
                try await sendLink(to: person, of: meeting.id)
            }
        }
    }

    private func sendLink(to person: PersonID, of meeting: MeetingID) async throws {
        let now = self.now
        var writer = self
        writer.sinks = sinks.filter { SinkTable.kindsWithEnclosures.contains($0.name) }
        let planner = writer
        let difference: @Sendable (MeetingBundle) throws -> LedgerDifference = { bundle in
            guard bundle.mayBeSentLink(person, after: now, within: Self.linkSecondsMin) else {
                return LedgerDifference()
            }
            let date = try planner.nextDate(for: person, in: bundle)
            return try planner.said(
                .link, mark: NotificationMark(plannedAt: now), to: [.person(person.text)],
                in: bundle, on: date, until: date?.time.endsAt ?? bundle.meeting.endsAt, now: now)
        }
        // Checked first without the writers' lock, so that repeated requests do not block others.
        guard let known = try await store.meetingBundle(meeting),
            try !difference(known).added.isEmpty
        else { return }
        _ = try await store.reviseMeeting(meeting, saving: true) { bundle in
            MeetingRevision(
                meeting: bundle.meeting, participants: bundle.participants,
                people: bundle.people, difference: try difference(bundle), reason: "", now: now)
        }
    }

    /// The next date to which a person is invited; `nil` if they are invited to all.
    private func nextDate(for person: PersonID, in bundle: MeetingBundle) throws -> SeriesDate? {
        bundle.date(
            "", for: person, after: now, in: try zone(named: bundle.meeting.time.zone))
    }

    /// This planner with another person as the actor.
    package func acting(as person: Person) -> Planner {
        var planner = self
        planner.actor = person
        return planner
    }

    static var notAnswerable: Refusal {
        // Whether the meeting was cancelled or moved is private.
        Refusal(.refused, code: "not_a_participant", "You are not invited to this meeting.")
    }

    static var tooManyGuests: Refusal {
        Refusal(
            .refused, code: "too_many_guests",
            "You can bring 0 to \(Participant.plusMax) guests.")
    }
}

extension MeetingBundle {
    /// The date of a recurring meeting with this name. Without one, the next date to which the
    /// guest is invited; `nil` if they are invited to all dates.
    fileprivate func date(
        _ name: String, for person: PersonID, after now: Moment, in zone: Zone
    ) -> SeriesDate? {
        if meeting.hasDate(named: name, in: zone) { return meeting.date(named: name, in: zone) }
        guard !participants.contains(where: { $0.person == person && !$0.isRemoved }) else {
            return nil
        }
        let asked = dateParticipants.filter { date in
            date.value.contains { $0.person == person && !$0.isRemoved }
        }
        return asked.keys.compactMap { meeting.date(named: $0, in: zone) }
            .filter { $0.time.endsAt > now }
            .min { $0.time.startsAt < $1.time.startsAt }
    }

    /// The maximum number of messages with the same link in a day.
    private static let dailyLinksMax = 3
    private static let daySeconds: Int64 = 86_400

    /// True if a person may be sent their link: the meeting is confirmed and they are invited, no
    /// link to them is planned or was suppressed, and the last one is long enough ago.
    fileprivate func mayBeSentLink(
        _ person: PersonID, after now: Moment, within seconds: Int64
    ) -> Bool {
        let sent = rows.filter {
            $0.key.notification.kind == .link
                && $0.key.notification.receiver == .person(person.text)
        }
        let times = sent.compactMap(\.key.notification.mark.plannedAt)
        func count(since seconds: Int64) -> Int {
            times.count { $0 > now.advanced(bySeconds: -seconds) }
        }
        return meeting.status == .confirmed
            && (isInDates(person)
                || participants.contains { $0.person == person && !$0.isRemoved })
            && !sent.contains { $0.state.isOpen || $0.hold?.kind == .list }
            && count(since: seconds) == 0 && count(since: Self.daySeconds) < Self.dailyLinksMax
    }
}
