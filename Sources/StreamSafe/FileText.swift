/// The text of files that people write with an editor: settings, templates, a crontab.
///
/// Some editors write a byte order mark before UTF-8, or save text in UTF-16.
public enum FileText {
    /// The byte order mark U+FEFF in UTF-8.
    private static let mark: [UInt8] = [0xEF, 0xBB, 0xBF]

    /// The text of a file.
    ///
    /// - Parameter bytes: the whole file.
    /// - Returns: the text without a byte order mark; `nil` if the file is not in UTF-8.
    public static func utf8(_ bytes: some Collection<UInt8>) -> String? {
        let isMarked = bytes.starts(with: mark)
        return String(validating: bytes.dropFirst(isMarked ? mark.count : 0), as: UTF8.self)
    }

    /// True if a file is in UTF-16: it begins with a byte order mark of that form, or has a zero
    /// byte among the first two.
    ///
    /// - Parameter bytes: the whole file.
    /// - Returns: true if so.
    public static func isUTF16(_ bytes: some Collection<UInt8>) -> Bool {
        let start = Array(bytes.prefix(2))
        return start == [0xFF, 0xFE] || start == [0xFE, 0xFF]
            || start.count == 2 && start.count { $0 == 0 } == 1
    }
}
