public import Agenda
public import Ledger
import Storage
import Timekeeping

/// A request for a meeting like an earlier one.
public struct MeetingCopy: Sendable {
    /// The request, which may still be changed.
    public var request: MeetingRequest
    /// The guests who cannot be invited, because they have no address and are in no address book.
    public let unreachable: [String]
}

extension Planner {
    /// A request for a meeting like an earlier one: with the same title, people, place, duration,
    /// reminders, note and link. Answers, proposals and the recurrence rule are not copied.
    ///
    /// - Parameters:
    ///   - id: the earlier meeting, which may be over or cancelled.
    ///   - start: the start as the user typed it, with or without its end. A day alone means the
    ///     earlier time of day.
    /// - Returns: the request.
    /// - Throws: ``Refusal`` with `unknown_meeting`, `not_organizer` or `bad_time`.
    public func copy(of id: MeetingID, start: String) async throws -> MeetingCopy {
        let bundle = try await visibleBundle(id)
        try drafting.checkMayChange(bundle.meeting)
        let meeting = bundle.meeting
        var request = MeetingRequest()
        request.model = meeting
        request.title = meeting.title
        request.note = meeting.note
        request.link = meeting.link
        let typedAt = zone.wallTime(at: now)
        let hasEnd =
            TypedPeriod(start, now: typedAt) != nil || TypedDays(start, now: typedAt) != nil
        request.duration = hasEnd ? nil : meeting.time.duration
        request.reminders = meeting.reminders
        request.start = withTimeOfDay(start, of: meeting)
        let guests = bundle.participants.filter { !$0.isRemoved && $0.person != actor.id }
            .compactMap { bundle.people[$0.person] }
        let known = try await store.lookUp { [actor] lookup in
            try guests.map { try lookup.contact($0.id, of: actor.id) != nil }
        }
        // An id means exactly one person, but only the owner names people outside their address
        // book by it.
        request.with = zip(guests, known).compactMap { guest, isKnown in
            let hasID = isKnown || actsAsOwner && !guest.hasTypedName && !guest.address.isEmpty
            return hasID ? guest.id.text : guest.named
        }
        return MeetingCopy(
            request: request,
            unreachable: zip(guests, known).filter { !$1 && $0.address.isEmpty }.map(\.0.name))
    }

    private func withTimeOfDay(_ start: String, of meeting: Meeting) -> String {
        let now = zone.wallTime(at: now)
        guard let day = TypedTime.day(start, now: now) else { return start }
        return Drafting.text(start, meaning: day, at: meeting.time.start.time)
    }
}

extension Person {
    /// The address with the name, which tells the person from others at the address; `nil` if no
    /// address is known.
    fileprivate var named: String? {
        guard !address.isEmpty else { return nil }
        let isPlain = name.allSatisfy { !"<>@\"".contains($0) && !$0.isNewline }
        return isCalledByAddress || !isPlain ? address : "\(name) <\(address)>"
    }
}
