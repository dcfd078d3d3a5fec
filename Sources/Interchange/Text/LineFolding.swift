/// Lines as vCard and iCalendar write them: CRLF, folded (RFC 5545, 3.1; RFC 6350, 3.2).
enum LineFolding {
    /// Octets of a line, without its CRLF.
    static let octetsMax = 75

    /// Appends `line` and CRLF to `output`, folded between characters where it is too long.
    ///
    /// `line` is UTF-8 without line breaks.
    static func append(_ line: some Collection<UInt8>, to output: inout [UInt8]) {
        let start = output.count
        output += line
        end(lineFrom: start, of: &output)
    }

    /// Ends with CRLF the line that goes from a place to the end of `output`, folded between
    /// characters where it is too long.
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
            // A byte of the form 10xxxxxx goes on with a character.
            while end > start + 1, bytes[end] & 0xC0 == 0x80 { end -= 1 }
            output += bytes[start..<end]
            output += [.carriageReturn, .lineFeed, .space]
            start = end
            room = octetsMax - 1
        }
        output += bytes[start...]
    }
}
