/// Text without long runs of combining marks, after the Stream-Safe Text Format (UAX #15, section
/// 13), which allows 30 in a row.
///
/// To compare or hash two strings, Swift sorts each run of combining marks, in a time that grows
/// with the square of its length. So whatever comes from outside is cut to short runs, each time
/// that bytes become text and each time that pieces of text are joined. No language needs more
/// than 30; up to ``marksMax`` cost little, and text that plays with marks keeps them. The same
/// holds for regional indicators, whose runs have to be counted to find the end of a flag.
public enum StreamSafeText {
    /// The most combining marks, or regional indicators, in a row that are kept.
    public static let marksMax = 100

    /// Cuts long runs of combining marks.
    ///
    /// - Parameter bytes: UTF-8. Bytes that are not UTF-8 are kept.
    /// - Returns: the bytes without the marks behind the first ``marksMax`` of each run, in a time
    ///   that is proportional to their number.
    public static func limited(_ bytes: [UInt8]) -> [UInt8] {
        bytes.withUnsafeBufferPointer { limited($0) } ?? bytes
    }

    /// Cuts long runs of combining marks in a part of an array, as above.
    public static func limited(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        bytes.withUnsafeBufferPointer { limited($0) }.map { $0[...] } ?? bytes
    }

    /// The bytes without the excess marks; `nil` if there are none.
    fileprivate static func limited(_ bytes: UnsafeBufferPointer<UInt8>) -> [UInt8]? {
        var output: [UInt8]?
        var (place, run, kept) = (0, 0, 0)
        var last = Kind.other
        while place < bytes.count {
            guard bytes[place] >= firstMarkByte else {
                if bytes[place] < 0x80 || bytes[place] >= 0xC0 { run = 0 }
                place += 1
                continue
            }
            let (scalar, length) = scalar(in: bytes, at: place)
            let kind = scalar.map(Kind.init) ?? .other
            run = kind == .other ? 0 : kind == last ? run + 1 : 1
            last = kind
            if run > marksMax {
                if output == nil { output = [] }
                output?.append(contentsOf: bytes[kept..<place])
                kept = place + length
            }
            place += length
        }
        output?.append(contentsOf: bytes[kept...])
        return output
    }

    /// The first byte of U+0300, the first combining mark.
    private static let firstMarkByte: UInt8 = 0xCC

    /// The scalar at a place and the number of its bytes; `nil` and 1 if it is not valid UTF-8.
    private static func scalar(
        in bytes: UnsafeBufferPointer<UInt8>, at place: Int
    ) -> (Unicode.Scalar?, Int) {
        let lead = bytes[place]
        let length = lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4
        guard place + length <= bytes.count else { return (nil, 1) }
        var value = UInt32(lead & (0xFF >> (length + 1)))
        for byte in bytes[(place + 1)..<(place + length)] {
            guard byte & 0xC0 == 0x80 else { return (nil, 1) }
            value = value << 6 | UInt32(byte & 0x3F)
        }
        return (Unicode.Scalar(value), length)
    }

    /// The kinds of scalars whose runs are cut.
    private enum Kind {
        /// It is sorted when a text is normalized, or belongs to the character before it.
        case mark
        /// A regional indicator. Two of them are a flag, so where a flag begins depends on all
        /// regional indicators before it (UAX #29, GB12).
        case regional
        case other

        init(_ scalar: Unicode.Scalar) {
            let value = scalar.value
            let isMark =
                scalar.properties.canonicalCombiningClass != .notReordered
                || scalar.properties.isGraphemeExtend
                || value == Self.joiner || Self.skinTones.contains(value)
            self = isMark ? .mark : Self.regionals.contains(value) ? .regional : .other
        }

        private static let joiner: UInt32 = 0x200D
        private static let skinTones: ClosedRange<UInt32> = 0x1F3FB...0x1F3FF
        private static let regionals: ClosedRange<UInt32> = 0x1F1E6...0x1F1FF
    }
}

extension String {
    /// The text without the excess of long runs of combining marks.
    public var streamSafe: String {
        var text = self
        return text.withUTF8 { StreamSafeText.limited($0) }
            .map { String(decoding: $0, as: UTF8.self) } ?? self
    }
}
