import Foundation
public import Timekeeping

/// The C library's own reader of zone files, as a witness.
public enum Zdump {
    /// Where it is.
    public static let program = "/usr/bin/zdump"

    /// One line: what the clocks of a zone show at a moment.
    public struct Reading {
        /// The zone.
        public let id: String
        /// When.
        public let moment: Moment
        /// What its clocks show then.
        public let wall: WallTime
        /// How they are set, as ``describe(_:)`` says it.
        public let type: String
        /// By how much they are ahead of UTC, in seconds.
        public var offsetSeconds: Int { Int(wall.secondsSince1970 - moment.seconds) }
    }

    /// Two readings for each change of the clocks in the years: the second before it, and its own.
    public static func readings(of ids: [String], years: Range<Int>) throws -> [Reading] {
        let options = ["-V", "-c", "\(years.lowerBound),\(years.upperBound)"]
        let (_, output) = try Launch(program, options + ids).answer()
        return try Array(output).split(separator: UInt8(ascii: "\n")).map(reading)
    }

    /// What a line says of a zone's setting in one text, for comparing.
    public static func describe(_ type: LocalTimeType) -> String {
        "\(type.abbreviation) isdst=\(type.isDaylight ? 1 : 0) gmtoff=\(type.offsetSeconds)"
    }

    /// Such as "Europe/Dublin  Sun Oct 31 02:00:00 1971 UT = Sun Oct 31 02:00:00 1971 GMT isdst=1
    /// gmtoff=0".
    private static func reading(_ line: ArraySlice<UInt8>) throws -> Reading {
        let words = line.split(separator: UInt8(ascii: " ")).map {
            String(decoding: $0, as: UTF8.self)
        }
        let universal = try wall(words[2..<6])
        return Reading(
            id: words[0], moment: Moment(seconds: universal.secondsSince1970),
            wall: try wall(words[9..<13]), type: words[13...15].joined(separator: " "))
    }

    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    /// Month, day, time and year.
    private static func wall(_ words: ArraySlice<String>) throws -> WallTime {
        let words = Array(words)
        let clock = words[2].utf8.split(separator: UInt8(ascii: ":")).map {
            Int(Substring($0)) ?? -1
        }
        return WallTime(
            date: try CivilDate(
                year: Int(words[3]) ?? 0, month: (months.firstIndex(of: words[0]) ?? -1) + 1,
                day: Int(words[1]) ?? 0),
            time: try CivilTime(hour: clock[0], minute: clock[1], second: clock[2]))
    }
}
