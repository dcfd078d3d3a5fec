public import Agenda
public import Ledger
import Storage
import Timekeeping

/// The part of a meeting that a reader sees, by their seat.
extension Planner {
    /// The readers of a meeting.
    private enum Reader {
        case organizer, member, other
    }

    private func reader(of bundle: MeetingBundle) -> Reader {
        guard !actsAsOwner, actor.id != bundle.meeting.organizer else { return .organizer }
        let own = ([bundle.participants] + bundle.dateParticipants.values).joined()
            .filter { $0.person == actor.id && !$0.isRemoved }
        // Who waits for a seat has none, and sees no more than before.
        return own.contains { $0.answer != .waiting } ? .member : .other
    }

    /// A view with the seats, and without the names and the link that the reader may not see.
    func seated(_ view: MeetingView, _ bundle: MeetingBundle, in own: Zone) throws -> MeetingView {
        guard let rules = bundle.meeting.seating else { return view }
        var view = view
        let reader = reader(of: bundle)
        view.seating = try seating(of: bundle, by: rules, for: reader, in: own)
        if reader == .other { view.link = "" }
        let seesNames =
            switch rules.namesFor {
            case .organizer: reader == .organizer
            case .members: reader != .other
            case .everyone: true
            }
        guard !seesNames else { return view }
        view.participants.removeAll { $0.id != actor.id.text && $0.id != view.organizer.id }
        view.dates = view.dates.map { $0.showing(only: actor.id.text) }
        return view
    }

    private func seating(
        of bundle: MeetingBundle, by rules: Seating, for reader: Reader, in own: Zone
    ) throws -> MeetingView.Seating {
        let draft = MeetingDraft(bundle)
        var view = MeetingView.Seating()
        guard let plan = draft.seats(in: own, now: now) else { return view }
        view.audience = rules.audience?.word
        view.seats = rules.seats
        view.taken = plan.taken
        view.free = plan.free
        view.waiting = plan.waiting.count
        view.waitingList = rules.hasWaitingList
        view.approve = rules.needsApproval
        view.namesFor = rules.namesFor
        view.requests = reader == .organizer ? plan.requests.count : nil
        let member = plan.member(actor.id)
        view.standing = member?.standing
        view.position = plan.position(of: actor.id)
        view.minimum = rules.quorum.map { quorum in
            let joined = quorum.decision?.joined ?? plan.takenByOthers
            var minimum = MeetingView.Minimum(
                people: quorum.minimum, by: Timestamp(quorum.deadline, in: own, reader: zone),
                joined: joined, needed: max(quorum.minimum - joined, 0),
                early: quorum.confirmsEarly)
            minimum.outcome = quorum.decision?.outcome.rawValue
            return minimum
        }
        return view
    }

    /// The view with the name of the circle that can join, for the organizer.
    func namingCircle(_ view: MeetingView, of bundle: MeetingBundle) async throws -> MeetingView {
        guard view.seating != nil, reader(of: bundle) == .organizer,
            let id = bundle.meeting.seating?.audience?.circle
        else { return view }
        var view = view
        let organizer = bundle.meeting.organizer
        view.seating?.circle = try await store.lookUp {
            try $0.circles(of: organizer, limit: Self.circlesMax).first { $0.id == id }?.name
        }
        return view
    }

    private static let circlesMax = 10_000

    /// The circle that an edit opens a meeting to; `nil` if it names none.
    ///
    /// - Throws: ``Refusal`` with `unknown_circle`.
    func audienceCircle(of edit: SeatingEdit?) async throws -> CircleID? {
        let prefix = "circle:"
        guard let word = edit?.audience, word.hasPrefix(prefix) else { return nil }
        let name = String(word.dropFirst(prefix.count))
        let owner = actor.id
        guard let circle = try await store.lookUp({ try $0.circle(named: name, of: owner) }) else {
            throw Refusal(
                .refused, code: "unknown_circle", "You have no circle with the name \(name).")
        }
        return circle.id
    }

    /// A meeting that the actor takes part in or may join, as they see it. Of a meeting that they
    /// may only join, the link and the notes of others are left out.
    ///
    /// - Throws: ``Refusal`` with `unknown_meeting`.
    public func visibleMeeting(_ id: MeetingID, on date: String? = nil) async throws -> MeetingView
    {
        guard let bundle = try await store.meetingFacts(id) else {
            throw Refusal.unknownMeeting(id.text)
        }
        guard !mayShow(bundle) else { return try await sight(of: id, on: date) }
        guard try await store.mayJoin(actor.id, id) else { throw Refusal.unknownMeeting(id.text) }
        return try joinable(bundle, on: date)
    }

    /// A meeting, or one date of it, for somebody who may join it.
    func joinable(_ bundle: MeetingBundle, on date: String?) throws -> MeetingView {
        guard let date else { return try view(bundle) { $0 == actor.id } }
        return try view(bundle, on: drafting.date(date, of: bundle.meeting, pastToo: true))
    }
}
