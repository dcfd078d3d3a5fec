public import Agenda
public import Ledger
import Storage
import Wording

extension Planner {
    /// Removes people from a meeting, or from one date of a series, as their names say. If a circle
    /// was invited, its name means those who came with it: members who were also invited by name,
    /// or with another circle, stay. The name of any other circle means its members.
    ///
    /// - Parameters:
    ///   - names: people and circles.
    ///   - id: the meeting.
    ///   - date: a date of a series; `nil` for all dates.
    ///   - message: the words for those who are told of it; empty for none.
    ///   - saving: true to save the change; false for a preview.
    /// - Returns: the meeting, and the changes of the ledger.
    /// - Throws: ``Refusal`` with `not_a_participant`, and others.
    public func uninvite(
        named names: [String], from id: MeetingID, on date: String? = nil, message: String = "",
        saving: Bool
    ) async throws -> MeetingOutcome {
        guard let bundle = try await store.meetingBundle(id) else {
            throw Refusal.unknownMeeting(id.text)
        }
        let found = try await participants(named: names, in: bundle, on: date)
        let circles = Set(found.compactMap(\.circle?.id))
        let asked = try bundle.askedCircles(
            on: date.map { try drafting.dateName($0, of: bundle.meeting) })
        let present = try drafting.known(bundle, on: date)
        let guests = CircleGuests(
            organizer: bundle.meeting.organizer, asked: asked, named: present.namedGuests,
            others: try await members(of: asked.subtracting(circles)))
        let leaving = try found.map { try guests.leaving($0, present.meeting) }
        return try await uninvite(
            leaving.flatMap(\.people).uniqued(), from: id, on: date, message: message,
            saving: saving, remarks: leaving.flatMap(\.remarks))
    }

    private func members(of circles: Set<CircleID>) async throws -> Set<PersonID> {
        try await searching { search in
            try circles.reduce(into: Set<PersonID>()) { all, circle in
                let members = try search.people.members(
                    of: circle, limit: MeetingRules.participantsMax)
                all.formUnion(members.map(\.id))
            }
        }
    }
}

extension MeetingBundle {
    /// The circles that were invited to one date, or to any if no date is given.
    fileprivate func askedCircles(on date: String?) -> Set<CircleID> {
        let names = date.map { ["", $0] } ?? Array(circlesAsked.keys)
        return names.reduce(into: Set()) { $0.formUnion(circlesAsked[$1] ?? []) }
    }

    /// The people who were invited by name, to all dates or to some.
    fileprivate var namedGuests: Set<PersonID> {
        let all = [participants] + dateParticipants.values
        return Set(all.joined().filter { !$0.isRemoved && !$0.isByCircle }.map(\.person))
    }
}

/// Decides who leaves a meeting if a circle is removed from it.
private struct CircleGuests {
    let organizer: PersonID
    /// The circles that were invited.
    let asked: Set<CircleID>
    /// The people who were invited by name.
    let named: Set<PersonID>
    /// The members of invited circles that stay.
    let others: Set<PersonID>

    /// The people who leave, with remarks about those who stay.
    func leaving(
        _ found: NamedParticipants, _ meeting: Meeting
    ) throws(Refusal) -> (people: [Person], remarks: [Remark]) {
        guard let circle = found.circle else { return (found.people, []) }
        let members = found.people.filter { $0.id != organizer }
        guard asked.contains(circle.id) else { return (members, []) }
        let byName = members.filter { named.contains($0.id) }
        let rest = members.filter { !named.contains($0.id) }
        let leaving = rest.filter { !others.contains($0.id) }
        guard !leaving.isEmpty else {
            throw Refusal(
                .refused, code: "not_a_participant",
                "Nobody was invited to \(meeting.title) only with the circle \(circle.name). "
                    + "To remove its members, name them.",
                advice: [.meetings(.show(meeting.id.text))])
        }
        return (
            leaving,
            Self.remarks(onNamed: byName)
                + Self.remarks(onOthers: rest.filter { others.contains($0.id) })
        )
    }

    private static func remarks(onNamed people: [Person]) -> [Remark] {
        guard !people.isEmpty else { return [] }
        return [
            Remark(
                Phrase(
                    people.count == 1
                        ? "%names% was invited by name and stays."
                        : "%names% were invited by name and stay.", ["names": names(people)]))
        ]
    }

    private static func remarks(onOthers people: [Person]) -> [Remark] {
        guard !people.isEmpty else { return [] }
        return [
            Remark(
                Phrase(
                    people.count == 1
                        ? "%names% is in another invited circle and stays."
                        : "%names% are in another invited circle and stay.",
                    ["names": names(people)]))
        ]
    }

    private static func names(_ people: [Person]) -> Phrase.Value {
        .names(people.prefix(namesMax).map(\.name), rest: max(0, people.count - namesMax))
    }

    private static let namesMax = 5
}
