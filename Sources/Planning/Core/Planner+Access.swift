import Agenda
import Ledger
import Storage

/// Who may see and do what: the one place that decides it.
///
/// The owner of the installation may see and do everything, an organizer what concerns their
/// meetings, and everybody what is their own.
extension Planner {
    var actsAsOwner: Bool { actor.id == owner.id }

    /// Lets through the meetings that the actor may see: those that they organize or take part in.
    func visible(limit: Int) -> MeetingFilter {
        var filter = MeetingFilter(limit: limit)
        filter.member = actsAsOwner ? nil : actor.id
        return filter
    }

    /// Who may change a meeting: its organizer, and the owner of the installation.
    func checkMayChange(_ meeting: Meeting) throws(Refusal) {
        guard actor.id == meeting.organizer || actsAsOwner else {
            throw Refusal(
                .refused, code: "not_organizer", "Only the organizer may change \(meeting.title).")
        }
    }

    /// Holds back what concerns everybody: only the owner may do it.
    ///
    /// - Parameter deed: what it is, as in "may merge people".
    /// - Throws: ``Refusal`` with `not_allowed`.
    public func checkIsOwner(to deed: String) throws(Refusal) {
        guard actsAsOwner else {
            throw Refusal(
                .refused, code: "not_allowed",
                "Only \(owner.name), whose installation this is, may \(deed).")
        }
    }

    /// Holds back, before a planner is made, what concerns everybody.
    ///
    /// Who is not said to act for somebody is the owner, so that nothing has to be opened.
    ///
    /// - Throws: ``Refusal`` with `not_allowed`, or why it is not known who acts.
    static func checkIsOwner(
        to deed: String, in surroundings: PlannerSurroundings
    ) async throws {
        guard surroundings.actingAs != nil else { return }
        let planner = try await Planner(surroundings)
        defer { try? planner.store.close() }
        try planner.checkIsOwner(to: deed)
    }

    /// Who may see where somebody's mail goes, and what they wrote to the organizer: the owner, the
    /// meeting's organizer, and oneself.
    func maySeeAddress(of person: PersonID, in meeting: Meeting) -> Bool {
        actsAsOwner || actor.id == meeting.organizer || actor.id == person
    }

    /// Who may send deliveries again, or give them up: the owner, and the meeting's organizer.
    ///
    /// - Throws: ``Refusal`` with `not_allowed`.
    func checkMayTurnDeliveries(of meeting: Meeting?) throws(Refusal) {
        guard actsAsOwner || meeting?.organizer == actor.id else {
            throw Refusal(
                .refused, code: "not_allowed",
                "Only \(owner.name), whose installation this is, and a meeting's organizer may "
                    + "send its deliveries again, or give them up.")
        }
    }
}
