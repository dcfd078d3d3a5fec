/// What an import did.
public struct ImportReport: Encodable, Sendable {
    /// A part of a file that was left out.
    public struct Skipped: Encodable, Sendable {
        /// The file.
        public let file: String
        /// The line, counted from 1; `null` when the whole file is meant.
        @Null public var line: Int?
        /// Why.
        public let reason: String
    }

    /// Contacts that are new.
    public internal(set) var imported = 0
    /// Contacts that were there and know more now.
    public internal(set) var updated = 0
    /// Contacts that were there and are as they were.
    public internal(set) var unchanged = 0
    /// What was left out.
    public internal(set) var skipped: [Skipped] = []
    /// What was read, but perhaps not as its author meant it.
    public internal(set) var warnings: [Skipped] = []
    /// Names of those who have no mail address and cannot be invited by mail.
    public internal(set) var withoutAddress: [String] = []
    /// How many cards were read.
    public internal(set) var read = 0
}
