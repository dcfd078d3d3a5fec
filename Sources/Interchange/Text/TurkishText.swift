/// Texts in Windows-1254, which differs from Windows-1252 in the letters of Turkish that Icelandic
/// does not have.
enum TurkishText {
    /// The octets of "ğ", "ı" and "ş", of which the others are capitals.
    private static let kinds: [UInt8: Int] = [
        0xD0: 0, 0xF0: 0, 0xDD: 1, 0xFD: 1, 0xDE: 2, 0xFE: 2,
    ]
    /// The octets of letters of Iceland and of Central Europe that Turkish does not have.
    private static let foreign: Set<UInt8> = [
        0xC1, 0xC5, 0xC6, 0xC8, 0xC9, 0xCD, 0xD3, 0xD8, 0xDA, 0xE1, 0xE5, 0xE6, 0xE8, 0xE9, 0xED,
        0xF3, 0xF8, 0xFA,
    ]
    /// The fewest of the three letters that tell.
    private static let kindsMin = 2

    /// True if at least two of the letters occur, one of them where Icelandic has no such letter,
    /// and none of another language.
    static func isLikely(_ bytes: [UInt8]) -> Bool {
        var found: Set<Int> = []
        var isPlaced = false
        for (place, byte) in bytes.enumerated() where byte > 0x7F {
            if foreign.contains(byte) { return false }
            guard let kind = kinds[byte] else { continue }
            found.insert(kind)
            let isInWord = place > 0 && (bytes[place - 1].isASCIILetter || bytes[place - 1] > 0xBF)
            // "ş" within a word: the same octet is "þ", which begins words.
            isPlaced = isPlaced || kind == 1 || kind == 2 && isInWord
        }
        return isPlaced && found.count >= kindsMin
    }
}
