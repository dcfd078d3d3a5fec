import Agenda
import Ledger
import Planning
import Programs
import Wording

/// The outcome of a change, which a person can read before the change is saved.
protocol Readable: ChangeOutcome {
    /// The changed object: its name in the first line, more facts in the following ones.
    var heading: [String] { get }
    /// The times of a meeting; empty for other objects.
    var times: [String] { get }
    /// The change in one line.
    var deed: String { get }
    /// Whether the change can end the delay of deliveries that are held back.
    var setsHours: Bool { get }
}

extension Readable {
    var setsHours: Bool { false }
    var deed: String { times.joined(separator: ", ") }
}

extension MeetingOutcome: Readable {
    var heading: [String] {
        if let answered { return AnswerText.lines(of: answered, to: meeting) }
        if let snoozed {
            return ["\(Style.bold(meeting.title)): next reminder at \(snoozed.words)"] + times
        }
        let id = meeting.id.isEmpty ? "" : "  \(Style.faint(meeting.id))"
        var lines = ["\(Style.bold(meeting.title))\(id)"] + times
        if let place = meeting.place { lines.append(place.text) }
        if meeting.status == .cancelled { lines.append("cancelled") }
        return lines
    }

    var times: [String] {
        let repeats = meeting.occurrence == nil ? meeting.repetition : nil
        return [meeting.when] + (meeting.whenThere.map { ["local time \($0)"] } ?? [])
            + (repeats.map { [$0] } ?? []) + next
    }

    /// The next date of a series whose first date is over.
    private var next: [String] {
        guard meeting.occurrence == nil, meeting.repetition != nil,
            let next = meeting.nextOccurrence, next.text != meeting.start.text,
            let words = meeting.nextWords
        else { return [] }
        return ["next \(words)"]
    }

    var deed: String {
        if let snoozed { return "\(meeting.title): next reminder at \(snoozed.words)" }
        return answered.map { AnswerText.sentence(on: $0, to: meeting) }
            ?? times.joined(separator: ", ")
    }
}

/// A policy that can be told in a sentence.
protocol WordedPolicy: Encodable, Sendable {
    /// The policy in a sentence.
    var words: String { get }
}

extension PolicyView: WordedPolicy {
    var words: String { PolicyText.of(self) }
}

extension CircleHoursView: WordedPolicy {
    var words: String { PolicyText.of(self) }
}

extension PolicyOutcome: Readable where Policy: WordedPolicy {
    var heading: [String] { [policy.words] }
    var times: [String] { [] }
    var setsHours: Bool { true }
}

extension LedgerOutcome: Readable {
    var heading: [String] {
        zip(deliveries, receivers).map { row, receiver in
            "\(Style.bold("\(row.kind) to \(receiver)")) by \(row.way): \(row.state)  "
                + Style.faint(String(row.key.prefix(8)))
        }
    }
    var times: [String] { [] }
}

extension Remark {
    /// The remark with its advice as commands.
    var shown: String { words(AdviceText.renderer) }
}

/// The text that shows what a change did, or would do.
struct OutcomeText {
    let outcome: any Readable

    /// The changed object, the notifications and the remarks.
    var text: String {
        let heading = outcome.heading
        var lines = heading.prefix(1) + heading.dropFirst().map { "  \($0)" }
        lines.append("  \(effect)")
        if let receivers { lines.append("  Recipients: \(receivers)") }
        lines += outcome.remarks.map { "  \($0.shown)" }
        return lines.joined(separator: "\n")
    }

    /// The change and its effect in one line; in several, if the change takes several.
    var done: String {
        let deed = outcome.deed
        guard !deed.isEmpty else { return "Done: \(effect)" }
        let space = deed.contains("\n") ? "\n" : " "
        return "Done: \(deed)\(deed.hasSuffix(".") || space == "\n" ? "" : ".")\(space)\(effect)"
    }

    /// "2 invitations to send, 4 reminders planned, 2 reminders dropped".
    var effect: String {
        let planned = DeliveryView.besidesInbox(
            outcome.notifications.added.filter { $0.state == .planned })
        let added = rows(planned.filter { !$0.isHeldBack })
        let gone = rows(DeliveryView.besidesInbox(outcome.notifications.superseded))
        var parts: [String] = []
        for kind in Self.kinds {
            let plus = added[kind] ?? []
            let minus = gone[kind] ?? []
            if (plus + minus).contains(where: \.isPlannedAhead) {
                let moved = min(plus.count, minus.count)
                parts += Self.part(moved, kind.rawValue, "moved")
                parts += Self.part(plus.count - moved, kind.rawValue, "planned")
                parts += Self.part(minus.count - moved, kind.rawValue, "dropped")
            } else {
                parts += Self.noticed(kind, plus, insteadOf: minus)
            }
        }
        parts += held(planned.filter(\.isHeldBack), "held back")
        let moved = outcome.notifications.rescheduled
        parts += held(moved.filter(\.isHeldBack), "held back")
        if outcome.setsHours {
            let free = moved.count { $0.wanted == nil }
            parts += Self.part(free, "delivery", "no longer held back")
        }
        let suppressed = outcome.notifications.added.filter { $0.state == .suppressed }
        let isListed = suppressed.count(where: \.isStopped)
        let names = suppressed.filter { !$0.isStopped }.map(\.name).uniqued().sorted()
        parts += Self.part(
            suppressed.count - isListed, "delivery",
            "without an address (\(Self.list(names, max: Self.unaddressedMax)))")
        let kept = isListed + outcome.notifications.suppressed.count
        parts += Self.part(kept, "delivery", "suppressed")
        return parts.isEmpty ? "No one is notified." : parts.joined(separator: ", ")
    }

