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
    /// A request for a meeting like an earlier one: with the same title, people, circles, place,
    /// duration, reminders, note and link, and a time to answer by that is as long before the
    /// start. Answers, proposals and the recurrence rule are not copied. People who came with a
    /// circle come with it again, if they are still in it.
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
        request.isCopy = true
        request.title = meeting.title
        request.note = meeting.note
        request.link = meeting.link
        let typedAt = zone.wallTime(at: now)
        let hasEnd =
            TypedPeriod(start, now: typedAt) != nil || TypedDays(start, now: typedAt) != nil
        request.duration = hasEnd ? nil : meeting.time.duration
        request.reminders = meeting.reminders
        request.start = withTimeOfDay(start, of: meeting)
        request.answerBy = try answerBy(like: meeting, request.written)
        let circles = try await circlesAsked(to: bundle)
        let isByCircles = circles.count == bundle.circlesAsked[""]?.count ?? 0
        let guests = bundle.participants.filter {
            !$0.isRemoved && $0.person != actor.id && !(isByCircles && $0.isByCircle)
        }.compactMap { bundle.people[$0.person] }
        let known = try await store.lookUp { [actor] lookup in
            try guests.map { try lookup.contact($0.id, of: actor.id) != nil }
        }
        // An id means exactly one person, but only the owner names people outside their address
        // book by it.
        request.with = zip(guests, known).compactMap { guest, isKnown in
            let hasID = isKnown || actsAsOwner && !guest.hasTypedName && !guest.address.isEmpty
            return hasID ? guest.id.text : guest.named
        }
        request.with += circles.map { "\(WhoText.Kind.circle.rawValue):\($0.name)" }
        return MeetingCopy(
            request: request,
            unreachable: zip(guests, known).filter { !$1 && $0.address.isEmpty }.map(\.0.name))
    }

    /// The circles of the actor that were invited to the whole meeting and have members.
    private func circlesAsked(to bundle: MeetingBundle) async throws -> [CircleView] {
        guard let asked = bundle.circlesAsked[""], !asked.isEmpty else { return [] }
        return try await circles().filter {
            $0.count > 0 && asked.contains(CircleID(text: $0.id))
        }
    }

    /// The time to answer by of a copy, as text: as many days before the new start, at the same
    /// time of day, or as long before it on the same day. It is `nil` if the meeting has none, if
    /// the new one has passed, or if the new start cannot be read, which is refused later.
    private func answerBy(like meeting: Meeting, _ written: WrittenTime) throws -> String? {
        guard let old = meeting.answerBy else { return nil }
        let zone = drafting.meetingZone(placeZone: try self.zone(named: meeting.time.zone))
        guard let start = try? drafting.time(written, in: zone).start else { return nil }
        let (deadline, before) = (zone.wallTime(at: old), meeting.time.start)
        let days = before.date.daysSince1970 - deadline.date.daysSince1970
        let moved =
            days > 0
            ? WallTime(date: start.date.adding(days: -days), time: deadline.time)
            : start.adding(
                seconds: deadline.time.secondsSinceMidnight - before.time.secondsSinceMidnight)
        guard zone.moment(of: moved) > now else { return nil }
        return moved.description
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
