/// What was read from an address book file.
public struct CardReading: Equatable, Sendable {
    /// The good cards, in the order of the file.
    public var cards: [ContactCard] = []
    /// What was left out, in the order of the file; at most ``ContactLimits/remarksMax`` and one
    /// that says so.
    public var skipped: [SkippedPart] = []
    /// What was read, but perhaps not as its author meant it; bounded as ``skipped``.
    public var warnings: [ReadingWarning] = []

    /// Nothing read yet.
    public init() {}

    mutating func skip(line: Int, _ reason: String) {
        guard skipped.count <= ContactLimits.remarksMax else { return }
        let isLast = skipped.count == ContactLimits.remarksMax
        skipped.append(
            SkippedPart(line: line, reason: isLast ? CardReading.furtherRemarks : reason))
    }

    mutating func warn(line: Int, _ message: String) {
        guard warnings.count <= ContactLimits.remarksMax else { return }
        let isLast = warnings.count == ContactLimits.remarksMax
        warnings.append(
            ReadingWarning(line: line, message: isLast ? CardReading.furtherRemarks : message))
    }

    static let furtherRemarks = "more was found from here on than is listed"
}

/// A part of a file that was left out: a card, or a line of a card that was kept.
public struct SkippedPart: Equatable, Sendable {
    /// Counted from 1. For a card, the line on which it begins.
    public let line: Int
    /// Why, in words that may be shown.
    public let reason: String

    /// A part and the reason, as they are.
    public init(line: Int, reason: String) {
        self.line = line
        self.reason = reason
    }
}

/// Something that was read, but perhaps not as its author meant it.
public struct ReadingWarning: Equatable, Sendable {
    /// Counted from 1.
    public let line: Int
    /// What was assumed, in words that may be shown.
    public let message: String

    /// A line and the message, as they are.
    public init(line: Int, message: String) {
        self.line = line
        self.message = message
    }
}

/// The most that is read of one file. What exceeds a limit is left out and named.
public enum ContactLimits {
    /// Bytes of a file: 64 MiB.
    public static let fileBytesMax = 64 << 20
    /// Cards of a file, or rows below its header.
    public static let cardsMax = 200_000
    /// Bytes of one unfolded line: 16 MiB, for pictures.
    public static let lineBytesMax = 16 << 20
    /// Properties of a card; a group has one for each member.
    public static let propertiesMax = 100_000
    /// Columns of a table that are looked at.
    public static let columnsMax = 500
    /// Entries of ``CardReading/skipped``, and of ``CardReading/warnings``.
    public static let remarksMax = 1000
    /// Bytes of a mail address (RFC 5321, 4.5.3.1.3, without the angle brackets).
    public static let mailAddressBytesMax = 254

    /// The sentence about a file of more than ``fileBytesMax``.
    public static func refusal(ofBytes count: Int) -> String {
        "the file has \(count) bytes, and at most \(fileBytesMax) are read"
    }
}
