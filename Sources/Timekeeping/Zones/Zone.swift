/// A time zone: its name and the rules for its clocks.
///
/// ```swift
/// let zone = try ZoneDirectory().zone("Europe/Helsinki")
/// zone.offsetSeconds(at: moment) == 7200
/// zone.wallTime(at: moment).description == "2026-12-01T18:00:00"
/// zone.moment(of: zone.wallTime(at: moment))
/// ```
public struct Zone: Hashable, Sendable {
    /// The name, for example "Europe/Helsinki"; the offset, for example "+03:00", if the time zone
    /// has no other name.
    public let id: String
    private let rules: ZoneRules

    /// Coordinated Universal Time.
    public static let utc = Zone(
        id: "UTC", type: LocalTimeType(offsetSeconds: 0, isDaylight: false, abbreviation: "UTC"))

    /// Creates the time zone of a TZif file: versions 1 to 4 of RFC 8536 and RFC 9636. Leap seconds
    /// in a file are removed.
    ///
    /// - Throws: ``ZoneError/malformed(id:fault:)`` if the bytes are not such a file.
    public init(id: String, tzif: [UInt8]) throws(ZoneError) {
        self.id = id
        var reader = TZifReader(tzif)
        do throws(TZifFault) {
            rules = try reader.read()
        } catch {
            throw .malformed(id: id, fault: error)
        }
    }

    /// Creates a time zone whose clocks never change, named by its offset: "+03:00".
    ///
    /// Offsets are whole minutes, as in RFC 3339; seconds are dropped. Offsets of a day or more,
    /// which no time zone has, become 23:59.
    public init(fixedOffsetSeconds: Int) {
        let offset = ISO8601.shownOffset(seconds: fixedOffsetSeconds)
        var name = DigitText()
        name.append(offsetSeconds: offset)
        self.init(
            id: name.string,
            type: LocalTimeType(
                offsetSeconds: offset, isDaylight: false, abbreviation: name.string))
    }

    /// Creates the time zone of a rule in the form of the POSIX variable TZ,
    /// "EET-2EEST,M3.5.0/3,M10.5.0/4"; nil if the text is not such a rule. The rule is also the
    /// name of the time zone.
    public init?(posix rule: String) {
        guard let footer = PosixRule(rule) else { return nil }
        id = rule
        rules = ZoneRules(types: [footer.standard], footer: footer)
    }

    private init(id: String, type: LocalTimeType) {
        self.init(id: id, rules: ZoneRules(types: [type]))
    }

    /// Creates a time zone from existing rules.
    init(id: String, rules: ZoneRules) {
        self.id = id
        self.rules = rules
    }
}

extension Zone {
    /// The name for people: the ``id``, or the offset from UTC at a moment if the zone is named by
    /// its rules: "UTC+05:00".
    public func name(at moment: Moment) -> String {
        guard id.utf8.contains(UInt8(ascii: ",")) else { return id }
        return "UTC\(Zone(fixedOffsetSeconds: offsetSeconds(at: moment)).id)"
    }
}

extension Zone: CustomStringConvertible {
    /// The same as ``id``.
    public var description: String { id }
}

extension Zone {
    /// The period with unchanged clocks that contains a second since 1970 UTC.
    func stretch(at seconds: Int64) -> Stretch {
        rules.stretch(at: seconds)
    }

    /// The rule that applies after the last listed transition.
    var lastRule: PosixRule? { rules.footer }

    /// The local time type at a moment: offset, daylight saving time and abbreviation together.
    public func localTimeType(at moment: Moment) -> LocalTimeType {
        rules.type(at: moment.seconds)
    }

    /// The offset at a moment in seconds east of UTC; negative to the west.
    public func offsetSeconds(at moment: Moment) -> Int {
        localTimeType(at: moment).offsetSeconds
    }

    /// The abbreviation of the local time at a moment, for example "EET".
    public func abbreviation(at moment: Moment) -> String {
        localTimeType(at: moment).abbreviation
    }

    /// True if the time zone calls its time at a moment daylight saving time.
    public func isDaylight(at moment: Moment) -> Bool {
        localTimeType(at: moment).isDaylight
    }

    /// The wall-clock time at a moment.
    public func wallTime(at moment: Moment) -> WallTime {
        WallTime(
            secondsSince1970: moment.seconds.addingSaturated(Int64(offsetSeconds(at: moment))))
    }

    /// The first clock change after a moment; nil if there is none up to the year 9999. Changes of
    /// the abbreviation alone count too.
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

    /// The last clock change before a moment; nil if there is none.
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
