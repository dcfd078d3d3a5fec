/// The kinds of data that could not be read in a calendar of busy times, with the number of places
/// and the first line of each.
struct BusyDoubts {
    /// A kind of doubt.
    enum Kind: Hashable {
        /// A time zone is unknown.
        case zone(String)
        /// Further time zones are unknown.
        case zones
        /// Of a time zone, only the offset is known.
        case offset
        /// The description of a time zone ends before an event or one of its dates.
        case endedZone
        /// An event has no start that can be read.
        case start
        /// An event has several starts.
        case starts
        /// A changed date has no start that can be read.
        case changedStart
        /// A changed date does not say which one it was.
        case date
        /// Of a start, only the day can be read.
        case day
        /// Of a start in another zone, only the day can be read.
        case dayElsewhere
        /// An end cannot be read, or is before the start.
        case end
        /// A repetition cannot be read, or not in full.
        case rule
        /// A number or the end of a repetition cannot be read.
        case extent
        /// There is an EXRULE.
        case exceptionRule
        /// An excepted date cannot be read, or is in an unknown zone.
        case exception
        /// An added date, or its length, cannot be read.
        case addition
        /// Two events have the same UID and version.
        case twins
        /// A change of all later dates cannot be read.
        case following
        /// A period of VFREEBUSY cannot be read.
        case period
        /// The range or another property of VAVAILABILITY cannot be read.
        case availability
        /// A time of AVAILABLE cannot be read.
        case available
    }

    /// The maximum number of unknown zones that are named.
    private static let zonesMax = 5
    private static let zoneCharactersMax = 60

    private var kinds: [Kind] = []
    private var found: [Kind: (count: Int, line: Int)] = [:]

    /// Adds a doubt about a line of the file, counted from 1.
    mutating func note(_ kind: Kind, at line: Int) {
        var kind = kind
        if case .zone(let name) = kind {
            kind = .zone(String(name.prefix(Self.zoneCharactersMax)))
            let isNew = found[kind] == nil
            if isNew, kinds.count(where: \.isZone) >= Self.zonesMax { kind = .zones }
        }
        guard let (count, first) = found[kind] else {
            kinds.append(kind)
            found[kind] = (1, line)
            return
        }
        found[kind] = (count + 1, min(first, line))
    }

    /// One sentence for each kind, in the order in which they occur.
    var remarks: [String] {
        kinds.compactMap { kind in
            found[kind].map { count, line in
                let times = count == 1 ? "line \(line)" : "\(count) times, first in line \(line)"
                return "\(kind.sentence) (\(times))"
            }
        }
    }
}

extension BusyDoubts.Kind {
    fileprivate var isZone: Bool { if case .zone = self { true } else { false } }

    fileprivate var sentence: String {
        switch self {
        case .zone(let name):
            "The time zone \"\(name)\" is unknown: its times are read in the time zone of the "
                + "calendar or the person, and \(BusyPeriods.unsureHours) hours around them count "
                + "as maybe busy."
        case .zones: "More time zones are unknown: their times are treated in the same way."
        case .offset:
            "Of a time zone, only the offset is known: its times are read with it all year, "
                + "and may be an hour off in summer."
        case .endedZone:
            "The description of a time zone lists clock changes only until some day: later times "
                + "are read in the known zone with the same clock changes."
        case .start: "An event without a start that can be read is left out."
        case .starts: "Of several starts of one event, only the first one counts."
        case .changedStart:
            "A changed date without a start that can be read counts at its original time."
        case .date:
            "A changed date whose original time cannot be read counts beside the series, and its "
                + "original time, too."
        case .day: "A start of which only the day can be read counts as the whole day."
        case .dayElsewhere:
            "A start of which only the day can be read, in another time zone, counts as the whole "
                + "day, and \(BusyPeriods.unsureHours) hours around it as maybe busy."
        case .end:
            "An end that cannot be read, or that is before the start, counts as the end of the day."
        case .rule:
            "A repetition cannot be read, or not in full, so the same hours of all days count as "
                + "maybe busy."
        case .extent:
            "The interval, number or end of a repetition cannot be read, so it repeats without it."
        case .exceptionRule: "EXRULE is not read: the dates that it leaves out count as busy."
        case .exception:
            "An excepted date that cannot be read, or is in an unknown time zone, counts as busy."
        case .addition:
            "An added date that cannot be read in full counts with the usual time and length; "
                + "without a day it is left out."
        case .twins: "Events with the same UID and version differ: each counts as busy."
        case .following:
            "A change of all later dates that no rule can express moves only its first date; the "
                + "others count at their earlier times."
        case .period:
            "A busy period that cannot be read counts until the end of the day; without a start "
                + "it is left out."
        case .availability:
            "A property of an availability that cannot be read, or is in an unknown time zone, "
                + "does not count."
        case .available:
            "An available time that cannot be read, or is in an unknown time zone, does not count "
                + "as available."
        }
    }
}
