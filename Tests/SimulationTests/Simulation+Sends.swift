import Agenda
import Ledger
import Notifications
import Sinks
import TestKit
import Timekeeping

/// A send with everything needed to check it: its content, and the steps in which it may have been
/// begun.
struct JudgedSend {
    let send: Send
    let place: Int
    let line: Oracle.Line
    let gathering: Gathering
    /// The steps in one of which it was begun.
    let steps: [Int]
    /// The wall clock at these steps.
    let walls: [Moment]
    let standings: [Standing]
    /// The reminder times that its person wanted; `nil` to leave them to the meeting.
    let wantedOffsets: [[TimeSpan]?]
    /// The numbers of the facts that held at these steps.
    let numbers: [Int]

    var facts: [Facts] { numbers.map { gathering.facts[$0].value } }
    var isSnooze: Bool { line.kind == "reminder" && line.mark.hasPrefix("snooze ") }
}

/// Checks each send against the promises.
extension Simulation {
    func judgeSend(_ place: Int, among sends: [Send]) throws {
        let send = sends[place]
        let key = send.outgoing.identity
        guard let gathering = world.gatherings.first(where: { $0.id == send.outgoing.meeting }),
            let line = try oracle.line(key), let history = gathering.standings[line.person]
        else { throw violation("\(send.outgoing.kind) \(key) is about an unknown meeting") }
        let steps = [begun[key]?.step ?? send.step, send.step]
        let judged = JudgedSend(
            send: send, place: place, line: line, gathering: gathering, steps: steps,
            walls: steps.map { walls[$0] }, standings: history.values(during: steps),
            wantedOffsets: world.guest(id: line.person)?.offsets.values(during: steps) ?? [nil],
            numbers: gathering.numbers(during: steps))
        note(
            "\(line.kind) \(line.mark) of \(gathering.title) to \(send.outgoing.name), "
                + "\(send.report.map { "\($0.outcome)" } ?? "no answer"), \(key)")
        let earlier = (judge.threads["\(gathering.id) \(line.person)"] ?? []).map { sends[$0] }
        let faults = [
            judged.prematureness, judged.lateness, crowding(of: judged),
            try doubling(of: judged, after: (judge.deliveries[key] ?? []).map { sends[$0] }),
            flooding(of: judged, after: earlier), waking(of: judged), overreach(of: judged),
            try telling(of: judged, among: sends),
        ]
        judge.threads["\(gathering.id) \(line.person)", default: []].append(place)
        judge.deliveries[key, default: []].append(place)
        if let index = world.gatherings.firstIndex(where: { $0.id == gathering.id }) {
            judge.touched.insert(index)
        }
        guard let fault = faults.compactMap(\.self).first else { return }
        note("begun in step \(steps[0]); the history in the ledger:")
        for event in try oracle.story(of: key) { note(event) }
        throw violation("\(line.kind) of \(gathering.title) to \(send.outgoing.name) \(fault)")
    }

    private func crowding(of judged: JudgedSend) -> String? {
        judged.send.isCrowded ? "was sent while another one was under way" : nil
    }

    /// Promise 3: never accepted twice under one key, except visibly.
    private func doubling(of judged: JudgedSend, after earlier: [Send]) throws -> String? {
        let key = judged.line.key
        let arrivals = (earlier + [judged.send]).filter(\.isArrived).count
        guard try arrivals <= 1 + oracle.attempts(of: key, "ambiguous") else {
            return "arrived \(arrivals) times, but the ledger does not show it"
        }
        guard let last = earlier.last, let report = last.report, let end = last.endedAt,
            !deathSteps.contains(where: { $0 >= last.step && $0 <= judged.send.step })
        else { return nil }
        // If the store lost an outcome, the restarted engine treats the attempt as ambiguous. The
        // attempt that is judged here may already be accepted in the ledger.
        if report.outcome == .accepted, try oracle.isRepeated(key) {
            return "was sent again after it was accepted"
        }
        let asked = end.advanced(bySeconds: Int64(report.retryAfterSeconds ?? 0))
        // A time by a clock that was ahead cannot be compared.
        guard !world.retaken.contains(key), judged.send.wall < asked,
            !wasSetBack(since: last.step, by: judged.send.step)
        else { return nil }
        return "was sent again before its receiver allowed it"
    }

