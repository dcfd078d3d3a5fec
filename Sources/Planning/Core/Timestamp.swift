public import Timekeeping
import Wording

/// A moment in an answer. Programs read it in the time zone that the format of the answer
/// specifies, people in their own.
public struct Timestamp: Encodable, Sendable {
    /// The moment.
    package let moment: Moment
    /// The time zone for programs; `nil` for UTC with milliseconds.
    package let zone: Zone?
    /// The time zone of the person who made the request.
    package let reader: Zone

    /// Creates a timestamp.
    ///
    /// - Parameters:
    ///   - moment: the moment.
    ///   - zone: the time zone for programs; `nil` for UTC with milliseconds.
    ///   - reader: the time zone of the person who made the request.
    public init(_ moment: Moment, in zone: Zone? = nil, reader: Zone) {
        self.moment = moment
        self.zone = zone
        self.reader = reader
    }

    /// The text for programs, by RFC 3339.
    public var text: String {
        guard let zone else { return moment.utcText }
        return moment.rfc3339(offsetSeconds: zone.offsetSeconds(at: moment))
    }

    /// The text for people, as in "Thu 31 Dec 2026, 13:00 EET".
    public var words: String { TimeWords.short(moment, in: reader) }

    /// The start of a meeting for people, like ``words``; of whole days in ``zone``, the first one.
    public var wordsOfStart: String { TimeWords.shortStart(moment, in: reader, at: zone) }

    /// The moment until which something is asked for, in words. The last minute of a day means this
    /// day.
    public var wordsOfDeadline: String { TimeWords.deadline(moment, in: reader) }

    /// The period from this moment to another one, as in "Thu 31 December 2026, 13:00–14:00
    /// (Europe/Helsinki)", or in days if it fills whole days in ``zone``.
    package func words(through end: Timestamp) -> String {
        TimeWords.range(from: moment, to: end.moment, in: reader, at: zone)
    }

    /// The start of the period to another moment in few words, as in "Thu 31 Dec 2026, 13:00 EET",
    /// or its days if it fills whole days in ``zone``.
    func shortWords(through end: Timestamp) -> String {
        TimeWords.short(moment, to: end.moment, in: reader, at: zone ?? reader)
    }

    /// The days that the period to another moment fills in ``zone``; `nil` if it fills none.
    package func days(through end: Timestamp) -> WholeDays? {
        zone.flatMap { WholeDays(from: moment, to: end.moment, in: $0) }
    }

    /// The same period in the other time zone; `nil` if the clocks there show the same time.
    func wordsThere(through end: Timestamp) -> String? {
        guard let zone, zone.offsetSeconds(at: moment) != reader.offsetSeconds(at: moment),
            days(through: end) == nil
        else { return nil }
        return TimeWords.range(from: moment, to: end.moment, in: zone, at: nil)
    }

    /// Encodes the text for programs.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }
}
