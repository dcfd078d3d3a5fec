import Ledger
import Planning
import Storage
import Timekeeping
import Wording

/// The inbox of the reader: everything of which they were notified, by whatever channel.
struct PecksPage: PageModel {
    static let template = "pecks"
    static let names = TemplateNames(
        ["here", "hasUnread", "isEmpty", "emptyText"] + Pager.names,
        lists: [
            "pecks": PeckLine.names, "snoozes": ["until", "untilWords"],
            "tabs": ["tab", "tabQuery", "isCurrent"],
            "kinds": ["kind", "kindWords", "isWanted"],
        ])

    let list: PeckList
    let part: PeckFilter.Part
    /// The kinds of notifications that the reader wants here.
    let wanted: Set<NotificationKind>
    let zone: Zone
    /// The path to come back to.
    let here: String

    var section: Section? { .pecks }
    var topics: [String] { [ChangeTopic.pecks, ChangeTopic.meetings] }

    func title(_ words: PageWords) -> String { words("Inbox") }

    func values(_ words: PageWords) -> TemplateValues {
        let next = list.next.map { "pecks" + Self.query(of: part, after: $0) }
        var values: TemplateValues = [
            "here": .text(here), "hasUnread": .flag(list.unread > 0),
            "isEmpty": .flag(list.pecks.isEmpty), "emptyText": .text(emptyText(words)),
            "pecks": .list(list.pecks.map { PeckLine(peck: $0, zone: zone).values(words) }),
            "snoozes": PeckSnooze.values(words),
            "tabs": .list(
                [
                    (PeckFilter.Part.all, words("Everything")), (.unread, words("Unread")),
                    (.snoozed, words("Hidden for a while")),
                ].map { part, name in
                    [
                        "tab": .text(name), "tabQuery": .text(Self.query(of: part, after: nil)),
                        "isCurrent": .flag(part == self.part),
                    ]
                }),
            "kinds": .list(
                Planner.peckKinds.map { kind in
                    [
                        "kind": .text(kind.rawValue), "kindWords": .text(words.notification(kind)),
                        "isWanted": .flag(wanted.contains(kind)),
                    ]
                }),
            "hasPages": .flag(next != nil),
        ]
        values[text: "nextPage"] = next
        return values
    }

    private func emptyText(_ words: PageWords) -> String {
        switch part {
        case .all: words("Nothing is here yet. Invitations, changes and reminders come here.")
        case .unread: words("You have read everything.")
        case .snoozed: words("Nothing is hidden.")
        }
    }

    private static func query(of part: PeckFilter.Part, after position: String?) -> String {
        let own: String? =
            switch part {
            case .all: nil
            case .unread: "unread=1"
            case .snoozed: "snoozed=1"
            }
        let parts = [own, position.map { "after=\(Link.segment($0))" }].compactMap(\.self)
        return parts.isEmpty ? "" : "?" + parts.joined(separator: "&")
    }
}

/// A notification in the inbox with the reason why its reader got it.
struct PeckPage: PageModel {
    static let template = "peck"
    static let names = TemplateNames(
        PeckLine.names, lists: ["receivers": ReceiverStory.names])

    let line: PeckLine
    let stories: [StoryView]

    var section: Section? { .pecks }
    var topics: [String] { [ChangeTopic.pecks] }

    func title(_ words: PageWords) -> String { words("Why you got this") }

    func values(_ words: PageWords) -> TemplateValues {
        var values = line.values(words)
        values["receivers"] = .list(
            ReceiverStory.all(of: stories).map { $0.values(words, in: line.zone, isOpen: true) })
        return values
    }
}
