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
        ["id", "name", "isEmpty", "more"],
        lists: [
            "changes": ["changedAt", "change", "isQuiet"],
            "deliveries": [
                "heading", "because", "next", "stateName", "stateClass", "events", "at", "what",
            ],
        ])

    let id: MeetingID
    let name: String
    let changes: [MeetingChange]
    let stories: [StoryView]
    let isTruncated: Bool
    let zone: Zone

    var section: Section? { .meetings }

    func title(_ words: PageWords) -> String {
        words("The history of “%title%”", ["title": name])
    }

    func values(_ words: PageWords) -> TemplateValues {
        var values: TemplateValues = [
            "id": .text(id.text), "name": .text(name), "isEmpty": .flag(stories.isEmpty),
            "changes": .list(changes.map { self.values(of: $0, words) }),
            "deliveries": .list(stories.map { self.values(of: $0, words) }),
        ]
        values[text: "more"] = isTruncated ? words("There are more.") : nil
        return values
    }

    private func values(of change: MeetingChange, _ words: PageWords) -> TemplateValues {
        [
            "changedAt": .text(words.moment(change.entry.at, in: zone)),
            "change": .text(words.change(change, in: zone)),
            "isQuiet": .flag(change.entry.isQuiet),
        ]
    }

    private func values(of story: StoryView, _ words: PageWords) -> TemplateValues {
        let delivery = story.delivery
        var values: TemplateValues = [
            "heading": .text(
                words(
                    "%kind% to %names%",
                    ["kind": words.notification(delivery.kind), "names": story.receiver])),
            "because": .text(words.say(story.becausePhrase).capitalizingFirst + "."),
            "stateName": .text(words.state(delivery.state)),
            "stateClass": .text(Self.style(of: delivery.state)),
            "events": .list(
                story.events.map { event in
                    [
                        "at": .text(words.moment(event.at.moment, in: zone)),
                        "what": .text(words.event(event.kind)),
                    ]
                }),
        ]
        values[text: "next"] = story.next.text.isEmpty ? nil : words(story.next)
        return values
    }

    /// The class of the pill of a state.
    static func style(of state: DeliveryState) -> String {
        switch state {
        case .accepted: ""
        case .planned, .claimed: "wait"
        case .superseded, .expired, .suppressed: "maybe"
        case .failed, .ambiguous, .parked: "no"
        }
    }
}

extension PageWords {
    /// An event of a delivery.
    fileprivate func event(_ kind: StoryView.Event.Kind) -> String {
        switch kind {
        case .state(let state, let reason):
            return reason.isEmpty ? self.state(state) : "\(self.state(state)): \(reason)"
        case .attempt(let number, let outcome, let reply):
            let what = [outcome.map(self.outcome) ?? self("in progress"), reply]
                .filter { !$0.isEmpty }.joined(separator: ", ")
            return self("attempt %n%: %what%", ["n": "\(number)", "what": what])
        }
    }

    private func outcome(_ outcome: AttemptOutcome) -> String {
        switch outcome {
        case .accepted: self("accepted")
        case .retry: self("refused, to be tried again")
        case .permanent: self("refused for good")
        case .misconfigured: self("not possible with these settings")
        case .ambiguous: self("no answer")
        }
    }

    /// A change in a sentence, as in "Olga moved it from Sat 5 Dec, 18:00 to Sun 6 Dec, 18:00."
    fileprivate func change(_ change: MeetingChange, in zone: Zone) -> String {
        let entry = change.entry
        let values = [
            "name": entry.actor, "start": moment(entry.startsAt, in: zone),
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

    private func before(_ fact: MeetingChange.Fact, in zone: Zone) -> String {
        switch fact {
        case .moved(let start?): moment(start, in: zone)
        case .relocated(let place?): place
        case .renamed(let title): title
        default: ""
        }
    }

    /// The state of a delivery in a word.
    func state(_ state: DeliveryState) -> String {
        switch state {
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

extension String {
    /// The text with a capital letter at its beginning, unless it begins with an address.
    fileprivate var capitalizingFirst: String {
        prefix { $0 != " " }.contains("@") ? self : prefix(1).uppercased() + dropFirst()
    }
}

extension Site {
    /// The story of a meeting's messages, and the meeting as a calendar file.
    var storyRoutes: [Route] {
        [route(.get, "/m/:id/why", story), route(.get, "/m/:id/meeting.ics", calendarFile)]
    }

    private static let storiesMax = 200

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
            stories: Array(rows.rows),
            isTruncated: rows.isTruncated, zone: planner.zone)
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
