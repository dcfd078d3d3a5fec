import Planning
import TextUI
import Wording

/// The deliveries that will be sent, as a table.
enum OutboxText {
    /// The facts that the deliveries of one line share.
    private struct Shared: Hashable {
        let due: String
        let kind: String
        let meeting: String?
        let subject: String
        let channel: String
        let reason: String

        init(_ line: OutboxLine) {
            due = line.due.words
            kind = line.kind
            meeting = line.meeting
            subject = line.subject
            channel = line.channel
            reason = line.reason
        }
    }

    /// The table. Deliveries that differ only in their receivers are one line, unless `all` are to
    /// be shown.
    static func of(_ lines: FirstRows<OutboxLine>, all: Bool) -> String {
        guard let last = lines.last else { return "Nothing is waiting to be sent." }
        var table = Table(
            ["When", "Kind", "To", "About", "By", "Reason"], uncut: [0, 1], expendable: [4])
        let groups = groups(lines)
        for group in all ? groups.flatMap(receivers) : groups {
            let shared = Shared(group[0])
            table.add(
                shared.due, shared.kind, receivers(group.map(\.receiver)), shared.subject,
                shared.channel, Table.line(shared.reason))
        }
        let more = "For later ones, add: --from \(last.due.text)"
        return table.text(with: lines.remark.map { "\($0) \(more)" })
    }

    /// The lines in groups, in the order of their first ones.
    private static func groups(_ lines: FirstRows<OutboxLine>) -> [[OutboxLine]] {
        var groups: [[OutboxLine]] = []
        var places: [Shared: Int] = [:]
        for line in lines {
            let shared = Shared(line)
            if let place = places[shared] {
                groups[place].append(line)
            } else {
                places[shared] = groups.count
                groups.append([line])
            }
        }
        return groups
    }

    /// The lines of a group, one in each, in the order of their receivers.
    private static func receivers(_ group: [OutboxLine]) -> [[OutboxLine]] {
        group.sorted { ($0.receiver, $0.key) < ($1.receiver, $1.key) }.map { [$0] }
    }

    /// "Anna", or "3 receivers: Anna, Ben, Carla".
    private static func receivers(_ names: [String]) -> String {
        guard names.count > 1 else { return names.joined() }
        let distinct = Set(names).sorted()
        guard distinct.count > 1 else { return distinct.joined() }
        return "\(distinct.count) receivers: \(distinct.joined(separator: ", "))"
    }
}
