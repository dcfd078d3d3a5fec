import Agenda
import Ledger
import TestKit
import Timekeeping

extension PlanWalk {
    /// Expires rows that are too late, and ends some of the due rows in a random state.
    mutating func deliver(using random: inout SeededRandom) -> String {
        var words: [String] = []
        for place in gathering.rows.indices {
            let row = gathering.rows[place]
            guard [.planned, .ambiguous].contains(row.state), row.due <= gathering.now else {
                continue
            }
            if row.deadline <= gathering.now {
                gathering.rows[place].state = .expired
            } else if let held = gathering.heldBack(row) {
                gathering.rows[place] = held
                words.append("\(row.words) is held back")
            } else if random.chance(percent: 70) {
                gathering.rows[place].end(now: gathering.now, using: &random)
                words.append("\(row.words) is \(gathering.rows[place].state)")
            }
        }
        return "deliver: \(words.joined(separator: ", "))"
    }

    /// The first error in the ledger; `nil` if it is correct.
    func fault(before: [LedgerRow]) -> String? {
        let again = gathering.difference()
        // A suppression may have expired since the last planning.
        let added = again.added.filter { gathering[$0.name]?.hold?.kind != .list }
        guard added.isEmpty, again.superseded.isEmpty else {
            return "planned again: added \(added.map(\.words)), "
                + "superseded \(again.superseded.map(\.words))"
        }
        let closed = gathering.rows.filter {
            $0.mayHaveArrived
                || !($0.state.isOpen || $0.state == .superseded || $0.hold?.kind == .list)
        }
        let scratch = gathering.difference(from: closed).added.filter { $0.state == .planned }
        let open = gathering.rows.filter { $0.state.isOpen && $0.state != .claimed }
        let openNames = Dictionary(open.map { ($0.name, $0) }) { first, _ in first }
        for row in scratch where gathering[row.name]?.hold?.kind != .list {
            let key = row.key.notification
            // A fallback row is planned after a failure, unless another fallback is already open.
            let isStandIn = gathering.rows.contains {
                $0.key.notification == key && [.failed, .suppressed].contains($0.state)
            }
            guard let kept = openNames[row.name] else {
                guard isStandIn, open.contains(where: { $0.key.notification == key }) else {
                    return "lost: \(row.words)"
                }
                continue
            }
            guard kept.deadline == row.deadline else { return "another deadline: \(row.words)" }
            let isReminder = row.key.notification.kind == .reminder && !isStandIn
            guard !isReminder || kept.due == row.due else { return "another time: \(row.words)" }
            guard !isReminder || kept.reason == row.reason else {
                return "another reason: \(row.words)"
            }
        }
        return holdFault(open) ?? excess(open, over: Set(scratch.map(\.name)), before: before)
    }

    /// The first row that is wrongly held back or wrongly not held back; `nil` if there is none.
    private func holdFault(_ open: [LedgerRow]) -> String? {
        for row in open {
            let hours = gathering.hours[PersonID(text: row.key.notification.receiver.text)]
            let moment = max(row.due, gathering.now)
            let isOpen = hours.map { hours in
                hours.hours.opening(from: moment, in: hours.zone) == moment
            }
            if let wanted = row.hold?.wanted, row.due < wanted { return "early: \(row.words)" }
            // A row that was just tried is timed again only after the attempt.
            guard isOpen == false, !row.reason.hasPrefix("not held back by "),
                row.reason != "try again", !row.key.notification.isSnooze
            else { continue }
            // The engine checks again before sending, and time has passed since planning.
            guard row.due <= gathering.now else { return "sent at a closed time: \(row.words)" }
        }
        return nil
    }

    private func excess(
        _ open: [LedgerRow], over scratch: Set<String>, before: [LedgerRow]
    ) -> String? {
        let openBefore = Set(before.filter(\.state.isOpen).map(\.name))
        let told = Set(gathering.rows.filter(\.mayHaveArrived).map(\.key.notification))
        let late = gathering.state.notifications(told: gathering.rows, now: gathering.now)
            .filter { $0.key.kind == .reminder && $0.due <= gathering.now }.map(\.key)
        let pastDue = Set(late)
        for row in open where !scratch.contains(row.name) {
            let key = row.key.notification
            let isLate =
                gathering.meeting.endsAt <= gathering.now
                || row.deadline <= gathering.now
            // A row that may have arrived on a removed channel moves to a remaining one, and a
            // failed row to a channel that was not tried yet.
            let hasLostWay = gathering.rows.contains { other in
                other.key.notification == key && other.name != row.name
                    && (other.state == .superseded && other.ambiguities > 0
                        || other.state == .failed || other.state == .suppressed)
            }
            guard openBefore.contains(row.name) || hasLostWay else {
                return "new, not planned: \(row.words)"
            }
            guard told.contains(key) || pastDue.contains(key) || isLate || hasLostWay else {
                return "left over: \(row.words)"
            }
            guard key.kind != .reminder || key.mark.text.hasSuffix(startMark(of: key)) else {
                return "a reminder of an old start: \(row.words)"
            }
        }
        return nil
    }

    private func startMark(of key: NotificationKey) -> String {
        let date = gathering.meeting.date(named: key.occurrence, in: gathering.zone)
        return "@" + (date?.time ?? gathering.meeting.time).startsAt.rfc3339(offsetSeconds: 0)
    }
}

extension Gathering {
    /// The row as the engine holds it back; `nil` if it may be sent.
    fileprivate func heldBack(_ row: LedgerRow) -> LedgerRow? {
        let timed = ReaderClocks(state, told: rows, now: now).timed(row)
        return timed.due > now ? timed : nil
    }
}

extension LedgerRow {
    /// Ends an attempt with a random outcome.
    fileprivate mutating func end(now: Moment, using random: inout SeededRandom) {
        switch Int.random(in: 0..<10, using: &random) {
        case 0..<5: state = .accepted
        case 5: state = .failed
        case 6, 7:
            state = .planned
            due = now.advanced(bySeconds: 60)
            reason = "try again"
        default:
            ambiguities += 1
            state = ambiguities < 3 ? .ambiguous : .parked
        }
        hold = nil
        if state == .planned && due >= deadline { state = .expired }
    }
}
