import Agenda
import Ledger
import Secrets
import Sinks
import Storage
import Timekeeping
public import Wording

/// What people do by their private links.
extension Planner {
    /// Who comes by a link to a meeting, by the part of it that nobody can guess, and what they
    /// see; `nil` where it is no such link, or none any more.
    ///
    /// - Parameters:
    ///   - token: that part.
    ///   - date: the name of a date of a series; what names none is not looked at.
    /// - Returns: the visit.
    /// - Throws: ``StoreError``.
    public func visit(
        by token: some StringProtocol, on date: String = ""
    ) async throws -> GuestVisit? {
        guard let subject = try await subject(of: token), let meeting = subject.meeting,
            let bundle = try await store.meetingBundle(meeting),
            let person = bundle.people[subject.person]
        else { return nil }
        let place = try zone(named: bundle.meeting.time.zone)
        let own = person.zone.flatMap { try? zone(named: $0) }
        return try GuestVisit(
            acting(as: person).reading(in: own ?? place), bundle,
            on: bundle.date(date, for: person.id, after: now, in: place))
    }

    private func subject(of token: some StringProtocol) async throws -> LinkSubject? {
        guard let token = AccessToken(token) else { return nil }
        return try await store.linkSubject(hash: token.hash)
    }

    /// What somebody gets by itself, and may stop by a link.
    public enum Subscription: Sendable {
        /// Reminders of all meetings.
        case reminders
        /// Digests.
        case digests
    }

    /// What a link stops, whether it is stopped, and in which language its reader reads; `nil`
    /// where it is no such link, or none any more.
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

    /// Stops what a link is for, or lets reminders come again as each meeting says. What is so
    /// already stays as it is, and a link that is none changes nothing.
    public func set(_ isOn: Bool, by token: some StringProtocol) async throws {
        guard let subject = try await subject(of: token),
            let known = try await subscription(by: token), known.isOn != isOn,
            let person = try await store.person(subject.person)
        else { return }
        var edit = PolicyEdit()
        switch subject.purpose {
        case .guest: return
        case .reminders: edit.reminders = isOn ? .asEachMeetingSays : .own([])
        // Which digest it was is not known any more.
        case .digests: edit.digest = isOn ? .each(.weekly) : .none
        }
        _ = try await acting(as: person).setPolicy(edit, of: nil, saving: true)
    }

    /// The most people whose links are sent at once, and the most meetings of each.
    private static let sentLinksMax = 5
    /// How long a link is not sent again, in seconds.
    private static let linkSecondsMin: Int64 = 3600

    /// Sends everybody with this address their links to their next meetings, to the address where
    /// they are told things; each at most once in an hour, and three times in a day.
    ///
    /// What comes of it is told to nobody: who asks is to learn nothing of who is known here.
    public func sendLinks(to address: String) async throws {
        // Where nobody can see pages there are no links to them.
        guard try surroundings.linkBook().generator != nil else { return }
        let persons = try await store.lookUp {
            try $0.persons(withAddress: address, limit: Self.sentLinksMax).map(\.id)
        }
        for person in persons {
            var filter = MeetingFilter(limit: Self.sentLinksMax)
            filter.invited = person
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
            return try planner.said(
                .link, mark: now.utcText, to: [.person(person.text)], in: bundle, now: now)
        }
        // Who asks again and again shall not hold up those who write.
        guard let known = try await store.meetingBundle(meeting),
            try !difference(known).added.isEmpty
        else { return }
        _ = try await store.reviseMeeting(meeting, saving: true) { bundle in
            MeetingRevision(
                meeting: bundle.meeting, participants: bundle.participants,
                people: bundle.people, difference: try difference(bundle), reason: "", now: now)
        }
    }

    /// The same planner on behalf of somebody else.
    func acting(as person: Person) -> Planner {
        var planner = self
        planner.actor = person
        return planner
    }

    static var notAnswerable: Refusal {
        // What has become of it is none of theirs.
        Refusal(.refused, code: "not_a_participant", "You are not asked to this meeting.")
    }

    static var tooManyGuests: Refusal {
        Refusal(
            .refused, code: "too_many_guests",
            "One person brings from 0 to \(Participant.plusMax) guests.")
    }
}

extension MeetingBundle {
    /// The date of a series that a guest means; where they name none and are asked to single dates
    /// alone, the next one of these.
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

    /// How often a link is sent in a day.
    private static let dailyLinksMax = 3
    private static let daySeconds: Int64 = 86_400

    /// Whether a person may be sent their link: they are asked to the meeting and can be written
    /// to, and no link is on its way to them or went a short while ago.
    fileprivate func mayBeSentLink(
        _ person: PersonID, after now: Moment, within seconds: Int64
    ) -> Bool {
        let sent = rows.filter {
            $0.key.notification.kind == .link
                && $0.key.notification.receiver == .person(person.text)
        }
        let times = sent.compactMap { try? Moment.parse($0.key.notification.mark) }
        func count(since seconds: Int64) -> Int {
            times.count { $0 > now.advanced(bySeconds: -seconds) }
        }
        return meeting.status == .confirmed
            && participants.contains { $0.person == person && !$0.isRemoved }
            && !sent.contains { $0.state.isOpen || $0.hold?.kind == .list }
            && count(since: seconds) == 0 && count(since: Self.daySeconds) < Self.dailyLinksMax
    }
}
