/// Lines as vCard and iCalendar write them: CRLF, folded (RFC 5545, 3.1; RFC 6350, 3.2).
enum LineFolding {
    /// Octets of a line, without its CRLF.
    static let octetsMax = 75

    /// Appends `line` and CRLF to `output`, folded between characters where it is too long.
    ///
    /// `line` is UTF-8 without line breaks.
    static func append(_ line: some Collection<UInt8>, to output: inout [UInt8]) {
        let bytes = ContiguousArray(line)
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
        output += [.carriageReturn, .lineFeed]
    }
}
