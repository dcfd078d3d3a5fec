import Agenda
import Ledger
import Planning
import Wording

/// A change that a person can read before it is made.
protocol Readable: ChangeOutcome {
    /// What was changed: the first line names it, others follow.
    var heading: [String] { get }
    /// When it takes place, where it does.
    var times: [String] { get }
    /// What was done, in a line.
    var deed: String { get }
    /// Whether it may let go what was held back.
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
            return ["\(Style.bold(meeting.title)): again at \(snoozed.words)"] + times
        }
        let id = meeting.id.isEmpty ? "" : "  \(Style.faint(meeting.id))"
        var lines = ["\(Style.bold(meeting.title))\(id)"] + times
        if let place = meeting.place { lines.append(place.text) }
        if meeting.status == "cancelled" { lines.append("cancelled") }
        return lines
    }

    var times: [String] {
        let repeats = meeting.occurrence == nil ? meeting.repetition : nil
        return [meeting.when] + (meeting.whenThere.map { ["there \($0)"] } ?? [])
            + (repeats.map { [$0] } ?? []) + next
    }

    /// The next date of a series, where its first one is over.
    private var next: [String] {
        guard meeting.occurrence == nil, meeting.repetition != nil,
            let next = meeting.nextOccurrence, next.text != meeting.start.text
        else { return [] }
        return ["next \(next.words)"]
    }

    var deed: String {
        if let snoozed { return "\(meeting.title): again at \(snoozed.words)" }
        return answered.map { AnswerText.sentence(on: $0, to: meeting) }
            ?? times.joined(separator: ", ")
    }
}

extension PolicyOutcome: Readable {
    var heading: [String] { [PolicyText.of(policy)] }
    var times: [String] { [] }
    var setsHours: Bool { true }
}

extension LedgerOutcome: Readable {
    var heading: [String] {
        deliveries.map { row in
            "\(Style.bold("\(row.kind) to \(row.name)")) by \(row.way): \(row.state)  "
                + Style.faint(String(row.key.prefix(8)))
        }
    }
    var times: [String] { [] }
}

/// What a change did, or would do, in words for a person.
struct OutcomeText {
    let outcome: any Readable

    /// What was changed, what goes out, and what else there is to know.
    var text: String {
        let heading = outcome.heading
        var lines = heading.prefix(1) + heading.dropFirst().map { "  \($0)" }
        lines.append("  \(effect)")
        if let receivers { lines.append("  to \(receivers)") }
        lines += outcome.remarks.map { "  \($0)" }
        return lines.joined(separator: "\n")
    }

    /// What was done and what follows, in a line.
    var done: String {
        "Done: " + [outcome.deed, effect].filter { !$0.isEmpty }.joined(separator: ". ")
    }

    /// "2 invitations now, 4 reminders planned, 2 reminders dropped".
    var effect: String {
        let planned = outcome.notifications.added.filter { $0.state == "planned" }
        let added = rows(planned.filter { !$0.isHeldBack })
        let gone = rows(outcome.notifications.superseded)
        var parts: [String] = []
        for kind in Self.kinds {
            let plus = added[kind] ?? []
            let minus = gone[kind] ?? []
            if kind == "reminder" {
                let moved = min(plus.count, minus.count)
                parts += Self.part(moved, kind, moved == 1 ? "moves" : "move")
                parts += Self.part(plus.count - moved, kind, "planned")
                parts += Self.part(minus.count - moved, kind, "dropped")
            } else {
                parts += Self.noticed(kind, plus, insteadOf: minus)
            }
        }
        parts += held(planned.filter(\.isHeldBack), "held back")
        let moved = outcome.notifications.rescheduled
        parts += held(moved.filter(\.isHeldBack), "held back")
        if outcome.setsHours {
            let free = moved.count { $0.wanted == nil }
            parts += Self.part(free, "delivery", "held back no longer")
        }
        let suppressed = outcome.notifications.added.filter { $0.state == "suppressed" }
        let isListed = suppressed.count { $0.wanted != nil }
        parts += Self.part(suppressed.count - isListed, "delivery", "without an address")
        let kept = isListed + outcome.notifications.suppressed.count
        parts += Self.part(kept, "delivery", "kept from its address")
        return parts.isEmpty ? "Nobody is told anything." : parts.joined(separator: ", ")
    }

