import Ledger
import Agenda
import Planning
import Wording

/// The history of several deliveries, in parts that are separated by empty lines.
struct StoriesText {
    private(set) var parts: [String]

    /// Shows each delivery with its full history.
    init(_ stories: [StoryView]) {
        parts = stories.map(StoryText.of)
    }

    /// Shows each delivery with its full history. Deliveries that were superseded before anything
    /// was sent are only counted for each receiver.
    ///
    /// - Parameters:
    ///   - stories: the histories of the deliveries.
    ///   - command: the command that shows all of them in full.
    init(folding stories: [StoryView], shownBy command: String) {
        self.init(stories.filter { !$0.isVoid })
        let void = stories.filter(\.isVoid)
        guard !void.isEmpty else { return }
        let receivers = void.reduce(into: [String]()) { receivers, story in
            if !receivers.contains(story.receiverID) { receivers.append(story.receiverID) }
        }
        let lines = receivers.map { id in Self.line(on: void.filter { $0.receiverID == id }) }
        let what = void.count == 1 ? "it" : "them"
        parts.append((lines + ["To see \(what): \(command)"]).joined(separator: "\n"))
    }

    /// "3 unsent notifications to Anna were replaced: the meeting changed".
    private static func line(on void: [StoryView]) -> String {
        let name = void.first?.receiver ?? ""
        let reasons = Set(void.map(\.delivery.reason))
        let why = reasons.count == 1 ? reasons.first ?? "" : "by later changes"
        let plans = TimeWords.count(void.count, "unsent notification")
        let verb = void.count == 1 ? "was" : "were"
        return "\(plans) to \(name) \(verb) replaced\(reasons.count == 1 ? ":" : "") \(why)"
    }
}

extension StoryView {
    /// The id of the person, or the name of the audience.
    fileprivate var receiverID: String { delivery.person ?? delivery.audience ?? "" }

    /// Whether it was superseded before any attempt to send it.
    fileprivate var isVoid: Bool {
        delivery.state == .superseded && delivery.attempts.isEmpty
    }
}
