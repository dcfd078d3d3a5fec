import Agenda
import Ledger
import Sinks
import Storage
import Timekeeping
import Wording

extension Drafting {
    /// The time zone of a new meeting: the requested one, or else that of its place, or else the
    /// actor's.
    func meetingZone(placeZone: Zone?) -> Zone {
        isZoneGiven ? zone : placeZone ?? zone
    }

    /// Reads a typed start and checks that it exists and is in the future.
    ///
    /// - Parameters:
    ///   - text: the text that the user typed.
    ///   - zone: the time zone of the text and of the result.
    ///   - now: the current time.
    ///   - ownDay: the day that a time without a day means; `nil` for the next day with this time.
    /// - Returns: the start in `zone`.
    /// - Throws: ``Refusal``, or ``RuleViolation``.
    func start(
        _ text: String, in zone: Zone, now: Moment, ownDay: OwnDay? = nil
    ) throws -> WallTime {
        guard !text.isEmpty else {
            throw Refusal(
                .invalid, code: "no_start",
                "The start is missing. Write it such as \"fri 19:00\" or 2026-12-01T18:00.",
                advice: [.give([.start])])
        }
        let wall = try wallTime(text, in: zone, now: now, ownDay: ownDay)
        try MeetingRules.check(start: wall, in: zone)
        let moment = zone.moment(of: wall)
        guard moment > now else {
            throw RuleViolation(
                code: "start_in_past",
                message: "The start, \(TimeWords.short(moment, in: zone)), has passed. Give one in "
                    + "the future.")
        }
        try MeetingRules.check(start: moment, now: now)
        return wall
    }

    /// The wall-clock time that stores the moment of a meeting. If a wall-clock time occurs twice,
    /// it means the first, so the second cannot be stored.
    ///
    /// - Throws: ``Refusal`` with `repeated_time`.
    func wallTime(meaning moment: Moment, in zone: Zone) throws(Refusal) -> WallTime {
        let wall = zone.wallTime(at: moment)
        guard case .twice(_, let second) = zone.reading(of: wall),
            second.seconds == moment.seconds
        else { return wall }
        throw Refusal(
            .refused, code: "repeated_time",
            "The clocks in \(zone.id) show \(wall) twice, and a meeting there can only mean the "
                + "first time. Choose another time, or plan a new meeting in the time zone UTC.",
            advice: [.give([.zone])])
    }

    /// The moment after a span from now. If the span has whole minutes, as in "in 2 hours", the
    /// result has no seconds.
    private func fromNow(_ span: TimeSpan, in zone: Zone, now: Moment) -> Moment {
        let moment = span.after(now, in: zone)
        guard span.seconds % 60 == 0 else { return moment }
        return moment.advanced(bySeconds: -Int64(zone.wallTime(at: moment).time.second))
    }

    /// Reads a typed time as wall-clock time in a time zone.
    ///
    /// - Throws: ``Refusal`` with `bad_time`, `no_time` or `repeated_time`.
    func wallTime(
        _ text: String, in zone: Zone, now: Moment, ownDay: OwnDay? = nil
    ) throws(Refusal) -> WallTime {
        let value: TypedTime.Value
        do throws(TimeTextError) {
            value = try TypedTime.parse(text, now: zone.wallTime(at: now), ownDay: ownDay)
        } catch {
            // Only a new meeting has no day yet. Not every change of a meeting takes a duration.
            let isNew = ownDay == nil
            throw Refusal(
                .invalid, code: "bad_time", error.message,
                advice: error.isRange && isNew ? [.give([.duration])] : [])
        }
        switch value {
        case .wall(let wall): return wall
        case .instant(let moment, _): return try wallTime(meaning: moment, in: zone)
        case .fromNow(let span):
            return try wallTime(meaning: fromNow(span, in: zone, now: now), in: zone)
        case .date(let date):
            throw Refusal(
                .invalid, code: "no_time",
                "The time on \(date) is missing. Write it too, such as \"\(date) 18:00\".",
                advice: ownDay == nil ? [.give([.wholeDays])] : [])
        }
    }
}
