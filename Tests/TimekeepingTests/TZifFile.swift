/// A handmade zone file that tests can damage: Helsinki with two changes in 1970 and its rule.
struct TZifFile {
    var magic = "TZif"
    /// Zero for the first version, which has only the 32-bit block.
    var version = UInt8(ascii: "2")
    var transitions: [(seconds: Int64, type: UInt8)] = [(1000, 1), (2000, 0)]
    var types: [(offset: Int32, isDaylight: UInt8, name: UInt8)] = [(7200, 0, 0), (10_800, 1, 4)]
    var names = "EET\0EEST\0"
    var leapSeconds: [(seconds: Int64, total: Int32)] = []
    var marks: [UInt8] = []
    var footer = "\nEET-2EEST,M3.5.0/3,M10.5.0/4\n"
    /// Counts that are written instead of the true ones.
    var counts: [UInt32]?

    var bytes: [UInt8] {
        guard version > 0 else { return block(timeBytes: 4) }
        var old = self
        old.transitions = []
        return old.block(timeBytes: 4) + block(timeBytes: 8) + Array(footer.utf8)
    }

    private func block(timeBytes: Int) -> [UInt8] {
        let counts =
            counts
            ?? [
                marks.count, marks.count, leapSeconds.count, transitions.count, types.count,
                names.utf8.count,
            ].map(UInt32.init)
        var bytes = Array(magic.utf8) + [version] + [UInt8](repeating: 0, count: 15)
        for count in counts { bytes += big(Int64(count), bytes: 4) }
        for transition in transitions { bytes += big(transition.seconds, bytes: timeBytes) }
        bytes += transitions.map(\.type)
        for type in types {
            bytes += big(Int64(type.offset), bytes: 4) + [type.isDaylight, type.name]
        }
        bytes += Array(names.utf8)
        for leap in leapSeconds {
            bytes += big(leap.seconds, bytes: timeBytes) + big(Int64(leap.total), bytes: 4)
        }
        return bytes + marks + marks
    }

    private func big(_ number: Int64, bytes count: Int) -> [UInt8] {
        (0..<count).reversed().map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
    }
}