    private func wasSetBack(since first: Int, by last: Int) -> Bool {
        let times = walls[first...last]
        return zip(times, times.dropFirst()).contains { $1 < $0 }
    }

    /// Promise 7, first half: nobody is flooded.
    private func flooding(of judged: JudgedSend, after earlier: [Send]) -> String? {
        let now = judged.send.wall
        let since = now.advanced(byMilliseconds: -3_600_000)
        let count = earlier.filter { send in
            guard send.mayHaveArrived, send.wall > since, send.wall <= now else { return false }
            // An attempt that ended at a time which is still to come ran while the clock was ahead.
            // One that was begun by such a clock, and ended an hour ago or earlier by the corrected
            // one, no longer counts.
            return !wasSetBack(since: send.step, by: judged.send.step)
                || send.endedAt.map { $0 > since && $0 <= now } == true
        }.count
        return count >= 20 ? "is one of \(count + 1) in an hour" : nil
    }

    /// Promise 7, second half: quiet hours hold back deliveries that can wait.
    private func waking(of judged: JudgedSend) -> String? {
        guard let guest = world.guest(id: judged.line.person), !judged.isSnooze else { return nil }
        let nights = guest.night.values(during: judged.steps)
        let zone = guest.zone ?? judged.gathering.zone
        for (night, wall) in nights.flatMap({ night in judged.walls.map { (night, $0) } }) {
            guard let night, let end = night.end(at: wall, in: zone) else { return nil }
            if judged.cannotWait(from: wall, until: end) { return nil }
        }
        return nights.isEmpty ? nil : "was sent in quiet hours"
    }

    /// Deliveries that nobody wants any more, or that were dropped manually, are not sent.
    private func overreach(of judged: JudgedSend) -> String? {
        let guest = world.guest(id: judged.line.person)
        let shut = guest?.isSuppressed.values(during: judged.steps) ?? []
        if !shut.isEmpty, shut.allSatisfy(\.self) { return "was sent to a suppressed address" }
        if let step = world.dropped[judged.line.key], (judged.steps.min() ?? 0) > step {
            return "was dropped"
        }
        let isOff = judged.facts.allSatisfy(\.isCancelled)
        let isIn = judged.standings.contains(where: \.isIn)
        switch judged.line.kind {
        case "cancellation":
            let isTrue = judged.facts.contains(where: \.isCancelled)
            return isTrue || judged.standings.contains { !$0.isIn } ? nil : "is not true"
        case "message": return isIn ? nil : "was sent to a person who is not invited"
        case "nudge" where !judged.standings.contains { $0.isIn && $0.isSilent }:
            return "was sent to a person who has answered"
        case "reminder" where !judged.standings.contains { $0.isIn && $0.answer.isReminded }:
            return "was sent to a person who is not going"
        default:
            return isOff
                ? "was sent after the cancellation" : isIn ? nil : "was sent to an uninvited person"
        }
    }

    /// The content is true, and no older facts follow newer ones.
    private func telling(of judged: JudgedSend, among sends: [Send]) throws -> String? {
        let outgoing = judged.send.outgoing
        guard let start = try? Moment.parse(outgoing.start) else { return "has no start" }
        let thread = judge.threads["\(judged.gathering.id) \(judged.line.person)"] ?? []
        let known = thread.last { judge.told[$0] != nil && sends[$0].mayHaveArrived }
            .flatMap { judge.told[$0] }
        let isOff = judged.line.kind == "cancellation"
        let fitting = judged.numbers.filter { number in
            let facts = judged.gathering.facts[number].value
            return isOff || facts.startsAt == start && outgoing.text.contains(facts.place)
        }
        let mayKnow = try (isOff || known == nil) && mayKnow(judged)
        guard let number = fitting.max(),
            !isOff || names(judged, start, since: mayKnow ? nil : known?.number)
        else { return "contains \(outgoing.start), \(outgoing.text.debugDescription)" }
        guard judged.line.isNews else { return nil }
        judge.told[judged.place] = (judged.line.kind, number)
        guard let known else {
            return try judged.line.kind == "invitation" || mayKnow || isOff && isAware(judged)
                ? nil : "was sent to a person without an invitation"
        }
        return known.number <= number ? nil : "contains older facts than the one before"
    }

