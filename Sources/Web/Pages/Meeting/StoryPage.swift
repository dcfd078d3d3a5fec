import Agenda
import Calendars
import Ledger
import NIOCore
import NIOHTTP1
import Planning
import Storage
import Timekeeping
import Wording

/// The messages about a meeting, with their reasons and what comes next.
struct StoryPage: PageModel {
    static let template = "story"
    static let names = TemplateNames(
        ["id", "name", "isEmpty", "hasChanges", "isFolded", "allQuery", "more"] + Pager.names,
        lists: [
            "changes": ["changedAt", "change", "isQuiet"], "receivers": ReceiverStory.names,
        ])

    let id: MeetingID
    let name: String
    let changes: [MeetingChange]
    /// The people and groups to whom something was sent or is planned.
    let receivers: [ReceiverStory]
    /// The number of the page, from 1.
    let page: Int
    /// True to show all rows of each person, and not only a line.
    let isWhole: Bool
    let isTruncated: Bool
    let zone: Zone

    var section: Section? { .meetings }
    var topics: [String] { [ChangeTopic.meeting(id), ChangeTopic.people] }

    func title(_ words: PageWords) -> String {
        words("The history of “%title%”", ["title": name])
    }

    func values(_ words: PageWords) -> TemplateValues {
        var values: TemplateValues = [
            "id": .text(id.text), "name": .text(name), "isEmpty": .flag(receivers.isEmpty),
            "hasChanges": .flag(page == 1),
            "changes": .list(changes.map { self.values(of: $0, words) }),
            "receivers": .list(
                receivers.dropFirst((page - 1) * Self.pageRows).prefix(Self.pageRows).map {
                    $0.values(words, in: zone, isOpen: isWhole || receivers.count == 1)
                }),
            "isFolded": .flag(receivers.count > 1 && !isWhole),
            "allQuery": .text(Self.query(page, isWhole: true)),
        ]
        let pager = Pager(page, hasNext: receivers.count > page * Self.pageRows) { number in
            "m/\(Link.segment(id.text))/why" + Self.query(number, isWhole: isWhole)
        }
        values.merge(pager.values) { $1 }
        values[text: "more"] = isTruncated ? words("There are more.") : nil
        return values
    }

    /// The people on a page.
    private static let pageRows = 35

    private static func query(_ page: Int, isWhole: Bool) -> String {
        let parts = (isWhole ? ["all=1"] : []) + (page > 1 ? ["page=\(page)"] : [])
        return parts.isEmpty ? "" : "?" + parts.joined(separator: "&")
    }

    private func values(of change: MeetingChange, _ words: PageWords) -> TemplateValues {
        [
            "changedAt": .text(words.moment(change.entry.at, in: zone)),
            "change": .text(words.change(change, in: zone)),
            "isQuiet": .flag(change.entry.isQuiet),
        ]
    }

    /// The class of the pill of a state.
    static func style(of state: DeliveryState, isOnlyPrinted: Bool) -> String {
        switch state {
        case .accepted where isOnlyPrinted: "maybe"
        case .accepted: ""
        case .planned, .claimed: "wait"
        case .superseded, .expired, .suppressed: "maybe"
        case .failed, .ambiguous, .parked: "no"
        }
    }
}

