import Foundation
public import Timekeeping

/// The C library's reader of zone files, as an independent reference.
public enum Zdump {
    /// The path of the program.
    public static let program = "/usr/bin/zdump"

    /// One line: the local time of a zone at a moment.
    public struct Reading {
        /// The zone.
        public let id: String
        /// The moment.
        public let moment: Moment
        /// The local time at that moment.
        public let wall: WallTime
        /// The kind of local time, in the form of ``describe(_:)``.
        public let type: String
        /// The offset from UTC, in seconds.
        public var offsetSeconds: Int { Int(wall.secondsSince1970 - moment.seconds) }
    }

    /// Two readings for each change of the clocks in these years: the second before it and the
    /// change itself.
    public static func readings(of ids: [String], years: Range<Int>) throws -> [Reading] {
        let options = ["-V", "-c", "\(years.lowerBound),\(years.upperBound)"]
        let (_, output) = try Launch(program, options + ids).answer()
        return try Array(output).split(separator: UInt8(ascii: "\n")).map(reading)
    }

    /// The kind of local time as one text, for comparisons.
    public static func describe(_ type: LocalTimeType) -> String {
        "\(type.abbreviation) isdst=\(type.isDaylight ? 1 : 0) gmtoff=\(type.offsetSeconds)"
    }

    /// Parses a line such as "Europe/Dublin  Sun Oct 31 02:00:00 1971 UT = Sun Oct 31 02:00:00 1971
    /// GMT isdst=1 gmtoff=0".
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

    /// Parses month, day, time and year.
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
