import Agenda
import Ledger
import Planning
import TestKit
import Timekeeping

/// The actions of people. Each is done with the command line's planner and recorded in ``World``.
extension Simulation {
    static let people: [(name: String, zone: String?)] = [
        ("Ann Alder", "Europe/Berlin"), ("Ben Birch", "America/New_York"),
        ("Cat Cedar", "Australia/Lord_Howe"), ("Dan Dale", nil), ("Eve Elm", "Europe/Berlin"),
    ]

    func invitePeople() throws {
        world.ownerID = planners[0].owner.id.text
        for (name, zone) in Self.people {
            var person = ContactEdit()
            person.name = name
            person.emails = ["\(name.prefix(3).lowercased())@example.org"]
            person.zone = zone
            let (edit, planner) = (person, planners[0])
            let view = try executor.value { try await planner.addPerson(edit) }
            world.guests.append(
                Guest(
                    name: name, address: edit.emails?.first ?? "", id: view.id,
                    zone: try zone.map { try home.zones.zone($0) },
                    night: History(nil, at: step), offsets: History(nil, at: step),
                    isSuppressed: History(false, at: step)))
        }
    }

    /// Runs a use case; a refused one changes nothing.
    ///
    /// - Returns: whether it was done.
    func attempt(
        _ words: String, _ body: @escaping @Sendable () async throws -> Void
    ) throws -> Bool {
        try outcome(words, body) != nil
    }

    /// - Returns: the result; `nil` if it was refused.
    private func outcome<Value: Sendable>(
        _ words: String, _ body: @escaping @Sendable () async throws -> Value
    ) throws -> Value? {
        do {
            let value = try executor.value(body)
            note(words)
            return value
        } catch let refusal as Refusal {
            note("refused, \(refusal.code): \(words)")
        } catch let violation as RuleViolation {
            note("refused, \(violation.code): \(words)")
        } catch {
            throw self.violation("\(words): \(error)")
        }
        return nil
    }

    func act() throws {
        switch Int.random(in: 0..<100, using: &random) {
        case ..<20: try makeMeeting()
        case ..<34: try changeMeeting()
        case ..<38: try callOff()
        case ..<44: try invite()
        case ..<49: try uninvite()
        case ..<61: try answer()
        case ..<65: try snooze()
        case ..<69: try say(count: 1)
        case ..<70: try say(count: Int.random(in: 15...30, using: &random))
        case ..<72: try nudge()
        case ..<75: try setOffsets()
        case ..<78: try setNight()
        case ..<81: try suppress()
        case ..<85: try turnByHand()
        case ..<91: changeWeather()
        case ..<93: turnClock()
        case ..<95: troubleStore()
        case ..<98: try stop()
        default: try crash()
        }
    }

    // MARK: Meetings

    private func makeMeeting() throws {
        let place = Int.random(in: planners.indices, using: &random)
        let planner = planners[place]
        let number = world.gatherings.count + 1
        var request = MeetingRequest()
        request.title = "Meeting \(number)"
        request.with = world.guests.map(\.name).filter { _ in random.chance(percent: 50) }
        request.place = "Room \(number).0"
        request.duration = TimeSpan(
            days: 0, seconds: [1800, 3600, 36_000].randomElement(using: &random) ?? 3600)
        let reminders = randomOffsets()
        request.reminders = reminders
        let wall = startWall(in: planner.zone)
        request.start = wall.description
        let asked = request
        let id = try outcome("\(asked.title) at \(asked.start) in \(planner.zone.id)") {
            try await planner.createMeeting(asked, saving: true).meeting.id
        }
        guard let id else { return }
        let startsAt = planner.zone.moment(of: wall)
        let facts = Facts(
            wall: wall, startsAt: startsAt,
            endsAt: startsAt.advanced(bySeconds: Int64(asked.duration?.seconds ?? 0)),
            place: "Room \(number).0", reminders: reminders)
        var standings = [
            world.ownerID: History(Standing(answer: .going), at: step)
        ]
        for guest in world.guests where asked.with.contains(guest.name) {
            standings[guest.id] = History(Standing(), at: step)
        }
        world.gatherings.append(
            Gathering(
                id: id, title: asked.title, zone: planner.zone, planner: place,
                facts: [(step, clock.now, facts)], standings: standings))
    }

