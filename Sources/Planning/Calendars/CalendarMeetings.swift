import Agenda
import Interchange
import Timekeeping

/// Why of something that a calendar holds no meeting is made: it is kept as it stands.
struct Unplanned: Error, Equatable {
    /// In words that follow the name of the thing.
    let reason: String

    init(_ reason: String) { self.reason = reason }
}

/// Makes meetings of somebody's own of what calendars hold.
struct CalendarMeetings {
    typealias Event = CalendarMeetingEvent

    /// By whose clocks times are meant that name no zone.
    let own: Zone
    /// The zone rules.
    let directory: ZoneDirectory
    /// The somebody.
    let organizer: PersonID
    /// Their mail address; may be empty.
    let address: String

    /// Dates that are otherwise than the rule says, of one series.
    static let changesMax = 2000

    /// The meeting that is to be planned of an object.
    ///
    /// - Parameters:
    ///   - object: what a calendar says of one thing.
    ///   - id: the meeting's id.
    ///   - uid: the meeting's name for ever.
    ///   - now: the clock.
    /// - Returns: the meeting, as it is planned first.
    /// - Throws: ``Unplanned`` where no meeting is made of it.
    func planned(
        of object: CalendarObject, id: MeetingID, uid: String, now: Moment
    ) throws(Unplanned) -> Meeting {
        let meeting = try meeting(of: object, id: id, uid: uid, now: now)
        let main = try Event(object, directory).main
        guard !main.isOff else { throw .off }
        guard main.participation(of: address) != "DECLINED" else {
            throw Unplanned("is an invitation that you declined")
        }
        return meeting
    }

    /// The meeting that an object describes, whether it takes place or not.
    ///
    /// - Parameters:
    ///   - object: what a calendar says of one thing.
    ///   - id: the meeting's id.
    ///   - uid: the meeting's name for ever.
    ///   - now: the clock.
    /// - Returns: the meeting, as it is planned first.
    /// - Throws: ``Unplanned`` where no meeting is made of it.
    func meeting(
        of object: CalendarObject, id: MeetingID, uid: String, now: Moment
    ) throws(Unplanned) -> Meeting {
        guard object.kind == "VEVENT" else {
            throw Unplanned("is no event, but \(object.kind)")
        }
        let event = try Event(object, directory)
        let (time, zone) = try time(of: event)
        var meeting = Meeting(
            id: id, uid: uid, organizer: organizer, title: event.title,
            note: event.note, link: event.main.link,
            place: event.main.location.map(MeetingPlace.init), time: time,
            sequence: event.main.sequence, reminders: reminders(of: event.main, in: zone))
        do throws(RuleViolation) { try MeetingRules.check(meeting) } catch {
            guard error.code.hasSuffix("_link") else { throw Unplanned("is refused: \(error)") }
            meeting.link = ""
        }
        try repeats(&meeting, as: event, in: zone, now: now)
        do throws(RuleViolation) { try MeetingRules.check(meeting) } catch {
            throw Unplanned("is refused: \(error)")
        }
        return meeting
    }

    private func reminders(of entry: CalendarEntry, in zone: Zone) -> [TimeSpan] {
        let usable = entry.reminders(in: zone).uniqued().filter {
            $0 != .zero && (try? MeetingRules.check(reminders: [$0])) != nil
        }
        return Array(usable.prefix(MeetingRules.remindersMax))
    }

    /// When an event takes place first, and by the clocks of which zone.
    private func time(of event: Event) throws(Unplanned) -> (MeetingTime, Zone) {
        guard let start = event.main.start else {
            let said = event.main.component.line("DTSTART")?.plainText.prefix(40)
            throw Unplanned(
                said.map { "begins at no time that there is: \($0)" }
                    ?? "does not say when it begins")
        }
        let zone = try zone(of: start, of: event)
        let moment = start.moment(in: zone)
        var wall = zone.wallTime(at: moment)
        // The dates of a series keep a time that the clocks skip on one of them.
        if case .wall(let stated) = start.stamp, event.repeats { wall = stated }
        // Of a time that comes twice, the clocks name the first alone.
        let clocks = event.repeats || zone.moment(of: wall).seconds == moment.seconds ? zone : .utc
        let length = try length(of: event.main, in: zone)
        return (
            MeetingTime(
                start: clocks == zone ? wall : Zone.utc.wallTime(at: moment), zone: clocks,
                duration: length), clocks
        )
    }

    func length(of entry: CalendarEntry, in zone: Zone) throws(Unplanned) -> TimeSpan {
        // What says no end, or one before its start, is a moment; a meeting takes a while.
        try Self.duration(entry.length(in: zone) ?? .zero)
    }

    static func duration(_ length: TimeSpan) throws(Unplanned) -> TimeSpan {
        let least = TimeSpan(days: 0, seconds: Self.momentSeconds)
        let result = length == .zero ? least : length
        do throws(RuleViolation) { try MeetingRules.check(duration: result) } catch {
            throw Unplanned("takes longer than \(MeetingRules.durationDaysMax) days")
        }
        return result
    }

    /// A minute.
    private static let momentSeconds = 60

    private func zone(of start: StatedTime, of event: Event) throws(Unplanned) -> Zone {
        switch start.stamp {
        case .day: return own
        case .utc: return event.repeats ? .utc : event.zones.usualZone(by: directory) ?? own
        case .wall:
            guard let zone = start.zone else { return own }
            let moment = start.moment(in: zone)
            if let known = event.zones.equivalent(
                of: zone, from: moment, besides: own, by: directory)
            {
                return known
            }
            guard event.repeats else { return .utc }
            if let standIn = Self.standIn(of: zone, by: directory) { return standIn }
            throw Unplanned("repeats by the clocks of \(zone.id), a zone that is not known here")
        }
    }

    /// The zone that a name of Windows means, whose rules are otherwise than a file describes them:
    /// Outlook writes those of the year in which it was made.
    private static func standIn(of zone: Zone, by directory: ZoneDirectory) -> Zone? {
        CalendarZones.windowsZone(zone.id, by: directory)
    }

    /// What a meeting does not have as a calendar has it, in words that follow its name.
    func doubts(about object: CalendarObject) -> [String] {
        guard object.kind == "VEVENT", let event = try? Event(object, directory) else { return [] }
        var doubts: [String] = []
        if let (name, zone) = standIn(of: event) {
            doubts.append(
                "repeats by the clocks of \(name), which no zone has as the file describes them: "
                    + "its dates go by \(zone.id)")
        }
        let alarms = event.main.reminders(in: own).uniqued().count
        if alarms > MeetingRules.remindersMax {
            doubts.append(
                "has \(alarms) alarms, of which the first \(MeetingRules.remindersMax) become "
                    + "reminders")
        }
        return doubts
    }

    /// The zone by whose clocks something repeats, where its file describes that as no zone is any
    /// more; `nil` of all else.
    private func standIn(of event: Event) -> (name: String, zone: Zone)? {
        guard event.repeats, let start = event.main.start, let zone = start.zone,
            (try? directory.zone(zone.id)) == nil,
            event.zones.equivalent(
                of: zone, from: start.moment(in: zone), besides: own, by: directory) == nil
        else { return nil }
        return Self.standIn(of: zone, by: directory).map { (zone.id, $0) }
    }
}
