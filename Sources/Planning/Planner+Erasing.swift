import Agenda
import Ledger
import Storage

/// What erasing a person left.
public struct ErasureReport: Encodable, Sendable {
    /// The person's id, which stays.
    public let id: String
    /// By what the person is known from now on.
    public let pseudonym: String
    /// Whether the whole file was written anew; else its log may hold the name for a while.
    public let isOverwritten: Bool
}

extension Planner {
    /// Replaces a person's name and addresses everywhere by a stable pseudonym, for good.
    ///
    /// - Parameters:
    ///   - who: the person; also one who is in meetings only.
    ///   - confirm: asked with the person's name before anything happens.
    /// - Returns: the pseudonym; `nil` when the question was answered with no.
    /// - Throws: ``Refusal`` with `not_allowed`, `is_owner`, `organizes` or `sending`.
    public func erasePerson(
        _ who: String, confirm: (_ name: String) -> Bool
    ) async throws -> ErasureReport? {
        try checkIsOwner(to: "erase people")
        let person = try await personAnywhere(who)
        guard person.id != owner.id, person.id != actor.id else {
            throw Refusal(
                .refused, code: "is_owner", "Nobody can erase the owner, or themselves.")
        }
        guard confirm(person.name) else { return nil }
        do {
            let isOverwritten = try await store.erase(person.id, now: now)
            return ErasureReport(
                id: person.id.text, pseudonym: Store.pseudonym(of: person.id),
                isOverwritten: isOverwritten)
        } catch ErasureObstacle.organizes(let title) {
            throw Refusal(
                .refused, code: "organizes",
                "\(person.name) organizes \(title), which is still ahead. Cancel it first: "
                    + "letsmeet meeting cancel \"\(title)\"")
        } catch ErasureObstacle.isSending {
            throw Refusal(
                .refused, code: "sending",
                "Something is being sent to \(person.name) at this moment. Try again; where no "
                    + "daemon runs, first run: letsmeetd once")
        }
    }
}