    private func randomOffsets() -> [TimeSpan] {
        let all = [
            TimeSpan(days: 1, seconds: 0), TimeSpan(days: 0, seconds: 3600),
            TimeSpan(days: 0, seconds: 86_400), TimeSpan(days: 2, seconds: 900),
            TimeSpan(days: 0, seconds: 60), TimeSpan(days: 7, seconds: 0),
        ]
        return Array(all.shuffled(using: &random).prefix(Int.random(in: 0...3, using: &random)))
    }

    /// A start from a few minutes to two months ahead; sometimes in a night with a change to or
    /// from daylight saving time, or on the day after.
    private func startWall(in zone: Zone) -> WallTime {
        let now = clock.now
        let ahead: Int64 =
            [3600, 86_400, 1_000_000, 5_000_000].randomElement(using: &random) ?? 3600
        let moment = now.advanced(bySeconds: Int64.random(in: 300...ahead, using: &random))
        guard random.chance(percent: 15), let change = zone.nextTransition(after: now) else {
            return zone.wallTime(at: moment).fullMinute
        }
        let near = Int64.random(in: -90...100, using: &random) * 60
        let days = Int64.random(in: 0...1, using: &random) * 86_400
        return zone.wallTime(at: change.moment.advanced(bySeconds: near + days)).fullMinute
    }

    /// The index of a meeting that is not over, or of any.
    func someGathering() -> Int? {
        let busy = receiver.busy
        if !busy.isEmpty, random.chance(percent: 70) {
            return world.gatherings.firstIndex { busy.contains($0.id) }
        }
        let ahead = world.gatherings.indices.filter {
            world.gatherings[$0].now.endsAt > clock.now && !world.gatherings[$0].now.isCancelled
        }
        return random.chance(percent: 95)
            ? ahead.randomElement(using: &random)
            : world.gatherings.indices.randomElement(using: &random)
    }

    private func changeMeeting() throws {
        guard let place = someGathering() else { return }
        let gathering = world.gatherings[place]
        var (facts, edit) = (gathering.now, MeetingEdit())
        if random.chance(percent: 65) {
            // Back to an earlier time, or to a new one.
            let old = gathering.facts.randomElement(using: &random)?.value.wall
            let wall = random.chance(percent: 30) ? old : nil
            facts.wall = wall ?? startWall(in: gathering.zone)
            edit.start = facts.wall.description
            let length = facts.endsAt.milliseconds(since: facts.startsAt)
            facts.startsAt = gathering.zone.moment(of: facts.wall)
            facts.endsAt = facts.startsAt.advanced(byMilliseconds: length)
        }
        if edit.start == nil || random.chance(percent: 30) {
            facts.place = "Room \(place + 1).\(gathering.facts.count)"
            edit.place = facts.place
        }
        if random.chance(percent: 20) {
            facts.reminders = randomOffsets()
            edit.reminders = facts.reminders
        }
        facts.isQuiet = random.chance(percent: 5)
        edit.isQuiet = facts.isQuiet
        let (asked, planner) = (edit, planners[gathering.planner])
        let what = [edit.start, edit.place, edit.isQuiet ? "quietly" : nil].compactMap(\.self)
        let isDone = try attempt("\(gathering.title) becomes \(what.joined(separator: ", "))") {
            _ = try await planner.editMeeting(gathering.id, asked, saving: true)
        }
        guard isDone else { return }
        world.gatherings[place].facts.append((step, clock.now, facts))
        guard !facts.isQuiet, !facts.readsLike(gathering.now) else { return }
        for (person, standing) in gathering.standings where person != world.ownerID {
            var moved = standing.last
            moved.follow(facts, in: gathering.zone)
            guard moved.isOutdated != standing.last.isOutdated else { continue }
            world.gatherings[place].standings[person]?.set(moved, at: step)
        }
    }

    private func callOff() throws {
        guard let place = someGathering() else { return }
        let (gathering, planner) = (world.gatherings[place], planners[0])
        let isDone = try attempt("\(gathering.title) is cancelled") {
            _ = try await planner.cancelMeeting(gathering.id, saving: true)
        }
        guard isDone else { return }
        var facts = gathering.now
        facts.isCancelled = true
        facts.isQuiet = false
        world.gatherings[place].facts.append((step, clock.now, facts))
    }
}

extension WallTime {
    fileprivate var fullMinute: WallTime {
        adding(seconds: -time.second)
    }
}
