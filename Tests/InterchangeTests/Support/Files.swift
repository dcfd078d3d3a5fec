/// A file of `lines`, each ended by CRLF.
func file(_ lines: String...) -> [UInt8] {
    Array(lines.map { $0 + "\r\n" }.joined().utf8)
}

/// A card of `version` that contains `lines`; the first of them is line 4 of the file.
func card(_ lines: String..., version: String = "3.0") -> [UInt8] {
    let whole = ["BEGIN:VCARD", "VERSION:\(version)", "FN:Ann"] + lines + ["END:VCARD"]
    return Array(whole.map { $0 + "\r\n" }.joined().utf8)
}

/// `text` in UTF-16, without a byte order mark.
func utf16(_ text: String, isBigEndian: Bool = false) -> [UInt8] {
    var bytes: [UInt8] = []
    for unit in text.utf16 {
        let low = UInt8(unit & 0xFF)
        let high = UInt8(unit >> 8)
        bytes += isBigEndian ? [high, low] : [low, high]
    }
    return bytes
}
