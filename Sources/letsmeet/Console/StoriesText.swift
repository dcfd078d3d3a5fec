import Planning
import Wording

/// The stories of several deliveries, in parts between which a line stays free.
struct StoriesText {
    private(set) var parts: [String]

    /// Each with all of its story.
    init(_ stories: [StoryView]) {
        parts = stories.map(StoryText.of)
    }

    /// Those that later changes made void before anything was sent are only counted, for each
    /// person.
    ///
    /// - Parameters:
    ///   - stories: the stories.
    ///   - command: what shows all of them.
    init(folding stories: [StoryView], shownBy command: String) {
        self.init(stories.filter { !$0.isVoid })
        let void = stories.filter(\.isVoid)
        guard !void.isEmpty else { return }
        let people = void.reduce(into: [String?]()) { people, story in
            if !people.contains(story.delivery.person) { people.append(story.delivery.person) }
        }
        let lines = people.map { person in
            Self.line(on: void.filter { $0.delivery.person == person })
        }
        parts.append((lines + ["To see them: \(command)"]).joined(separator: "\n"))
    }

    /// "3 earlier plans for Anna were superseded: the meeting changed".
    private static func line(on void: [StoryView]) -> String {
        let name = void.first?.name ?? ""
        let reasons = Set(void.map(\.delivery.reason))
        let why = reasons.count == 1 ? reasons.first ?? "" : "by later changes"
        let plans = TimeWords.count(void.count, "earlier plan")
        let verb = void.count == 1 ? "was" : "were"
        return "\(plans) for \(name) \(verb) superseded\(reasons.count == 1 ? ":" : "") \(why)"
    }
}

extension StoryView {
    /// Whether it was superseded, and nothing of it was ever sent.
    fileprivate var isVoid: Bool {
        delivery.state == "superseded" && delivery.attempts.isEmpty
    }
}
