/// The bytes of a file, prepared for a parser that reads ASCII and its 8-bit extensions.
enum SourceText {
    /// `bytes` without a byte order mark. UTF-16, with or without a mark, is converted to UTF-8.
    ///
    /// Everything else stays unchanged: the 8-bit encoding is decided line by line.
    static func plain(_ bytes: [UInt8]) -> [UInt8] {
        guard bytes.count >= 2 else { return bytes }
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { return Array(bytes[3...]) }
        // No supported text begins with NUL, so one zero byte among the first two means UTF-16
        // without a mark.
        switch (bytes[0], bytes[1]) {
        case (0xFF, 0xFE): return utf8(fromUTF16: bytes[2...], isBigEndian: false)
        case (0xFE, 0xFF): return utf8(fromUTF16: bytes[2...], isBigEndian: true)
        case (0, let second) where second != 0:
            return utf8(fromUTF16: bytes[...], isBigEndian: true)
        case (let first, 0) where first != 0:
            return utf8(fromUTF16: bytes[...], isBigEndian: false)
        default: return bytes
        }
    }

    private static func utf8(
        fromUTF16 bytes: ArraySlice<UInt8>, isBigEndian: Bool
    ) -> [UInt8] {
        let start = bytes.startIndex
        let units = (0..<bytes.count / 2).lazy.map { index in
            let first = UInt16(bytes[start + 2 * index])
            let second = UInt16(bytes[start + 2 * index + 1])
            return isBigEndian ? first << 8 | second : second << 8 | first
        }
        return Array(String(decoding: units, as: UTF16.self).utf8)
    }
}
