import Agenda
import Interchange
import Ledger
import Planning
import Storage
import Timekeeping

/// The meeting, or the date of a series, that an answer is about.
extension Planner {
    /// The meeting, or the occurrence that the answer refers to, with its name; `nil` if the
    /// meeting has no such date.
    func meant(
        by answer: MailedAnswer, in bundle: MeetingBundle
    ) -> (MeetingBundle, date: String?)? {
        let time = bundle.meeting.time
        guard let own = try? zone(named: time.zone) else { return nil }
        if let name = answer.date {
            return bundle.meeting.hasDate(named: name, in: own)
                ? bundle.meeting.date(named: name, in: own).map { (bundle.on($0, in: own), name) }
                : nil
        }
        guard let occurrence = answer.occurrence else { return (bundle, nil) }
        if let day = occurrence.day { return meant(by: day, in: bundle, own) }
        guard
            let start = occurrence.moments(
                by: surroundings.zones, else: own, lasting: time.duration)?.start
        else { return nil }
        guard bundle.meeting.series != nil else {
            return start == time.startsAt ? (bundle, nil) : nil
        }
        return bundle.meeting.date(originallyAt: start, in: own).map {
            (bundle.on($0, in: own), $0.name)
        }
    }

    /// The only date of a meeting that was originally on a day.
    private func meant(
        by day: CivilDate, in bundle: MeetingBundle, _ own: Zone
    ) -> (MeetingBundle, date: String?)? {
        let meeting = bundle.meeting
        guard meeting.series != nil else {
            return meeting.time.start.date == day ? (bundle, nil) : nil
        }
        let midnight = own.moment(of: WallTime(date: day, time: .midnight))
        let dates = meeting.dates(in: own, endingAfter: midnight).prefix(Meeting.datesMax).lazy
            .compactMap { meeting.date(named: $0.name, byRule: true, in: own) }
            .prefix { $0.time.start.date <= day }
            .filter { $0.time.start.date == day }
            .prefix(2).map(\.self)
        guard dates.count == 1, let name = dates.first?.name else { return nil }
        return meeting.date(named: name, in: own).map { (bundle.on($0, in: own), name) }
    }

    // MARK: Dates that the meeting does not have

    /// The reason why an answer to a date is not taken that its meeting does not have.
    ///
    /// - Parameters:
    ///   - answer: the answer.
    ///   - bundle: the meeting that it names.
    ///   - rest: the meeting to which the date belongs now; `nil` if there is none.
    /// - Returns: the reason.
    func reasonOfUnknownDate(
        _ answer: MailedAnswer, in bundle: MeetingBundle, now rest: MeetingBundle?
    ) -> String {
        if let rest {
            return "it refers to a date that now belongs to another meeting: "
                + rest.meeting.id.text
        }
        let current = bundle.meeting.series?.sequence ?? bundle.meeting.sequence
        return answer.sequence.map { $0 < current } == true && !isBehindEnd(answer, of: bundle)
            ? Self.isBeforeMove : "it refers to a date that the meeting does not have"
    }

    /// True if the series would have the date if it did not end before.
    private func isBehindEnd(_ answer: MailedAnswer, of bundle: MeetingBundle) -> Bool {
        var endless = bundle
        endless.meeting.series?.rule.end = .never
        return meant(by: answer, in: endless) != nil
    }

    /// The most splits of a series that are followed.
    private static let splitsMax = 20

    /// The meeting to which the date of an answer belongs since the series was split; `nil` if it
    /// belongs to no other.
    func continuation(
        of answer: MailedAnswer, in bundle: MeetingBundle
    ) async throws -> MeetingBundle? {
        guard let start = originalStart(in: answer, to: bundle) else { return nil }
        let name = CalendarStamp.wall(start).description
        var id = bundle.meeting.id
        for _ in 0..<Self.splitsMax {
            guard let next = try await store.continuation(of: id, on: name) else { break }
            id = next
        }
        return id == bundle.meeting.id ? nil : try await store.meetingBundle(id)
    }

    /// The date of the continuation that an answer to the whole series is about: the one that
    /// originally starts at the same time, or else the only one of the same day.
    func meant(
        by answer: MailedAnswer, to series: MeetingBundle, inContinuation rest: MeetingBundle
    ) -> (MeetingBundle, date: String?)? {
        if let same = meant(by: answer, in: rest) { return same }
        guard let start = originalStart(in: answer, to: series),
            let own = try? zone(named: rest.meeting.time.zone)
        else { return nil }
        return meant(by: start.date, in: rest, own)
    }

    /// The original start of the date that an answer names; the end of the day if it names only a
    /// day, and `nil` if it names no date.
    private func originalStart(in answer: MailedAnswer, to bundle: MeetingBundle) -> WallTime? {
        let time = bundle.meeting.time
        if let name = answer.date {
            guard case .wall(let start)? = CalendarStamp(name) else { return nil }
            return start
        }
        guard let occurrence = answer.occurrence, let own = try? zone(named: time.zone) else {
            return nil
        }
        if let day = occurrence.day { return WallTime(date: day, time: .lastMinute) }
        return occurrence.moments(by: surroundings.zones, else: own, lasting: time.duration)
            .map { own.wallTime(at: $0.start) }
    }
}
