import Agenda
import Interchange
import Planning
import Timekeeping

/// The reason why a calendar object does not become a meeting.
struct Unplanned: Error, Equatable {
    /// The reason, as a phrase that follows the title of the object.
    let reason: String
    /// True if another import of the same object may make a meeting of it.
    let isTemporary: Bool

    init(_ reason: String, isTemporary: Bool = false) {
        self.reason = reason
        self.isTemporary = isTemporary
    }
}

/// Converts calendar objects to meetings of one organizer.
struct CalendarMeetings {
    typealias Event = CalendarMeetingEvent

    /// The time zone of times that name no zone.
    let own: Zone
    /// The zone rules of the system.
    let directory: ZoneDirectory
    /// The organizer of the meetings.
    let organizer: PersonID
    /// The mail address of the organizer; may be empty.
    let address: String
    /// The series that may be planned.
    var budget = SeriesBudget()

    /// The maximum number of added, changed and cancelled dates of one series.
    static let changesMax = 2000

    /// The meeting to create from a calendar object.
    ///
    /// - Parameters:
    ///   - object: the calendar object.
    ///   - id: the meeting's id.
    ///   - uid: the meeting's permanent UID.
    ///   - now: the current time.
    /// - Returns: the meeting in its first revision.
    /// - Throws: ``Unplanned`` if the object does not become a meeting; this includes cancelled
    ///   events, and invitations that the organizer of the meeting declined.
    func planned(
        of object: CalendarObject, id: MeetingID, uid: String, now: Moment
    ) throws(Unplanned) -> Meeting {
        let event = try event(from: object)
        // A cancellation needs no start (RFC 5546, 3.2.5).
        guard !event.main.isOff else { throw .off }
        let meeting = try meeting(of: event, id: id, uid: uid, now: now)
        guard !event.main.isDeclined(by: address) else { throw .declined }
        return meeting
    }

    /// The version of a meeting that a calendar object describes. It is cancelled if the object is,
    /// or if the organizer of the meeting declined it.
    ///
    /// - Parameters:
    ///   - object: the calendar object.
    ///   - id: the meeting's id.
    ///   - uid: the meeting's permanent UID.
    ///   - now: the current time.
    /// - Returns: the meeting in its first revision.
    /// - Throws: ``Unplanned`` if the object does not describe a meeting: ``Unplanned/off`` for a
    ///   cancellation that says nothing else.
    func version(
        of object: CalendarObject, id: MeetingID, uid: String, now: Moment
    ) throws(Unplanned) -> Meeting {
        let event = try event(from: object)
        let isOff = event.main.isOff
        do throws(Unplanned) {
            var version = try meeting(of: event, id: id, uid: uid, now: now)
            if isOff || event.main.isDeclined(by: address) { version.status = .cancelled }
            return version
        } catch {
            throw isOff ? .off : error
        }
    }

    /// The meeting as an object that was imported before describes it.
    ///
    /// - Parameters:
    ///   - object: the calendar object.
    ///   - meeting: the meeting with the id and UID.
    ///   - now: the current time.
    /// - Returns: the meeting; `nil` if the object does not describe one.
    func described(by object: CalendarObject, like meeting: Meeting, now: Moment) -> Meeting? {
        // Times without a zone were read in the zone that the meeting has now.
        let then = CalendarMeetings(
            own: directory.zoneIfKnown(meeting.time.zone) ?? own, directory: directory,
            organizer: organizer, address: address, budget: budget)
        return try? then.version(
            of: object.inEffect(in: then.own, by: directory), id: meeting.id, uid: meeting.uid,
            now: now)
    }

    /// The meeting that a calendar object describes, also if the object is cancelled.
    ///
    /// - Parameters:
    ///   - object: the calendar object.
    ///   - id: the meeting's id.
    ///   - uid: the meeting's permanent UID.
    ///   - now: the current time.
    /// - Returns: the meeting in its first revision.
    /// - Throws: ``Unplanned`` if the object cannot become a meeting.
    func meeting(
        of object: CalendarObject, id: MeetingID, uid: String, now: Moment
    ) throws(Unplanned) -> Meeting {
        try meeting(of: try event(from: object), id: id, uid: uid, now: now)
    }

