public import Agenda
import Interchange
public import Ledger
import Storage
import Timekeeping

extension Planner {
    /// The word that names the next date of a series.
    static let nextDateName = "next"

    /// Finds the meeting that a text means: an id or its first characters, part of a title, `next`
    /// or `last`. A title means a past meeting only if no coming one has it.
    ///
    /// - Parameters:
    ///   - text: the text.
    ///   - date: a date of a series; among several meetings of this name, the one that has the date
    ///     is meant.
    ///   - isPastToo: true if the date may have passed.
    ///   - isOff: true to prefer cancelled meetings to others of the same name.
    /// - Returns: the id of the meeting.
    /// - Throws: ``Refusal`` with `unknown_meeting` or `ambiguous_meeting`.
    public func meetingID(
        named text: String, on date: String? = nil, pastToo isPastToo: Bool = false,
        isOff: Bool = false
    ) async throws -> MeetingID {
        let found = try await meetings(
            called: text, first: isOff ? .cancelled : .confirmed, among: visible(limit: 1))
        guard !isOff || !found.isEmpty || !["next", "last"].contains(text) else {
            throw Refusal(.refused, code: "unknown_meeting", "No meeting is cancelled.")
        }
        return try await only(found, text, on: date, pastToo: isPastToo)
    }

    /// The one among several meetings that is meant: if a date is named, the one that has it.
    ///
    /// - Parameters:
    ///   - found: the meetings.
    ///   - text: the text that was typed for the meeting.
    ///   - date: a date of a series; `nil` for none.
    ///   - isPastToo: true if the date may have passed.
    /// - Returns: the id of the meeting.
    /// - Throws: ``Refusal`` with `unknown_meeting` or `ambiguous_meeting`.
    func only(
        _ found: [MeetingSummary], _ text: String, on date: String?, pastToo isPastToo: Bool
    ) async throws -> MeetingID {
        guard let date, found.count > 1 else { return try only(found, text) }
        var having: [(meeting: MeetingSummary, date: SeriesDate)] = []
        var refusal: Refusal?
        for meeting in found {
            guard let bundle = try await store.meetingBundle(meeting.id) else { continue }
            do {
                let own = try drafting.date(date, of: bundle.meeting, pastToo: isPastToo)
                having.append((meeting, own))
            } catch let error as Refusal where error.code != "no_series" {
                refusal = error
            } catch is Refusal {}
        }
        if having.isEmpty, let refusal { throw refusal }
        if date == Planner.nextDateName {
            // If several start at that time, the text remains ambiguous.
            let first = having.map(\.date.time.startsAt).min()
            having.removeAll { $0.date.time.startsAt != first }
        }
        return try only(having.isEmpty ? found : having.map(\.meeting), text)
    }

    /// The meetings that a text means.
    ///
    /// - Parameters:
    ///   - text: an id or its first characters, part of a title, `next` or `last`.
    ///   - status: the status of the meetings that are preferred.
    ///   - all: the meetings among which to search; its limit does not apply.
    /// - Returns: the meetings; empty if the text means none.
    /// - Throws: ``Refusal`` with `usage`, or with `unknown_meeting` if there are too many meetings
    ///   to search all titles.
    func meetings(
        called text: String, first status: MeetingStatus, among all: MeetingFilter
    ) async throws -> [MeetingSummary] {
        try Refusal.checkNames(text, a: "meeting")
        switch text {
        case "next": return try await next(status, among: all)
        case "last": return try await last(status, among: all)
        default: break
        }
        let byID = try await meetings(withPrefix: text, among: all)
        guard byID.isEmpty else { return byID }
        let coming = try await comingMeetings(among: all)
        let found = Self.titled(text, among: coming)
        guard found.isEmpty else { return Self.only(status, found) }
        let past = Self.titled(text, among: try await pastMeetings(among: all))
        guard past.isEmpty, coming.count > Self.listRowsMax else { return Self.only(status, past) }
        throw Refusal(
            .refused, code: "unknown_meeting",
            "None of the next \(Self.listRowsMax) meetings is called \"\(text)\". Later "
                + "meetings are found by their id only.",
            advice: [.meetings(.list)])
    }

    /// The meetings with this title, or else those whose titles contain it.
    private static func titled(
        _ text: String, among meetings: [MeetingSummary]
    ) -> [MeetingSummary] {
        let key = SearchKey.fold(text)
        let titled = meetings.map { ($0, SearchKey.fold($0.title)) }
        let exact = titled.filter { $0.1 == key }.map(\.0)
        guard exact.isEmpty, !key.isEmpty else { return exact }
        return titled.filter { $0.1.contains(key) }.map(\.0)
    }

    /// The meetings of a status among these, or all if none has it: after a meeting was cancelled
    /// and created again, its title means the new one.
    private static func only(
        _ status: MeetingStatus, _ found: [MeetingSummary]
    ) -> [MeetingSummary] {
        let wanted = found.filter { $0.status == status }
        return wanted.isEmpty ? found : wanted
    }

    private func only(_ found: [MeetingSummary], _ text: String) throws -> MeetingID {
        guard let first = found.first else { throw Refusal.unknownMeeting(text) }
        guard found.count == 1 else {
            let isOfOneName = Set(found.map(\.title)).count == 1
            throw Refusal(
                .refused, code: "ambiguous_meeting",
                "Several meetings match \"\(text)\". Write "
                    + (isOfOneName ? "the id." : "more of the title, or the id."),
                candidates: try found.prefix(PersonSearch.candidatesMax).map {
                    .meeting(try line($0))
                }
            ).ofAmbiguous(text)
        }
        return first.id
    }

    private func meetings(
        withPrefix text: String, among all: MeetingFilter
    ) async throws -> [MeetingSummary] {
        guard text.utf8.count >= 4, text.utf8.count <= 16 else { return [] }
        var filter = all
        filter.limit = PersonSearch.candidatesMax
        filter.idPrefix = text
        return try await summaries(filter)
    }

    private func comingMeetings(among all: MeetingFilter) async throws -> [MeetingSummary] {
        var filter = all
        filter.limit = Self.listRowsMax + 1
        filter.endsAfter = now
        return try await summaries(filter)
    }

    /// The meetings that are over, the latest first.
    private func pastMeetings(among all: MeetingFilter) async throws -> [MeetingSummary] {
        var filter = all
        filter.limit = Self.listRowsMax
        filter.endsBefore = now
        return try await summaries(filter)
    }

    /// The meeting of this status that starts next.
    private func next(
        _ status: MeetingStatus, among all: MeetingFilter
    ) async throws -> [MeetingSummary] {
        var filter = all
        filter.limit = 1
        filter.endsAfter = now
        filter.isOnlyConfirmed = status == .confirmed
        filter.isOnlyCancelled = status == .cancelled
        return try await summaries(filter)
    }

    /// The meeting of this status that ended last. Of cancelled meetings, those that are still
    /// ahead come first: only their cancellation can be taken back.
    private func last(
        _ status: MeetingStatus, among all: MeetingFilter
    ) async throws -> [MeetingSummary] {
        if status == .cancelled {
            let coming = try await comingMeetings(among: all).filter { $0.status == .cancelled }
            guard coming.isEmpty else { return coming }
        }
        var filter = all
        filter.limit = 1
        filter.endsBefore = now
        filter.isOnlyConfirmed = status == .confirmed
        filter.isOnlyCancelled = status == .cancelled
        return try await summaries(filter)
    }
}
