/// Lines in the form of vCard and iCalendar: ended by CRLF and folded (RFC 5545, 3.1; RFC 6350,
/// 3.2).
enum LineFolding {
    /// The longest line in octets, without its CRLF.
    static let octetsMax = 75

    /// Appends `line` and CRLF to `output`, folded between characters if it is too long.
    ///
    /// `line` is UTF-8 without line breaks.
    static func append(_ line: some Collection<UInt8>, to output: inout [UInt8]) {
        let start = output.count
        output += line
        end(lineFrom: start, of: &output)
    }

    /// Ends the line from `start` to the end of `output` with CRLF, after folding it between
    /// characters if it is too long.
    static func end(lineFrom start: Int, of output: inout [UInt8]) {
        if output.count - start > octetsMax {
            let line = Array(output[start...])
            output.removeSubrange(start...)
            appendFolded(line, to: &output)
        }
        output.append(.carriageReturn)
        output.append(.lineFeed)
    }

    private static func appendFolded(_ bytes: [UInt8], to output: inout [UInt8]) {
        var start = 0
        var room = octetsMax
        while bytes.count - start > room {
            var end = start + room
            // A byte of the form 10xxxxxx continues a character.
            while end > start + 1, bytes[end] & 0xC0 == 0x80 { end -= 1 }
            output += bytes[start..<end]
            output += [.carriageReturn, .lineFeed, .space]
            start = end
            room = octetsMax - 1
        }
        output += bytes[start...]
    }
}
