import Ledger
import Agenda
import Planning
import TextUI
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

    /// Shows up to two lines for each receiver: what was last sent to them, and what comes next.
    /// Their times have a column of their own, which is never cut.
    ///
    /// - Parameters:
    ///   - stories: the histories of the deliveries, the earliest first.
    ///   - command: the command that shows all of them.
    init(byPerson stories: [StoryView], shownBy command: String) {
        var table = Table(["To", "What", "When"], uncut: [2])
        let receivers = Dictionary(
            stories.map { ($0.receiverID, $0.receiver) }, uniquingKeysWith: { first, _ in first })
        for (id, receiver) in receivers.sorted(by: { ($0.value, $0.key) < ($1.value, $1.key) }) {
            let own = stories.filter { $0.receiverID == id && !$0.isVoid }
            let next = own.filter { $0.delivery.state == .planned }
                .min { $0.delivery.due.moment < $1.delivery.due.moment }
            let last = own.last { $0.delivery.state != .planned }
            table.add(receiver, last?.lastWords ?? "nothing yet", last?.lastTime ?? "")
            if let next { table.add("", "next: \(next.delivery.kind)", next.delivery.due.words) }
        }
        parts = [
            table.text,
            "For each delivery: \(command) --all, or with a name: \(command) NAME",
        ]
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
    /// "invitation sent", or "invitation failed: no such mailbox".
    fileprivate var lastWords: String {
        switch delivery.state {
        case .accepted where delivery.isOnlyPrinted: "\(delivery.kind) printed, not sent"
        case .accepted:
            delivery.isForInbox
                ? "\(delivery.kind) put into the inbox"
                : "\(delivery.kind) \(delivery.channel == "stdout" ? "printed" : "sent")"
        case .claimed: "\(delivery.kind) is being sent"
        case .ambiguous: "\(delivery.kind) may have arrived"
        case .planned, .failed, .expired, .superseded, .suppressed, .parked:
            "\(delivery.kind) \(delivery.state): \(delivery.reason)"
        }
    }

    /// The time at which it was sent, as in "Mon 21 Sep 2026, 15:00 EEST"; empty if it was not.
    fileprivate var lastTime: String {
        guard [.accepted, .ambiguous].contains(delivery.state) else { return "" }
        return (delivery.attempts.last?.at ?? delivery.due).words
    }
}
