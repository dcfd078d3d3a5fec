/// Quoted-printable (RFC 2045, 6.7). What is read comes without its soft line breaks, which are a
/// matter of lines.
enum QuotedPrintable {
    /// Octets of a line, with the `=` of a soft line break.
    private static let octetsMax = 76

    /// Appends a text with CRLF behind each of its lines. What no reader shows, but tabs, is shown
    /// as a sign that something was there.
    static func append(_ text: String, to output: inout [UInt8]) {
        var text = text
        // One array holds the octets, or each that is appended would copy all.
        var writer = Writer(output: output)
        output = []
        text.withUTF8 { octets in
            writer.output.reserveCapacity(writer.output.count + octets.count * 5 / 4)
            var rest = octets[...]
            while !rest.isEmpty { rest = rest.dropFirst(writer.put(rest)) }
        }
        if writer.isInLine { writer.endLine() }
        output = writer.output
    }

    private struct Writer {
        var output: [UInt8]
        private(set) var isInLine = false
        private var width = 0
        /// A blank that ends its line if nothing comes behind it.
        private var blank: UInt8?

        init(output: [UInt8]) {
            self.output = output
        }

        /// Writes the first characters of valid UTF-8, and returns how many octets they have.
        mutating func put(_ octets: Slice<UnsafeBufferPointer<UInt8>>) -> Int {
            let start = octets.startIndex
            let octet = octets[start]
            switch octet {
            case _ where QuotedPrintable.isPlain(octet):
                begin()
                makeRoom(for: 1)
                let run = plainRun(octets)
                output.append(contentsOf: octets.prefix(run))
                width += run - 1
                return run
            case .equals: put(escaped: CollectionOfOne(octet))
            case .tab, .space:
                begin()
                blank = octet
            case .carriageReturn where octets.dropFirst().first == .lineFeed:
                endLine()
                return 2
            case 0x0A...0x0D: endLine()
            case 0..<0x80: put(escaped: QuotedPrintable.sign)
            default: return put(wide: octets)
            }
            return 1
        }

        /// How many octets stand for themselves and fit into this line, in which there is room for
        /// the first: most of a text is written many at once.
        private func plainRun(_ octets: Slice<UnsafeBufferPointer<UInt8>>) -> Int {
            let room = octets.prefix(octetsMax - width)
            var end = room.startIndex + 1
            while end < room.endIndex {
                // A blank with something behind it does not end its line.
                let next = room[end] == .space ? end + 1 : end
                guard next < room.endIndex, QuotedPrintable.isPlain(room[next]) else { break }
                end = next + 1
            }
            return end - room.startIndex
        }

        private mutating func put(wide octets: Slice<UnsafeBufferPointer<UInt8>>) -> Int {
            let lead = octets[octets.startIndex]
            let character = octets.prefix(lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4)
            // U+0085, U+2028 and U+2029 end lines; the rest of C1 is shown by nobody.
            if character.elementsEqual([0xC2, 0x85]) || character.elementsEqual([0xE2, 0x80, 0xA8])
                || character.elementsEqual([0xE2, 0x80, 0xA9])
            {
                endLine()
            } else if lead == 0xC2, octets[octets.startIndex + 1] < 0xA0 {
                put(escaped: QuotedPrintable.sign)
            } else {
                put(escaped: character)
            }
            return character.count
        }

        mutating func endLine() {
            if let blank {
                self.blank = nil
                put(escaped: CollectionOfOne(blank))
            }
            output.append(.carriageReturn)
            output.append(.lineFeed)
            width = 0
            isInLine = false
        }

        /// Something comes behind a blank: it stays as it is.
        private mutating func begin() {
            isInLine = true
            guard let blank else { return }
            self.blank = nil
            makeRoom(for: 1)
            output.append(blank)
        }

        /// A character, which no soft line break may split: some readers decode line by line.
        private mutating func put(escaped octets: some Collection<UInt8>) {
            begin()
            makeRoom(for: 3 * octets.count)
            for octet in octets {
                output.append(.equals)
                output.append(QuotedPrintable.hexDigit(octet >> 4))
                output.append(QuotedPrintable.hexDigit(octet & 15))
            }
        }

        private mutating func makeRoom(for octetCount: Int) {
            if width + octetCount > octetsMax - 1 {
                output += [.equals, .carriageReturn, .lineFeed]
                width = 0
            }
            width += octetCount
        }
    }

    /// Whether an octet stands for itself wherever it is.
    private static func isPlain(_ octet: UInt8) -> Bool {
        (0x21...0x7E).contains(octet) && octet != .equals
    }

    /// U+FFFD.
    private static let sign: [UInt8] = [0xEF, 0xBF, 0xBD]

    private static func hexDigit(_ value: UInt8) -> UInt8 {
        value < 10 ? 0x30 + value : 0x41 + value - 10
    }

    /// The octets that `text` stands for. A `=` that two hexadecimal digits do not follow stays.
    static func decoded(_ text: ArraySlice<UInt8>) -> [UInt8] {
        text.decodingOctets(behind: .equals)
    }

    /// Whether `text` ends with an encoded octet such as `=C3`.
    static func endsWithEncodedOctet(_ text: [UInt8]) -> Bool {
        let tail = text.suffix(3)
        guard tail.count == 3, tail.first == .equals else { return false }
        return tail.dropFirst().allSatisfy { $0.hexValue != nil }
    }
}
