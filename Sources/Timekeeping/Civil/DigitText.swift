/// Builds texts of dates and times, whose numbers have a fixed width.
struct DigitText {
    private var bytes: [UInt8] = []

    init() {
        bytes.reserveCapacity(32)
    }

    var string: String { String(decoding: bytes, as: UTF8.self) }

    /// Appends one ASCII character.
    mutating func append(_ sign: Unicode.Scalar) {
        bytes.append(UInt8(ascii: sign))
    }

    /// Appends the last `width` digits of a number that is not negative.
    mutating func append(_ number: Int, width: Int) {
        var divisor = 1
        for _ in 1..<width { divisor *= 10 }
        while divisor > 0 {
            bytes.append(UInt8(ascii: "0") + UInt8(number / divisor % 10))
            divisor /= 10
        }
    }

    mutating func append(_ date: CivilDate) {
        append(date.year, width: 4)
        append("-")
        append(date.month, width: 2)
        append("-")
        append(date.day, width: 2)
    }

    mutating func append(_ time: CivilTime) {
        append(time.hour, width: 2)
        append(":")
        append(time.minute, width: 2)
        append(":")
        append(time.second, width: 2)
    }

    mutating func append(_ wall: WallTime) {
        append(wall.date)
        append("T")
        append(wall.time)
    }

    /// Appends a UTC offset, for example "+02:00".
    mutating func append(offsetSeconds: Int) {
        let size = abs(offsetSeconds)
        append(offsetSeconds < 0 ? "-" : "+")
        append(size / 3600, width: 2)
        append(":")
        append(size / 60 % 60, width: 2)
    }
}