    /// True if a cancellation names facts that its person may know: those of their last
    /// notification, or later ones, which a reminder or a message contained. If it is unclear what
    /// they know, any facts.
    private func names(_ judged: JudgedSend, _ start: Moment, since number: Int?) -> Bool {
        judged.gathering.facts.dropFirst(number ?? 0).contains { facts in
            facts.value.startsAt == start && judged.send.outgoing.text.contains(facts.value.place)
        }
    }

    /// True if the receiver of a cancellation heard of the meeting without an invitation: they
    /// answered, a message was written to them, or a reminder may have arrived.
    private func isAware(_ judged: JudgedSend) throws -> Bool {
        if judged.standings.contains(where: { $0.answer != .invited }) { return true }
        return try oracle.lines(ofMeeting: judged.gathering.id).contains {
            try $0.person == judged.line.person && !$0.isNews
                && ($0.kind == "message" || oracle.attempts(of: $0.key, "accepted") > 0
                    || oracle.attempts(of: $0.key, "ambiguous") > 0)
        }
    }

    /// True if an earlier attempt is ambiguous: after a crash, an engine cannot know whether it was
    /// sent.
    private func mayKnow(_ judged: JudgedSend) throws -> Bool {
        try oracle.lines(ofMeeting: judged.gathering.id).contains {
            try $0.person == judged.line.person && $0.isNews
                && oracle.attempts(of: $0.key, "ambiguous") > 0
        }
    }
}

extension JudgedSend {
    /// Promise 1: nothing is sent before its time.
    fileprivate var prematureness: String? {
        guard line.kind == "reminder" else { return nil }
        let latest = walls.reduce(.earliest, max)
        let dues = line.mark.split(separator: "@").map(String.init)
        guard dues.count == 2 else { return "has the mark \(line.mark)" }
        if isSnooze {
            let due = try? Moment.parse(String(dues[0].dropFirst("snooze ".count)))
            return due.map { $0 <= latest } == true ? nil : "was sent before the end of its snooze"
        }
        let start = try? Moment.parse(dues[1])
        let isDue = facts.contains { facts in
            facts.startsAt == start
                && offsets(facts).contains { offset in
                    offset.iso == dues[0]
                        && offset.simulatedBefore(facts.wall, in: gathering.zone) <= latest
                }
        }
        return isDue ? nil : "is not due, or not wanted"
    }

    private func offsets(_ facts: Facts) -> [TimeSpan] {
        wantedOffsets.flatMap { $0 ?? facts.reminders }
    }

    /// Promise 4: nothing is sent too late.
    fileprivate var lateness: String? {
        let end =
            switch line.kind {
            case "reminder": facts.map(\.startsAt).max()
            case "change", "cancellation": Optional(gathering.lastEnd)
            // An organizer may write until 30 days after the end.
            case "message": facts.map(\.endsAt).max()?.advanced(bySeconds: 30 * 86_400)
            default: facts.map(\.endsAt).max()
            }
        return end.map { send.wall < $0 } == true ? nil : "was sent too late"
    }

    /// True if waiting for the end of the quiet hours would make the notification too late.
    fileprivate func cannotWait(from wall: Moment, until end: Moment) -> Bool {
        let starts = gathering.facts.map(\.value.startsAt)
        let near = wall.advanced(bySeconds: 12 * 3600)
        if ["change", "cancellation"].contains(line.kind) {
            let isNear = facts.contains { $0.startsAt <= near }
            if isNear || starts.contains(where: { $0 > wall && $0 <= near }) { return true }
        }
        return starts.contains { $0 > wall && $0 <= end } || facts.contains { $0.endsAt <= end }
    }
}