    /// The event that an object describes.
    private func event(from object: CalendarObject) throws(Unplanned) -> Event {
        guard object.kind == "VEVENT" else {
            throw Unplanned("is not an event, but a \(object.kind)")
        }
        return try event(of: object)
    }

    private func meeting(
        of event: Event, id: MeetingID, uid: String, now: Moment
    ) throws(Unplanned) -> Meeting {
        let (time, zone) = try time(of: event)
        var meeting = Meeting(
            id: id, uid: uid, organizer: organizer, title: event.title,
            note: event.note, link: event.main.link,
            place: event.main.location.map(MeetingPlace.init), time: time,
            sequence: event.main.sequence, reminders: reminders(of: event.main, in: zone))
        do throws(RuleViolation) { try MeetingRules.check(meeting) } catch {
            guard error.code.hasSuffix("_link") else {
                throw Unplanned("cannot become a meeting: \(error)")
            }
            meeting.link = ""
        }
        try repeats(&meeting, as: event, in: zone, now: now)
        do throws(RuleViolation) { try MeetingRules.check(meeting) } catch {
            throw Unplanned("cannot become a meeting: \(error)")
        }
        return meeting
    }

    /// True if an event is cancelled.
    func isOff(_ object: CalendarObject) -> Bool { (try? event(of: object))?.main.isOff == true }

    private func reminders(of entry: CalendarEntry, in zone: Zone) -> [TimeSpan] {
        let usable = entry.reminders(in: zone).uniqued().filter {
            $0 != .zero && Self.isPossible($0)
        }
        return Array(usable.prefix(MeetingRules.remindersMax))
    }

    /// True if a meeting may have a reminder this long before its start.
    static func isPossible(_ reminder: TimeSpan) -> Bool {
        (try? MeetingRules.check(reminders: [reminder])) != nil
    }

    /// The time of an event's first occurrence, and its time zone.
    func time(of event: Event) throws(Unplanned) -> (MeetingTime, Zone) {
        guard let start = event.main.start else {
            let said = event.main.component.line("DTSTART")?.plainText.prefix(40)
            throw Unplanned(
                said.map { "has an invalid start: \"\($0)\"" } ?? "has no start")
        }
        let zone = try zone(of: start, of: event)
        let moment = start.moment(in: zone)
        var wall = zone.wallTime(at: moment)
        // A series keeps its wall-clock time, even if the clocks skip it on its first date.
        if case .wall(let stated) = start.stamp, event.repeats { wall = stated }
        // A wall-clock time that occurs twice means the first, so the second is kept in UTC.
        let clocks = event.repeats || zone.moment(of: wall).seconds == moment.seconds ? zone : .utc
        let length = try length(of: event.main, in: zone)
        return (
            MeetingTime(
                start: clocks == zone ? wall : Zone.utc.wallTime(at: moment), zone: clocks,
                duration: length), clocks
        )
    }

    func length(of entry: CalendarEntry, in zone: Zone) throws(Unplanned) -> TimeSpan {
        // An event without an end, or with an end before its start, has no length.
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

    /// The length of a meeting for an event without length, in seconds: one minute.
    private static let momentSeconds = 60

    private func zone(of start: StatedTime, of event: Event) throws(Unplanned) -> Zone {
        switch start.stamp {
        case .day: return own
        case .utc: return event.repeats ? .utc : event.zones.usualZone(by: directory) ?? own
        case .wall:
            guard let zone = start.zone else {
                return event.zones.usualZone(by: directory) ?? own
            }
            guard let known = event.zoneChoice?.match else {
                throw Unplanned(
                    "repeats in the time zone \"\(zone.id)\" of the file, whose clock changes are "
                        + "those of no known zone, so that its later dates cannot be told")
            }
            return known.zone
        }
    }
}
