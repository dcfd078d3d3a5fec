import Agenda
import Ledger
import Storage

/// The access rules. No other code decides who may see and do what.
///
/// The owner of the installation may see and do everything. Organizers may see and do what concerns
/// their meetings, and other people what concerns themselves.
extension Planner {
    package var actsAsOwner: Bool { actor.id == owner.id }

    /// A filter for the meetings that the actor may see: those that they organize or take part in.
    /// The owner sees all.
    func visible(limit: Int) -> MeetingFilter {
        var filter = MeetingFilter(limit: limit)
        filter.member = actsAsOwner ? nil : actor.id
        filter.reader = actor.id
        return filter
    }

    /// Checks that the actor is the owner, for actions that concern everybody.
    ///
    /// - Parameter deed: the action, as in "merge people".
    /// - Throws: ``Refusal`` with `not_allowed`.
    public func checkIsOwner(to deed: String) throws(Refusal) {
        guard actsAsOwner else {
            throw Refusal(
                .refused, code: "not_allowed",
                "Only \(owner.name), the owner of this installation, may \(deed).")
        }
    }

    /// Checks that the actor is the owner before a planner exists, for actions that concern
    /// everybody.
    ///
    /// If no actor is named, the owner acts, and nothing has to be opened.
    ///
    /// - Throws: ``Refusal`` with `not_allowed`, or the refusal of an unknown actor.
    package static func checkIsOwner(
        to deed: String, in surroundings: PlannerSurroundings
    ) async throws {
        guard surroundings.actingAs != nil else { return }
        let planner = try await Planner(surroundings)
        defer { try? planner.store.close() }
        try planner.checkIsOwner(to: deed)
    }

    /// True if the actor may see the mail address of a person and their note to the organizer: the
    /// owner may, the meeting's organizer, and the person themselves.
    func maySeeAddress(of person: PersonID, in meeting: Meeting) -> Bool {
        actsAsOwner || actor.id == meeting.organizer || actor.id == person
    }

    /// Checks that the actor may retry or drop deliveries: the owner may, and the meeting's
    /// organizer.
    ///
    /// - Throws: ``Refusal`` with `not_allowed`.
    func checkMayTurnDeliveries(of meeting: Meeting?) throws(Refusal) {
        guard actsAsOwner || meeting?.organizer == actor.id else {
            throw Refusal(
                .refused, code: "not_allowed",
                "Only \(owner.name), the owner of this installation, and the organizer of a "
                    + "meeting may retry or drop its deliveries.")
        }
    }
}
