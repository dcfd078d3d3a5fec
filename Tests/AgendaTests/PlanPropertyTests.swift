import Agenda
import Ledger
import TestKit
import Testing
import Timekeeping

/// After any sequence of edits and deliveries, the open rows equal those planned from scratch from
/// the meeting, the notifications sent so far, and the time.
///
/// Planning from scratch sees only what has been sent and what is permanently closed. Everything
/// that it plans must be open with the same times. Any other open row must have been open before: a
/// notification that was sent already but waits for another channel or another attempt, or a
/// reminder that is due and not sent yet.
@Suite struct PlanPropertyTests {
    @Test(arguments: [1, 2, 3, 4] as [UInt64], [false, true])
    func `Open rows equal those planned from scratch after any sequence`(
        _ base: UInt64, ofSeries isSeries: Bool
    ) throws {
        // A step of a series takes longer, because a series has many dates.
        let count: UInt64 = isSeries ? 25 : 50
        for seed in (base * 1000)..<(base * 1000 + count) {
            var random = SeededRandom(seed: seed)
            var walk = try PlanWalk(ofSeries: isSeries, using: &random)
            for step in 0..<40 {
                let before = walk.gathering.rows
                let deed = try walk.step(using: &random)
                let fault = walk.fault(before: before)
                guard fault == nil else {
                    Issue.record("seed \(seed), step \(step), \(deed): \(fault ?? "")")
                    return
                }
            }
        }
        print("plan property: \(count) seeds from \(base * 1000) on, 40 steps each")
    }
}

/// A random walk of edits and deliveries.
struct PlanWalk {
    var gathering: Gathering

    init(ofSeries isSeries: Bool, using random: inout SeededRandom) throws {
        gathering = try Gathering()
        if isSeries {
            try gathering.repeatWeekly(count: 6, plannedUntil: "2026-12-18T00:00:00+02:00")
        }
        if random.chance(percent: 50) { gathering.channels.append(Gathering.mail) }
        if random.chance(percent: 20) { gathering.addresses["ben"] = nil }
        if random.chance(percent: 30) {
            gathering.channels.append(.webhook)
            gathering.audiences.append(.installation)
        }
        if random.chance(percent: 30) {
            let members = random.chance(percent: 50) ? Set([Gathering.anna]) : nil
            gathering.audiences.append(Audience(name: "circle c", members: members))
            gathering.own.append(
                OwnChannel(name: "room", sink: "matrix", receiver: .audience("circle c")))
        }
        gathering.plan()
    }

    /// Does one random thing and returns a description of it.
    mutating func step(using random: inout SeededRandom) throws -> String {
        gathering.plannedBefore = nil
        if random.chance(percent: 55) {
            let deed = try edit(using: &random)
            gathering.plan()
            return deed
        }
        if random.chance(percent: 20) {
            let hours = Int64.random(in: 0...40, using: &random)
            gathering.now = gathering.now.advanced(bySeconds: hours * 3600)
            return "\(hours) hours pass"
        }
        let words = deliver(using: &random)
        // The store also plans again after it records a failed delivery.
        gathering.plan()
        return words
    }

    private mutating func edit(using random: inout SeededRandom) throws -> String {
        let isAhead =
            gathering.meeting.status == .confirmed && gathering.meeting.endsAt > gathering.now
        guard isAhead else { return "refused edit" }
        if gathering.meeting.series != nil, random.chance(percent: 40) {
            return try editDate(using: &random)
        }
        switch Int.random(in: 0..<19, using: &random) {
        case 0, 1, 2: return try move(using: &random)
        case 3: return changeFacts(isTold: random.chance(percent: 50))
        case 4, 5: return invite(using: &random)
        case 6: return uninvite(using: &random)
        case 7, 8: return answer(using: &random)
        case 9: return setPolicy(using: &random)
        case 10: return changeAddress(using: &random)
        case 11, 12: return try setHours(using: &random)
        case 13, 14: return snooze(using: &random)
        case 15: return suppress(using: &random)
        case 16, 17: return chooseChannel(using: &random)
        default:
            guard random.chance(percent: 25) else { return "nothing" }
            gathering.meeting.status = .cancelled
            gathering.changeAll()
            return "cancel"
        }
    }

    /// Chooses among few starts, so that a meeting often moves back to an earlier start.
    private mutating func move(using random: inout SeededRandom) throws -> String {
        guard gathering.meeting.series == nil else { return changeFacts(isTold: true) }
        let now = gathering.zone.wallTime(at: gathering.now)
        let starts = [
            "2026-12-03T12:00", "2026-12-05T12:00", "2026-12-05T12:30", "2026-12-09T09:00",
        ]
        let later = now.adding(days: Int.random(in: 1...3, using: &random)).description
        let start = random.chance(percent: 70) ? starts.randomElement(using: &random) : nil
        let wall = try WallTime.parse(start ?? later)
        guard gathering.zone.moment(of: wall) > gathering.now else { return "a move to the past" }
        gathering.meeting.time = MeetingTime(
            start: wall, zone: gathering.zone,
            duration: TimeSpan(days: 0, seconds: 1800 * Int.random(in: 1...6, using: &random)))
        let isQuiet = random.chance(percent: 30)
        if !isQuiet { gathering.meeting.revision += 1 }
        return "move to \(wall), \(isQuiet ? "quietly" : "told")"
    }

