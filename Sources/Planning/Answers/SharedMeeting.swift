public import Agenda
import Interchange
public import Ledger
import Secrets
public import Settings
import Storage
import Timekeeping
public import Wording

/// The link with which anybody sees a meeting, without the names and addresses of its guests.
public struct ShareLink: Encodable, Sendable {
    /// The meeting's id.
    public let meeting: String
    /// The meeting's title.
    public let title: String
    /// The link; `null` if there is none.
    @Null public var url: String?
}

/// A meeting as anybody sees it who has its link.
public struct SharedMeeting: Sendable {
    private let planner: Planner
    private let bundle: MeetingBundle
    /// The meeting without addresses.
    public let meeting: MeetingView

    init(_ planner: Planner, _ bundle: MeetingBundle) throws {
        self.planner = planner
        self.bundle = bundle
        meeting = try planner.view(bundle) { _ in false }
    }

    private var next: MeetingView.Date? {
        meeting.dates.first { $0.status == .confirmed }
    }

    private var links: JoinLinks { JoinLinks(own: bundle.meeting.link) }

    /// The place at the time that the page shows; `nil` if there is none, or if it is a link to
    /// join.
    public var place: MeetingView.Place? {
        meeting.place(of: next).flatMap { place in
            links.removed(fromPlace: place.text) == place.text ? place : nil
        }
    }

    /// The content of the page, without the place's drawing.
    ///
    /// - Parameters:
    ///   - token: the secret part of the link.
    ///   - language: the language of the page.
    /// - Returns: the content.
    public func facts(_ token: String, in language: Language) -> SharedPageFacts {
        let place = self.place
        var facts = SharedPageFacts(
            token: token, title: meeting.title, organizer: meeting.organizer.name,
            when: when(next?.start ?? meeting.start, next?.end ?? meeting.end, language),
            in: language)
        let links = self.links
        facts.repeats = bundle.meeting.series.map { TimeWords.repetition($0.rule, in: language) }
        let isCancelled = bundle.meeting.status == .cancelled
        facts.dates = (isCancelled ? [] : meeting.dates).map { date in
            let elsewhere =
                date.place == place?.text
                ? nil : date.place.flatMap(links.removed(fromPlace:)).map { ", \($0)" }
            return SharedPageFacts.Date(
                when(date.start, date.end, language) + (elsewhere ?? ""),
                isOff: date.status == .cancelled)
        }
        facts.place = meeting.place(of: next).flatMap { links.removed(fromPlace: $0.text) }
        facts.map = place?.map
        facts.note = meeting.note.isEmpty ? nil : links.removed(from: meeting.note)
        let present = bundle.participants.filter { !$0.isRemoved }
        facts.coming = AnswerWords.counts(Turnout(of: present), in: language)
        facts.isCancelled = isCancelled
        facts.isOver = bundle.meeting.endsAt <= planner.now
        return facts
    }

    private func when(_ start: Timestamp, _ end: Timestamp, _ language: Language) -> String {
        TimeWords.range(
            from: start.moment, to: end.moment, in: planner.zone, at: start.zone, language)
    }

    /// The meeting as a file for a calendar. It names no people, and not the link to join.
    public func calendarFile() -> [UInt8] {
        let zones = planner.surroundings.zones
        let shown = bundle.meeting.withoutLinksToJoin
        let event = shown.calendarEvent(
            telling: shown.facts, sequence: shown.sequence, by: zones)
        return CalendarFile([.event(event)], by: zones).octets(at: planner.now)
    }
}

extension Planner {
    /// The link with which anybody sees a meeting, and can add it to a calendar. It shows who
    /// organizes the meeting and how many people come, but neither names nor addresses of guests,
    /// and nobody can answer with it.
    ///
    /// - Parameters:
    ///   - id: the meeting.
    ///   - change: the change to the link.
    ///   - other: the address of the pages if no public one is set.
    /// - Returns: the link.
    /// - Throws: ``Refusal`` with `no_base_url` or `not_organizer`.
    public func shareLink(
        of id: MeetingID, change: LinkChange, otherwise other: BaseURL? = nil
    ) async throws -> ShareLink {
        let book = try surroundings.linkBuilder(otherwise: other)
        guard let hash = book.shareHash(of: id) else { throw Self.noBaseURL }
        let meeting = try await bundle(id).meeting
        try drafting.checkMayChange(meeting)
        if change == .renewed || change == .revoked { try await store.revokeShareLink(of: id) }
        let number =
            change == .none || change == .renewed
            ? try await store.keepShareLink(of: id, hash: hash)
            : try await store.shareLink(of: id, hash: hash)
        return ShareLink(
            meeting: id.text, title: meeting.title,
            url: number.flatMap { book.shareURL(of: id, number: $0) })
    }

    /// The meeting that a link shows to anybody; `nil` if the link is not valid, or no longer.
    ///
    /// - Parameter token: the secret part of the link.
    /// - Returns: the meeting.
    /// - Throws: an error of the store.
    public func sharedMeeting(by token: some StringProtocol) async throws -> SharedMeeting? {
        guard let token = AccessToken(token),
            let id = try await store.meeting(sharedBy: token.hash),
            let bundle = try await store.meetingFacts(id)
        else { return nil }
        return try SharedMeeting(reading(in: zone(named: bundle.meeting.time.zone)), bundle)
    }
}
