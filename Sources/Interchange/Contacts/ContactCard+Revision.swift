/// The order of the versions of a card.
extension ContactCard {
    /// True if this card states an earlier time of its last change (REV) than another version of
    /// it. Times in different forms, or with different offsets from UTC, are not compared.
    ///
    /// - Parameter other: the other version.
    /// - Returns: false if one of the times is missing or cannot be read.
    public func isOlder(than other: ContactCard) -> Bool {
        guard let own = revision.flatMap(Revision.init),
            let its = other.revision.flatMap(Revision.init),
            own.suffix == its.suffix
        else { return false }
        return own.digits < its.digits
    }

    /// A time of the form `20261101T100000Z` or `2026-11-01T10:00:00Z` (RFC 6350, 4.3.5).
    private struct Revision {
        /// The digits of the date and the time, to the second.
        let digits: String
        /// The offset from UTC as it is written.
        let suffix: Substring

        init?(_ text: String) {
            guard let middle = text.firstIndex(of: "T") else { return nil }
            let rest = text[middle...].dropFirst()
            let time = rest.prefix { $0.isDigit || $0 == ":" || $0 == "." }
            digits = String((text[..<middle] + time).filter(\.isDigit).prefix(14))
            suffix = rest.dropFirst(time.count)
            guard digits.count == 14 else { return nil }
        }
    }
}

extension Character {
    fileprivate var isDigit: Bool { isASCII && isWholeNumber }
}