    /// "2 invitations held back, the first until Wed 2 Dec 2026, 08:00 EET".
    private func held(_ rows: [DeliveryView], _ word: String) -> [String] {
        Self.kinds.flatMap { kind in
            let rows = rows.filter { $0.kind == kind }
            guard let first = rows.min(by: { $0.due.text < $1.due.text }) else { return [String]() }
            let until = rows.count == 1 ? " until" : ", the first until"
            return Self.part(rows.count, kind.rawValue, "\(word)\(until) \(first.due.words)")
        }
    }

    /// The most recipients that are named.
    private static let namesMax = 8
    /// The most people without an address that are named.
    private static let unaddressedMax = 5

    /// Whether any message goes out now.
    var tellsSomebody: Bool { !told.isEmpty }

    /// The messages that go out now.
    private var told: [DeliveryView] {
        outcome.notifications.added.filter {
            $0.state == .planned && !$0.isPlannedAhead && !$0.isHeldBack
        }
    }

    /// The recipients of these messages, so that a wrong name is noticed in time.
    private var receivers: String? {
        let names = told.reduce(into: [String]()) { names, row in
            if !names.contains(row.name) { names.append(row.name) }
        }
        guard !names.isEmpty else { return nil }
        return Self.list(names, max: Self.namesMax)
    }

    /// As in "Anna, Ben and 3 more".
    private static func list(_ names: [String], max count: Int) -> String {
        let first = names.prefix(count).joined(separator: ", ")
        return names.count > count ? "\(first) and \(names.count - count) more" : first
    }

    /// Says that deliveries are queued while no daemon runs; `nil` if none are, or if one runs.
    var waiting: String? {
        let now = told
        // Later deliveries need a daemon, too; suppressed ones wait for nothing.
        let later = outcome.notifications.added.filter { $0.state == .planned }
        let rows = DeliveryView.besidesInbox(now.isEmpty ? later : now)
        guard outcome.daemon == .none, !rows.isEmpty else { return nil }
        return TimeWords.count(rows.count, Self.noun(rows.map(\.kind)))
            + " \(rows.count == 1 ? "is" : "are") queued, but letsmeetd is not running. Start it"
            + (now.isEmpty ? ": letsmeetd run" : ", or send now: letsmeetd once")
    }

    /// The kinds of notification in the order of the text. Reminders come last, because they go out
    /// later.
    private static let kinds =
        NotificationKind.allCases.filter { $0 != .reminder } + [.reminder]

    private static func noun(_ kinds: [NotificationKind]) -> String {
        Set(kinds).count == 1 ? kinds[0].rawValue : "notification"
    }

    private static func part(_ count: Int, _ noun: String, _ word: String) -> [String] {
        guard count > 0 else { return [] }
        let plural = noun == "delivery" ? "deliveries" : noun + "s"
        return ["\(count) \(count == 1 ? noun : plural) \(word)"]
    }

    private func rows(_ rows: [DeliveryView]) -> [NotificationKind: [DeliveryView]] {
        Dictionary(grouping: rows, by: \.kind)
    }

    /// The messages of a kind that go out now, and unsent ones that are withdrawn. A person whose
    /// unsent message is replaced gets a single one, with the latest facts.
    private static func noticed(
        _ kind: NotificationKind, _ added: [DeliveryView], insteadOf gone: [DeliveryView]
    ) -> [String] {
        var unsent = Dictionary(grouping: gone) { [$0.person, $0.channel] }.mapValues(\.count)
        let replaced = added.count { row in
            guard let count = unsent[[row.person, row.channel]], count > 0 else { return false }
            unsent[[row.person, row.channel]] = count - 1
            return true
        }
        let stead = "replacing \(replaced == 1 ? "an unsent one" : "unsent ones")"
        let share = replaced < added.count ? "\(replaced) of them " : ""
        return part(
            added.count, kind.rawValue, replaced == 0 ? "to send" : "to send, \(share)\(stead)")
            + part(gone.count - replaced, kind.rawValue, "withdrawn")
    }
}