    private mutating func changeFacts(isTold: Bool) -> String {
        gathering.meeting.title += "!"
        if isTold { gathering.changeAll() }
        return "edit"
    }

    private mutating func invite(using random: inout SeededRandom) -> String {
        let removed = gathering.participants.indices.filter {
            gathering.participants[$0].isRemoved
        }
        guard let place = removed.randomElement(using: &random) else {
            let id = "guest\(gathering.participants.count)"
            gathering.addresses[id] = random.chance(percent: 70) ? "\(id)@example.org" : nil
            gathering.participants.append(Participant(person: PersonID(text: id)))
            return "invite \(id)"
        }
        let person = gathering.participants[place].person
        gathering.participants[place] = Participant(person: person)
        return "invite \(person) again"
    }

    private mutating func uninvite(using random: inout SeededRandom) -> String {
        guard let place = gathering.participants.indices.dropFirst().randomElement(using: &random)
        else { return "nobody to uninvite" }
        gathering.participants[place].isRemoved = true
        return "uninvite \(gathering.participants[place].person)"
    }

    private mutating func answer(using random: inout SeededRandom) -> String {
        guard let place = gathering.participants.indices.randomElement(using: &random),
            let answer = Answer.allCases.randomElement(using: &random)
        else { return "no answer" }
        gathering.participants[place].answer = answer
        return "\(gathering.participants[place].person) answers \(answer)"
    }

    private mutating func setPolicy(using random: inout SeededRandom) -> String {
        let offsets = [60, 1800, 7200, 86_400].shuffled(using: &random).prefix(2)
        let person = gathering.participants.randomElement(using: &random)?.person
        let spans = offsets.map { TimeSpan(days: 0, seconds: $0) }
        if let person {
            gathering.policies[person] = random.chance(percent: 25) ? nil : spans
        }
        return "policy of \(person?.text ?? "")"
    }

    private mutating func setHours(using random: inout SeededRandom) throws -> String {
        let texts = [["22:00-08:00"], ["sat-sun", "20:00-10:00"], ["mon 00:00-12:30"], []]
        guard let person = gathering.participants.randomElement(using: &random)?.person,
            let quiet = texts.randomElement(using: &random)
        else { return "no hours" }
        let windows = random.chance(percent: 25) ? ["tue-sat 11:00-19:00"] : []
        let isOff = quiet.isEmpty && windows.isEmpty
        gathering.hours[person] = nil
        if !isOff { try gathering.setHours(of: person, quiet: quiet, windows: windows) }
        return "hours of \(person): \(quiet), \(windows)"
    }

    private mutating func snooze(using random: inout SeededRandom) -> String {
        let minutes = Int64.random(in: 1...300, using: &random)
        guard let person = gathering.participants.randomElement(using: &random)?.person,
            let snooze = try? Snooze(
                until: gathering.now.advanced(bySeconds: minutes * 60),
                of: gathering.nextStart, now: gathering.now)
        else { return "no snooze" }
        gathering.snoozes[person] = snooze
        return "\(person) snoozes for \(minutes) minutes"
    }

    private mutating func suppress(using random: inout SeededRandom) -> String {
        guard let person = gathering.participants.randomElement(using: &random)?.person else {
            return "nobody on the list"
        }
        guard gathering.suppressions[person] == nil else {
            gathering.suppressions[person] = nil
            return "\(person) leaves the list"
        }
        let end = gathering.now.advanced(
            bySeconds: Int64.random(in: 1...200, using: &random) * 3600)
        gathering.suppressions[person] = [
            Suppression(
                address: "\(person)@example.org",
                channel: random.chance(percent: 50) ? "mail" : nil, origin: .hand,
                reason: "asked for it", since: gathering.now,
                until: random.chance(percent: 50) ? end : nil)
        ]
        return "\(person) is on the list"
    }

    private mutating func chooseChannel(using random: inout SeededRandom) -> String {
        guard let person = gathering.participants.randomElement(using: &random)?.person else {
            return "no channel"
        }
        let receiver = Receiver.person(person.text)
        if random.chance(percent: 40),
            let place = gathering.own.firstIndex(where: { $0.receiver == receiver })
        {
            return "\(gathering.own.remove(at: place).name) is removed"
        }
        let kinds: [Set<NotificationKind>] = [[], [.reminder], [.invitation, .change]]
        let name = "bell \(Int.random(in: 1...2, using: &random)) of \(person)"
        gathering.own.removeAll { $0.name == name }
        gathering.own.append(
            OwnChannel(
                name: name, sink: "ntfy", receiver: receiver,
                kinds: kinds.randomElement(using: &random) ?? []))
        return "\(name) is added"
    }

    private mutating func changeAddress(using random: inout SeededRandom) -> String {
        guard let person = gathering.participants.randomElement(using: &random)?.person else {
            return "no address"
        }
        let number = Int.random(in: 0...3, using: &random)
        gathering.addresses[person.text] = number == 0 ? nil : "\(person)\(number)@example.org"
        return "address of \(person)"
    }
}