    /// "2 invitations held back, the first until Wed 2 Dec 2026, 08:00 EET".
    private func held(_ rows: [DeliveryView], _ word: String) -> [String] {
        Self.kinds.flatMap { kind in
            let rows = rows.filter { $0.kind == kind }
            guard let first = rows.min(by: { $0.due.text < $1.due.text }) else { return [String]() }
            let until = rows.count == 1 ? "until" : "the first until"
            return Self.part(rows.count, kind, "\(word) \(until) \(first.due.words)")
        }
    }

    /// The most people who are named.
    private static let namesMax = 8

    /// Whether a message goes out now.
    var tellsSomebody: Bool { !told.isEmpty }

    /// What goes out now.
    private var told: [DeliveryView] {
        outcome.notifications.added.filter {
            $0.state == "planned" && $0.kind != "reminder" && !$0.isHeldBack
        }
    }

    /// Who is told something now, so that a wrong name is seen before it is too late.
    private var receivers: String? {
        let names = told.reduce(into: [String]()) { names, row in
            if !names.contains(row.name) { names.append(row.name) }
        }
        guard !names.isEmpty else { return nil }
        let rest = names.count - Self.namesMax
        let first = names.prefix(Self.namesMax).joined(separator: ", ")
        return rest > 0 ? "\(first) and \(rest) more" : first
    }

    /// What waits for a daemon, where none runs; `nil` when all is well.
    var waiting: String? {
        let now = told
        // What goes later has to wait for a daemon, too; what is kept from an address waits for
        // nothing.
        let later = outcome.notifications.added.filter { $0.state == "planned" }
        let rows = now.isEmpty ? later : now
        guard outcome.daemon == "none", !rows.isEmpty else { return nil }
        return TimeWords.count(rows.count, Self.noun(rows.map(\.kind)))
            + " wait\(rows.count == 1 ? "s" : ""): no daemon is running here. Start letsmeetd"
            + (now.isEmpty ? "." : ", or send now with: letsmeetd once")
    }

    /// In the order in which they are told; reminders, which go later, come last.
    private static let kinds =
        NotificationKind.allCases.filter { $0 != .reminder }
        .map(\.rawValue) + [NotificationKind.reminder.rawValue]

    private static func noun(_ kinds: [String]) -> String {
        Set(kinds).count == 1 ? kinds[0] : "notification"
    }

    private static func part(_ count: Int, _ noun: String, _ word: String) -> [String] {
        guard count > 0 else { return [] }
        let plural = noun == "delivery" ? "deliveries" : noun + "s"
        return ["\(count) \(count == 1 ? noun : plural) \(word)"]
    }

    private func rows(_ rows: [DeliveryView]) -> [String: [DeliveryView]] {
        Dictionary(grouping: rows, by: \.kind)
    }

    /// What goes out now, and what was not sent yet and will not be. Who gets one in place of
    /// another gets a single one, with the latest facts.
    private static func noticed(
        _ kind: String, _ added: [DeliveryView], insteadOf gone: [DeliveryView]
    ) -> [String] {
        var unsent = Dictionary(grouping: gone) { [$0.person, $0.channel] }.mapValues(\.count)
        let replaced = added.count { row in
            guard let count = unsent[[row.person, row.channel]], count > 0 else { return false }
            unsent[[row.person, row.channel]] = count - 1
            return true
        }
        let stead = "in place of \(replaced == 1 ? "one" : "those") not sent yet"
        let share = replaced < added.count ? "\(replaced) of them " : ""
        return part(added.count, kind, replaced == 0 ? "now" : "now, \(share)\(stead)")
            + part(gone.count - replaced, kind, "taken back")
    }
}
