/// Tables in the code page of DOS for Western Europe, which spreadsheets still offer as
/// "CSV (MS-DOS)".
enum DOSText {
    /// The letter ü, which is no character in Windows-1252.
    private static let sign: UInt8 = 0x81
    /// The charset, by its name in iconv(3).
    private static let charset = Charset(name: "cp850")

    /// The text in UTF-8; `nil` if it is in another encoding: the sign is missing, or is a part of
    /// a line in UTF-8.
    ///
    /// - Parameter bytes: the whole file.
    /// - Returns: the file in UTF-8.
    static func utf8(_ bytes: [UInt8]) -> [UInt8]? {
        guard bytes.contains(sign), !hasUTF8(bytes) else { return nil }
        return charset?.text(bytes[...]).map { Array($0.utf8) }
    }

    /// True if a line is in UTF-8 and not ASCII.
    private static func hasUTF8(_ bytes: [UInt8]) -> Bool {
        bytes.split(separator: .lineFeed).contains {
            !$0.isASCII && String(validating: $0, as: UTF8.self) != nil
        }
    }
}
