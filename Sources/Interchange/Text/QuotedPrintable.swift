/// Quoted-printable (RFC 2045, 6.7). Decoding leaves soft line breaks to the code that reads lines.
enum QuotedPrintable {
    /// The longest line in octets, including the `=` of a soft line break.
    private static let octetsMax = 76

    /// Appends a text with CRLF after each of its lines. Control characters other than tabs are
    /// replaced by U+FFFD, so that readers see that something was there.
    static func append(_ text: String, to output: inout [UInt8]) {
        var text = text
        // The octets are moved into one array; otherwise each append would copy all of them.
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
        /// A space or tab that is not written yet, because it needs an escape if the line ends
        /// after it.
        private var blank: UInt8?

        init(output: [UInt8]) {
            self.output = output
        }

        /// Writes the first characters of valid UTF-8, and returns the number of octets written.
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

        /// The number of octets that need no escape and fit into this line, which has room for the
        /// first. Writing them in one step makes most text fast.
        private func plainRun(_ octets: Slice<UnsafeBufferPointer<UInt8>>) -> Int {
            let room = octets.prefix(octetsMax - width)
            var end = room.startIndex + 1
            while end < room.endIndex {
                // A space that is followed by other text does not end its line.
                let next = room[end] == .space ? end + 1 : end
                guard next < room.endIndex, QuotedPrintable.isPlain(room[next]) else { break }
                end = next + 1
            }
            return end - room.startIndex
        }

        private mutating func put(wide octets: Slice<UnsafeBufferPointer<UInt8>>) -> Int {
            let lead = octets[octets.startIndex]
            let character = octets.prefix(lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4)
            // U+0085, U+2028 and U+2029 end lines; no reader shows the other C1 characters.
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

        /// Starts more text on the line; a pending space or tab is now written without an escape.
        private mutating func begin() {
            isInLine = true
            guard let blank else { return }
            self.blank = nil
            makeRoom(for: 1)
            output.append(blank)
        }

        /// Writes one escaped character. A soft line break must not split it, because some readers
        /// decode line by line.
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

    /// True if an octet never needs an escape.
    private static func isPlain(_ octet: UInt8) -> Bool {
        (0x21...0x7E).contains(octet) && octet != .equals
    }

    /// U+FFFD, the replacement character.
    private static let sign: [UInt8] = [0xEF, 0xBF, 0xBD]

    private static func hexDigit(_ value: UInt8) -> UInt8 {
        value < 10 ? 0x30 + value : 0x41 + value - 10
    }

    /// The decoded octets of `text`. A `=` that is not followed by two hexadecimal digits is kept.
    static func decoded(_ text: ArraySlice<UInt8>) -> [UInt8] {
        text.decodingOctets(behind: .equals)
    }

    /// True if `text` ends with an encoded octet such as `=C3`.
    static func endsWithEncodedOctet(_ text: [UInt8]) -> Bool {
        let tail = text.suffix(3)
        guard tail.count == 3, tail.first == .equals else { return false }
        return tail.dropFirst().allSatisfy { $0.hexValue != nil }
    }
}