extension PageWords {
    /// A change in a sentence, as in "Olga moved it from Sat 5 Dec, 18:00 to Sun 6 Dec, 18:00."
    fileprivate func change(_ change: MeetingChange, in zone: Zone) -> String {
        let entry = change.entry
        let values = [
            "name": entry.actor, "start": time(entry.startsAt..<entry.endsAt, in: zone),
            "before": before(change.fact, in: zone), "place": entry.place ?? "",
            "title": entry.title,
        ]
        return switch change.fact {
        case .planned: self("%name% planned it for %start%.", values)
        case .cancelled where entry.occurrence.isEmpty: self("%name% cancelled it.", values)
        case .cancelled: self("%name% cancelled the date %start%.", values)
        case .uncancelled where entry.occurrence.isEmpty:
            self("%name% took the cancellation back.", values)
        case .uncancelled:
            self("%name% took the cancellation of the date %start% back.", values)
        case .moved(nil): self("%name% moved a date to %start%.", values)
        case .moved: self("%name% moved it from %before% to %start%.", values)
        case .resized: self("%name% changed the length.", values)
        case .relocated where !entry.occurrence.isEmpty:
            self("%name% changed the place of the date %start% to %place%.", values)
        case .relocated(nil): self("%name% chose the place: %place%.", values)
        case .relocated where entry.place == nil:
            self("%name% left the place open. It was %before%.", values)
        case .relocated: self("%name% changed the place from %before% to %place%.", values)
        case .renamed: self("%name% changed the title from “%before%” to “%title%”.", values)
        case .repeated: self("%name% changed the repetition.", values)
        case .edited: self("%name% changed the note, the link or the reminders.", values)
        }
    }

    /// A time by its start, or by its days if it lasts whole days.
    private func time(_ time: Range<Moment>, in zone: Zone) -> String {
        let (start, end) = (time.lowerBound, time.upperBound)
        guard WholeDays(from: start, to: end, in: zone) != nil else {
            return moment(start, in: zone)
        }
        return TimeWords.range(from: start, to: end, in: zone, at: zone, language)
    }

    private func before(_ fact: MeetingChange.Fact, in zone: Zone) -> String {
        switch fact {
        case .moved(let before?): time(before, in: zone)
        case .relocated(let place?): place
        case .renamed(let title): title
        default: ""
        }
    }

    /// The state of a delivery in a word.
    func state(_ state: DeliveryState, isOnlyPrinted: Bool = false) -> String {
        switch state {
        case .accepted where isOnlyPrinted: self("printed, not sent")
        case .planned: self("planned")
        case .claimed: self("being sent")
        case .accepted: self("sent")
        case .failed: self("failed")
        case .expired: self("too late")
        case .superseded: self("no longer needed")
        case .suppressed: self("not sent")
        case .ambiguous: self("perhaps sent")
        case .parked: self("set aside")
        }
    }

}

extension Site {
    /// The story of a meeting's messages, and the meeting as a calendar file.
    var storyRoutes: [Route] {
        [route(.get, "/m/:id/why", story), route(.get, "/m/:id/meeting.ics", calendarFile)]
    }

    /// The most deliveries of a meeting that are read.
    private static let storiesMax = 2_000

    private func story(_ request: PageRequest, _ visitor: Visitor) async throws -> PageAnswer {
        let planner = visitor.planner
        let id = MeetingID(text: request["id"])
        let meeting = try await planner.sight(of: id)
        let rows = try await planner.stories(of: id, limit: Self.storiesMax)
        var changes = try await planner.history(of: id)
        if !planner.mayChange(meeting) {
            // What a meeting was before somebody was invited is not for them.
            let invited =
                rows.rows.filter { $0.delivery.kind == .invitation }
                .compactMap { $0.events.first?.at.moment }.min() ?? planner.now
            changes = changes.filter { $0.entry.at >= invited }
        }
        let page = StoryPage(
            id: id, name: meeting.title, changes: changes,
            receivers: ReceiverStory.all(of: rows.rows), page: max(1, request.query.count("page")),
            isWhole: request.query.has("all"), isTruncated: rows.isTruncated, zone: planner.zone)
        return show(page, in: frame(request, visitor))
    }

    private func calendarFile(
        _ request: PageRequest, _ visitor: Visitor
    ) async throws -> PageAnswer {
        let id = MeetingID(text: request["id"])
        _ = try await visitor.planner.sight(of: id)
        let octets = try await visitor.planner.exportMeeting(id)
        var answer = PageAnswer(
            .ok, "text/calendar; charset=utf-8", body: ByteBuffer(bytes: octets))
        answer.fields = [
            ("Content-Disposition", "attachment; filename=\"meeting-\(id.text).ics\""),
            ("Cache-Control", "private, no-cache"),
        ]
        return answer
    }
}
