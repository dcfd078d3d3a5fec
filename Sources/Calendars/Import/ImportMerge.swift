import Agenda
import Timekeeping

/// Combines the new version of an imported meeting with the changes that were made to it here.
///
/// A change here is kept, unless the new version of the file changes the same thing: the file
/// counts then, and ``replaced`` names what was lost. Reminders that were chosen here are always
/// kept. Changes of dates that were moved out of the series here are not taken; ``untaken`` counts
/// them. Dates that were changed here and that the series no longer has are lost; ``lost`` counts
/// them.
struct ImportMerge {
    /// The meeting as the known version of the file describes it.
    private let base: Meeting
    /// The meeting as it is.
    private let current: Meeting
    /// The new version, and finally the result.
    private(set) var merged: Meeting
    /// The changes made here that the new version replaces, in words.
    private(set) var replaced: [String] = []
    /// The number of dates that the new version changes and that the series no longer has here.
    private(set) var untaken = 0
    /// The number of dates that were changed here and that the new version no longer has.
    private(set) var lost = 0

    /// Combines the versions.
    ///
    /// - Parameters:
    ///   - base: the meeting as the known version of the file describes it.
    ///   - current: the meeting as it is.
    ///   - read: the meeting as the new version describes it.
    ///   - share: what the meeting takes over from other parts of its series, and leaves to them.
    ///   - zone: returns the rules of a time zone.
    init(
        of base: Meeting, changedTo current: Meeting, and read: Meeting,
        sharing share: SeriesShare = SeriesShare(), zone: (String) -> Zone?
    ) {
        merged = read
        let schedule =
            base.schedule != current.schedule && base.schedule == read.schedule ? current : read
        self.base = base.on(schedule, zone: zone)
        self.current = current.on(schedule, zone: zone)
        if base.schedule != current.schedule, schedule.schedule != current.schedule {
            replaced.append("time")
        }
        merged = read.on(schedule, zone: zone)
        untaken = read.changesLost(on: schedule, besides: base, zone: zone)
        if schedule.schedule != current.schedule {
            lost = current.on(base, zone: zone)
                .changesLost(on: schedule, besides: base, without: share.handedOver, zone: zone)
        }
        settle(\.title, "title")
        settle(\.note, "note")
        settle(\.link, "link")
        settle(\.place, "place")
        settle(\.status, "status")
        if current.reminders != base.reminders { merged.reminders = current.reminders }
        settleDates(zone: zone)
        take(share.dates, zone: zone)
        if share.hasReplacedDates { noteReplaced("single dates") }
    }

    /// Takes over changes of single dates.
    private mutating func take(_ dates: [String: DateChange?], zone: (String) -> Zone?) {
        guard !dates.isEmpty else { return }
        let (revision, sequence) = (merged.revision, merged.sequence)
        for (name, own) in dates {
            var change = own
            change?.revision = revision
            change?.sequence = sequence
            merged.series?.changes[name] = change
        }
        limitSeries(zone: zone)
    }

    private mutating func noteReplaced(_ words: String) {
        if !replaced.contains(words) { replaced.append(words) }
    }

    private mutating func limitSeries(zone: (String) -> Zone?) {
        guard let series = merged.series, let rules = zone(merged.time.zone) else { return }
        merged.series?.endsAt = Meeting.lastEnd(of: series, from: merged.time, in: rules)
    }

    private mutating func settle<Value: Equatable>(
        _ path: WritableKeyPath<Meeting, Value>, _ word: String
    ) {
        let (old, own, new) = (base[keyPath: path], current[keyPath: path], merged[keyPath: path])
        guard own != old, own != new else { return }
        if new == old { merged[keyPath: path] = own } else { replaced.append(word) }
    }

    /// Settles the changes of single dates, each by itself.
    private mutating func settleDates(zone: (String) -> Zone?) {
        guard let new = merged.series?.changes, let own = current.series?.changes,
            let old = base.series?.changes
        else { return }
        for name in Set(own.keys).union(old.keys) {
            let facts = [old, own, new].map { $0[name]?.facts }
            guard facts[1] != facts[0], facts[1] != facts[2] else { continue }
            if facts[2] == facts[0] {
                merged.series?.changes[name] = own[name]
            } else {
                noteReplaced("single dates")
            }
        }
        limitSeries(zone: zone)
    }

    /// Remarks on changes that the meeting does not have, as phrases that follow its title.
    var remarks: [String] {
        var remarks: [String] = []
        if !replaced.isEmpty {
            let list = replaced.joined(separator: ", ")
            remarks.append(
                "was changed here and in the file, which replaced your changes to: \(list)")
        }
        if untaken > 0 {
            remarks.append(
                "is changed in the file on \(Self.dates(untaken)) that you moved out of the series "
                    + "here: such changes are not taken")
        }
        if lost > 0 { remarks.append(Self.lostDates(lost)) }
        return remarks
    }

    /// The remark that a series no longer has dates that were changed here.
    static func lostDates(_ count: Int) -> String {
        "no longer has \(dates(count)) that you moved or cancelled here: such changes are not kept"
    }

    private static func dates(_ count: Int) -> String {
        count == 1 ? "one date" : "\(count) dates"
    }
}

/// When a meeting takes place, except for changes of single dates.
private struct Schedule: Equatable {
    let time: MeetingTime
    let rule: RecurrenceRule?
}

extension Meeting {
    fileprivate var schedule: Schedule { Schedule(time: time, rule: series?.rule) }

    /// The fields that differ from those of another version, in words.
    func fields(otherThan other: Meeting) -> [String] {
        let fields = [
            (title != other.title, "title"), (note != other.note, "note"),
            (link != other.link, "link"), (place != other.place, "place"),
            (reminders != other.reminders, "reminders"), (schedule != other.schedule, "time"),
            (status != other.status, "status"),
        ]
        return fields.filter(\.0).map(\.1)
    }

    /// The meeting without changes of single dates.
    var withoutDateChanges: Meeting {
        var meeting = self
        meeting.series?.changes = [:]
        return meeting
    }

    /// The meeting on the schedule of another. Changes of single dates move along.
    func on(_ other: Meeting, zone: (String) -> Zone?) -> Meeting {
        guard schedule != other.schedule else { return self }
        var meeting = self
        if let rule = other.series?.rule, let changes = series?.changes,
            let rules = zone(other.time.zone)
        {
            _ = meeting.reschedule(
                other.time, by: rule, renaming: Set(changes.keys), in: rules)
        } else {
            meeting.time = other.time
            meeting.series = other.series
        }
        return meeting
    }
}

extension Meeting {
    /// The number of changed dates that do not exist on the schedule of another meeting, without
    /// those that an earlier version changed in the same way, and without some others.
    fileprivate func changesLost(
        on other: Meeting, besides earlier: Meeting, without others: Set<String> = [],
        zone: (String) -> Zone?
    ) -> Int {
        guard schedule != other.schedule, let changes = series?.changes else { return 0 }
        let new = changes.filter { name, change in
            change.facts != earlier.series?.changes[name]?.facts && !others.contains(name)
        }
        guard let rule = other.series?.rule else { return new.count }
        guard let rules = zone(other.time.zone) else { return 0 }
        var meeting = self
        return meeting.reschedule(other.time, by: rule, renaming: Set(new.keys), in: rules)
            .values.count { $0 == nil }
    }
}

extension DateChange {
    /// The change without its version.
    var facts: DateChange {
        var facts = self
        (facts.revision, facts.sequence) = (0, 0)
        return facts
    }
}
