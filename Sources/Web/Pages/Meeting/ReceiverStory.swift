import Agenda
import Ledger
import Planning
import Timekeeping
import Wording

/// The messages about a meeting to one person or group, which a page folds to a line.
struct ReceiverStory: Sendable {
    /// The variables of the list.
    static let names = [
        "receiver", "isOpen", "last", "lastState", "lastClass", "following", "deliveries",
        "heading", "because", "printed", "next", "stateName", "stateClass", "events", "at", "what",
    ]

    /// The name of the person, or the group in words.
    let name: String
    /// The messages, the earliest first.
    let stories: [StoryView]

    /// The messages to each receiver, by their names.
    static func all(of stories: [StoryView]) -> [ReceiverStory] {
        let groups = Dictionary(grouping: stories, by: \.receiverID).sorted { left, right in
            (left.value[0].receiver, left.key) < (right.value[0].receiver, right.key)
        }
        return groups.map { ReceiverStory(name: $0.value[0].receiver, stories: $0.value) }
    }

    /// The variables of one receiver.
    ///
    /// - Parameters:
    ///   - words: the words of the page.
    ///   - zone: the time zone of the reader.
    ///   - isOpen: true to show all messages, and not only a line.
    /// - Returns: what was sent last, what comes next, and all messages.
    func values(_ words: PageWords, in zone: Zone, isOpen: Bool) -> TemplateValues {
        var values: TemplateValues = [
            "receiver": .text(name), "isOpen": .flag(isOpen),
            "deliveries": .list(stories.map { Self.values(of: $0, words, in: zone) }),
        ]
        let current = stories.filter { !$0.isVoid }
        let last = current.last { $0.delivery.state != .planned }
        values[text: "last"] = last.map { line(on: $0, words, in: zone) }
        values[text: "lastState"] = last.map { Self.state(of: $0, words) }
        values["lastClass"] = .text(last.map(Self.style(of:)) ?? "")
        values[text: "following"] =
            current.filter { $0.delivery.state == .planned }
            .min { $0.delivery.due.moment < $1.delivery.due.moment }
            .map { words("Next: %what%", ["what": line(on: $0, words, in: zone)]) }
        return values
    }

    /// A message in a line, as in "Reminder, Fri 4 December 2026, 18:00".
    private func line(on story: StoryView, _ words: PageWords, in zone: Zone) -> String {
        let delivery = story.delivery
        let at = delivery.attempts.last?.at ?? delivery.due
        return "\(words.notification(delivery.kind)), \(words.moment(at.moment, in: zone))"
    }

    private static func state(of story: StoryView, _ words: PageWords) -> String {
        words.state(story.delivery.state, isOnlyPrinted: story.isOnlyPrinted)
    }

    private static func values(
        of story: StoryView, _ words: PageWords, in zone: Zone
    ) -> TemplateValues {
        var values: TemplateValues = [
            "heading": .text(words.notification(story.delivery.kind)),
            "because": .text(words.say(story.becausePhrase).capitalizingFirst + "."),
            "stateName": .text(state(of: story, words)), "stateClass": .text(style(of: story)),
            "events": .list(
                story.events.map { event in
                    [
                        "at": .text(words.moment(event.at.moment, in: zone)),
                        "what": .text(words.event(event.kind)),
                    ]
                }),
        ]
        values[text: "next"] = story.next.text.isEmpty ? nil : words(story.next)
        values[text: "printed"] =
            story.isOnlyPrinted
            ? words("It was only printed, because no way to send it is set up. Nobody got it.")
            : nil
        return values
    }

    private static func style(of story: StoryView) -> String {
        StoryPage.style(of: story.delivery.state, isOnlyPrinted: story.isOnlyPrinted)
    }
}

extension PageWords {
    /// An event of a delivery.
    fileprivate func event(_ kind: StoryView.Event.Kind) -> String {
        switch kind {
        case .state(let state, let reason):
            let state = self.state(state)
            return reason.isEmpty ? state : "\(state): \(language.ledgerReason(reason))"
        case .attempt(let number, let outcome, let reply):
            let what = [outcome.map(self.outcome) ?? self("in progress"), reply]
                .filter { !$0.isEmpty }.joined(separator: ", ")
            return self("attempt %n%: %what%", ["n": "\(number)", "what": what])
        case .printed(let number):
            return self(
                "attempt %n%: %what%", ["n": "\(number)", "what": self("printed, not sent")])
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
}

extension String {
    /// The text with a capital letter at its beginning, unless it begins with an address.
    fileprivate var capitalizingFirst: String {
        prefix { $0 != " " }.contains("@") ? self : prefix(1).uppercased() + dropFirst()
    }
}
