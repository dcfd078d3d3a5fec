/// A time zone: its name and the rules by which its clocks are set.
///
/// ```swift
/// let zone = try ZoneDirectory().zone("Europe/Helsinki")
/// zone.offsetSeconds(at: moment) == 7200
/// zone.wallTime(at: moment).description == "2026-12-01T18:00:00"
/// zone.moment(of: zone.wallTime(at: moment))
/// ```
public struct Zone: Hashable, Sendable {
    /// The name, as "Europe/Helsinki", or the offset of a zone that has no other name, as
    /// "+03:00".
    public let id: String
    private let rules: ZoneRules

    /// Coordinated Universal Time.
    public static let utc = Zone(
        id: "UTC", type: LocalTimeType(offsetSeconds: 0, isDaylight: false, abbreviation: "UTC"))

    /// The zone that a TZif file describes: versions 1 to 4 of RFC 8536 and RFC 9636. Files that
    /// count leap seconds are read as if they did not.
    ///
    /// - Throws: ``ZoneError/malformed(id:fault:)`` when the bytes are no such file.
    public init(id: String, tzif: [UInt8]) throws(ZoneError) {
        self.id = id
        var reader = TZifReader(tzif)
        do throws(TZifFault) {
            rules = try reader.read()
        } catch {
            throw .malformed(id: id, fault: error)
        }
    }

    /// A zone whose clocks are never changed, named by its offset: "+03:00".
    ///
    /// Offsets count in whole minutes, as in RFC 3339: seconds are cut off. Those of a day and
    /// more, which no zone has, become 23:59.
    public init(fixedOffsetSeconds: Int) {
        let offset = ISO8601.shownOffset(seconds: fixedOffsetSeconds)
        var name = DigitText()
        name.append(offsetSeconds: offset)
        self.init(
            id: name.string,
            type: LocalTimeType(
                offsetSeconds: offset, isDaylight: false, abbreviation: name.string))
    }

    /// The zone of a rule as in the TZ variable of POSIX, "EET-2EEST,M3.5.0/3,M10.5.0/4", or nil
    /// where that is no such rule. It is also the zone's name.
    public init?(posix rule: String) {
        guard let footer = PosixRule(rule) else { return nil }
        id = rule
        rules = ZoneRules(types: [footer.standard], footer: footer)
    }

    private init(id: String, type: LocalTimeType) {
        self.init(id: id, rules: ZoneRules(types: [type]))
    }

    /// A zone of rules that were put together elsewhere.
    init(id: String, rules: ZoneRules) {
        self.id = id
        self.rules = rules
    }
}

extension Zone: CustomStringConvertible {
    /// The same as ``id``.
    public var description: String { id }
}

extension Zone {
    /// The stretch of unchanged clocks around so many seconds since 1970 UTC.
    func stretch(at seconds: Int64) -> Stretch {
        rules.stretch(at: seconds)
    }

    /// The rule that holds when all that is listed is over.
    var lastRule: PosixRule? { rules.footer }

    /// How the clocks are set at a moment: offset, daylight time and abbreviation together.
    public func localTimeType(at moment: Moment) -> LocalTimeType {
        rules.type(at: moment.seconds)
    }

    /// Seconds east of UTC at a moment; negative to the west.
    public func offsetSeconds(at moment: Moment) -> Int {
        localTimeType(at: moment).offsetSeconds
    }

    /// What people call the time at a moment, as "EET".
    public func abbreviation(at moment: Moment) -> String {
        localTimeType(at: moment).abbreviation
    }

    /// Whether the zone calls its time at a moment daylight saving time.
    public func isDaylight(at moment: Moment) -> Bool {
        localTimeType(at: moment).isDaylight
    }

    /// What the clocks show at a moment.
    public func wallTime(at moment: Moment) -> WallTime {
        WallTime(
            secondsSince1970: moment.seconds.addingSaturated(Int64(offsetSeconds(at: moment))))
    }

    /// The first change of the clocks after a moment, or nil where there is none up to the year
    /// 9999. Changes of the abbreviation alone count too.
    public func nextTransition(after moment: Moment) -> ZoneTransition? {
        var stretch = self.stretch(at: moment.seconds)
        while stretch.end < .max {
            let next = self.stretch(at: stretch.end)
            if next.type != stretch.type {
                return ZoneTransition(
                    moment: Moment(seconds: stretch.end), before: stretch.type, after: next.type)
            }
            stretch = next
        }
        return nil
    }

    /// The last change of the clocks before a moment, or nil where there is none.
    public func previousTransition(before moment: Moment) -> ZoneTransition? {
        var stretch = self.stretch(at: moment.advanced(byMilliseconds: -1).seconds)
        while stretch.start > .min {
            let previous = self.stretch(at: stretch.start - 1)
            if previous.type != stretch.type {
                return ZoneTransition(
                    moment: Moment(seconds: stretch.start), before: previous.type,
                    after: stretch.type)
            }
            stretch = previous
        }
        return nil
    }
}
