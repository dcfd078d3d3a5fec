import Agenda
import Ledger
import Planning
import TestKit
import Timekeeping

/// The actions that concern single people.
extension Simulation {
    private func someGuest() -> Int {
        Int.random(in: world.guests.indices, using: &random)
    }

    func invite() throws {
        guard let place = someGathering() else { return }
        let (gathering, guest) = (world.gatherings[place], world.guests[someGuest()])
        let planner = planners[0]
        let before = gathering.standings[guest.id]?.last
        let isToldOff = try isToldOff(guest.id, of: gathering)
        let isDone = try attempt("\(guest.name) is invited to \(gathering.title)") {
            _ = try await planner.invite([guest.name], to: gathering.id, saving: true)
        }
        guard isDone, before?.isIn != true else { return }
        // Who was never told of the removal keeps their answer.
        var standing = isToldOff ? Standing(snooze: before?.snooze) : before ?? Standing()
        standing.isIn = true
        stand(guest.id, in: place, standing)
    }

    /// True if the last news that a person may have got is that they are no longer invited.
    private func isToldOff(_ person: String, of gathering: Gathering) throws -> Bool {
        try oracle.lines(ofMeeting: gathering.id).last { line in
            guard line.person == person, line.isNews else { return false }
            return try line.isUnderWay || ["accepted", "claimed"].contains(line.state)
                || oracle.attempts(of: line.key, "ambiguous") > 0
        }?.kind == "cancellation"
    }

    private func stand(_ id: String, in place: Int, _ standing: Standing) {
        if world.gatherings[place].standings[id] == nil {
            world.gatherings[place].standings[id] = History(standing, at: step)
        } else {
            world.gatherings[place].standings[id]?.set(standing, at: step)
        }
    }

    func uninvite() throws {
        guard let place = someGathering() else { return }
        let (gathering, guest) = (world.gatherings[place], world.guests[someGuest()])
        let planner = planners[0]
        let isDone = try attempt("\(guest.name) is uninvited from \(gathering.title)") {
            _ = try await planner.uninvite([guest.name], from: gathering.id, saving: true)
        }
        guard isDone, var standing = gathering.standings[guest.id]?.last else { return }
        standing.isIn = false
        stand(guest.id, in: place, standing)
    }

    func answer() throws {
        guard let place = someGathering() else { return }
        let (gathering, guest) = (world.gatherings[place], world.guests[someGuest()])
        let answer = [Answer.going, .maybe, .declined].randomElement(using: &random) ?? .going
        let planner = planners[0]
        let isDone = try attempt("\(guest.name) says \(answer) to \(gathering.title)") {
            _ = try await planner.answer(
                gathering.id, answer, who: guest.name, plus: nil, note: nil, saving: true)
        }
        guard isDone, var standing = gathering.standings[guest.id]?.last else { return }
        standing.answer = answer
        (standing.answeredFor, standing.isOutdated) = (gathering.now.startsAt, false)
        stand(guest.id, in: place, standing)
    }

    func snooze() throws {
        guard let place = someGathering() else { return }
        let (gathering, guest) = (world.gatherings[place], world.guests[someGuest()])
        let seconds = Int.random(in: 60...90_000, using: &random)
        let planner = planners[0]
        let isDone = try attempt("\(guest.name) snoozes \(gathering.title) for \(seconds) s") {
            _ = try await planner.snooze(
                gathering.id, .after(TimeSpan(days: 0, seconds: seconds)), who: guest.name,
                saving: true)
        }
        guard isDone, var standing = gathering.standings[guest.id]?.last else { return }
        standing.snooze = Standing.Snooze(
            due: clock.now.advanced(bySeconds: Int64(seconds)), startsAt: gathering.now.startsAt)
        stand(guest.id, in: place, standing)
    }

    /// Writes one message, or so many that they exceed the limit.
    func say(count: Int) throws {
        guard let place = someGathering() else { return }
        let (gathering, planner) = (world.gatherings[place], planners[0])
        for number in 0..<count {
            _ = try attempt("message \(number) about \(gathering.title)") {
                _ = try await planner.message(
                    gathering.id, "Message \(number).", to: [], saving: true)
            }
        }
    }

    func nudge() throws {
        guard let place = someGathering() else { return }
        let (gathering, planner) = (world.gatherings[place], planners[0])
        _ = try attempt("guests of \(gathering.title) without an answer are nudged") {
            _ = try await planner.nudge(gathering.id, who: [], note: "", saving: true)
        }
    }

    // MARK: Policies

    func setOffsets() throws {
        let place = someGuest()
        let (guest, planner) = (world.guests[place], planners[0])
        let spans =
            [
                nil, [TimeSpan(days: 0, seconds: 1800)],
                [TimeSpan(days: 1, seconds: 0), TimeSpan(days: 0, seconds: 600)], [],
            ].randomElement(using: &random) ?? nil
        let isDone = try attempt("\(guest.name) is reminded \(spans?.map(\.iso) ?? ["as usual"])") {
            _ = try await planner.setReminders(spans, of: guest.name)
        }
        if isDone { world.guests[place].offsets.set(spans, at: step) }
    }

    func setNight() throws {
        let place = someGuest()
        let (guest, planner) = (world.guests[place], planners[0])
        let night =
            [nil, Night(startHour: 22, endHour: 7), Night(startHour: 18, endHour: 9)]
            .randomElement(using: &random) ?? nil
        var edit = PolicyEdit()
        edit.quietHours =
            try night.map {
                [try WeekSpan.parse("\($0.startHour):00-\($0.endHour):00")]
            } ?? []
        let asked = edit
        let isDone = try attempt("\(guest.name) is quiet \(night.map { "\($0)" } ?? "never")") {
            _ = try await planner.setPolicy(asked, of: guest.name, saving: true)
        }
        if isDone { world.guests[place].night.set(night, at: step) }
    }

    func suppress() throws {
        let place = someGuest()
        let (guest, planner) = (world.guests[place], planners[0])
        let isShut = !guest.isSuppressed.last
        let isDone = try attempt("\(guest.address) is \(isShut ? "suppressed" : "allowed again")") {
            if isShut {
                _ = try await planner.suppress(
                    guest.address, channel: nil, until: nil, reason: nil, saving: true)
            } else {
                _ = try await planner.unsuppress(guest.address, channel: nil, saving: true)
            }
        }
        if isDone { world.guests[place].isSuppressed.set(isShut, at: step) }
    }

    /// Runs `ledger drop` or `ledger retry`.
    func turnByHand() throws {
        guard let line = try oracle.turnable().randomElement(using: &random) else { return }
        let planner = planners[0]
        if line.isOpen || line.state == "parked" && random.chance(percent: 50) {
            let isDone = try attempt("\(line.key) is dropped") {
                _ = try await planner.dropDeliveries([line.key])
            }
            if isDone { world.dropped[line.key] = step }
        } else {
            let isDone = try attempt("\(line.key) is retried") {
                _ = try await planner.retryDeliveries([line.key])
            }
            if isDone {
                world.dropped[line.key] = nil
                world.retaken.insert(line.key)
            }
        }
    }
}
