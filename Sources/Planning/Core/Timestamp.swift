public import Timekeeping
import Wording

/// A moment in an answer: programs read it in the zone that the answer's shape fixes, people in
/// their own.
public struct Timestamp: Encodable, Sendable {
    /// The moment.
    let moment: Moment
    /// The zone for programs; `nil` for UTC with milliseconds.
    let zone: Zone?
    /// The zone in which whoever asked reads times.
    let reader: Zone

    /// Puts a moment into an answer.
    ///
    /// - Parameters:
    ///   - moment: the moment.
    ///   - zone: the zone for programs; `nil` for UTC with milliseconds.
    ///   - reader: the zone in which whoever asked reads times.
    public init(_ moment: Moment, in zone: Zone? = nil, reader: Zone) {
        self.moment = moment
        self.zone = zone
        self.reader = reader
    }

    /// As programs read it, after RFC 3339.
    public var text: String {
        guard let zone else { return moment.utcText }
        return moment.rfc3339(offsetSeconds: zone.offsetSeconds(at: moment))
    }

    /// As people read it: "Thu 31 Dec 2026, 13:00 EET".
    public var words: String { TimeWords.short(moment, in: reader) }

    /// The time from here on: "Thu 31 December 2026, 13:00–14:00 (Europe/Helsinki)".
    func words(through end: Timestamp) -> String {
        TimeWords.range(from: moment, to: end.moment, in: reader)
    }

    /// The same by the clock of the other zone, where that shows another time.
    func wordsThere(through end: Timestamp) -> String? {
        guard let zone, zone.offsetSeconds(at: moment) != reader.offsetSeconds(at: moment) else {
            return nil
        }
        return TimeWords.range(from: moment, to: end.moment, in: zone)
    }

    /// Writes the text for programs.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }
}
