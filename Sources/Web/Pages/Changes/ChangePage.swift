import Agenda
import Ledger
import NIOHTTP1
import Planning

/// A form that changes a meeting: the first press shows what people will be told, the second saves.
protocol ChangePage: PageModel {
    /// The meeting, or the dates of it.
    var target: ChangeTarget { get }
    /// The messages that the change causes; `nil` before the first press.
    var consequences: Consequences? { get set }
    /// The reasons why the form cannot be saved.
    var faults: [FieldFault] { get set }
}

extension Site {
    /// The target of a request that changes a meeting.
    ///
    /// - Throws: ``Refusal`` with `unknown_meeting` or `not_organizer`.
    func changeTarget(
        _ request: PageRequest, _ action: String, _ reaches: [ChangeTarget.Reach],
        _ visitor: Visitor
    ) async throws -> ChangeTarget {
        let target = try await ChangeTarget(request, action, reaches, visitor.planner)
        try visitor.planner.checkMayChange(target.view)
        return target
    }

    /// Shows the consequences of a change beside its form, or saves it and shows the meeting.
    ///
    /// - Parameters:
    ///   - page: the form.
    ///   - visitor: the person who changes the meeting.
    ///   - isSaved: true to save the change; false for a preview.
    ///   - change: makes the change.
    /// - Returns: the form with the consequences or faults, or a redirect to the meeting.
    /// - Throws: an error that is a bug.
    func settle(
        _ page: some ChangePage, _ visitor: Visitor, saving isSaved: Bool,
        _ change: () async throws -> MeetingOutcome
    ) async throws -> PageAnswer {
        let (planner, target) = (visitor.planner, page.target)
        var page = page
        do {
            let outcome = try await change()
            guard isSaved else {
                page.consequences = Consequences(outcome, now: planner.now, zone: planner.zone)
                return show(page, in: Frame(visitor: visitor))
            }
            // A change of later dates makes another meeting of them.
            return redirect(
                to: outcome.meeting.id == target.id.text
                    ? target.page(saved: target.action)
                    : .meeting(outcome.meeting.id, saved: target.action))
        } catch {
            page.faults = [try FieldFault(error)]
            return show(page, in: Frame(visitor: visitor), .badRequest)
        }
    }
}
