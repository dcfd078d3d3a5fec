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

    /// A group of which a circle was made, or that was added to one.
    public struct Group: Encodable, Sendable {
        /// The circle's name.
        public let name: String
        /// Whether there was no circle of the name.
        public let isNew: Bool
        /// How many are in the circle.
        public let people: Int
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
    /// What became of groups.
    public internal(set) var circles: [Group] = []
    /// Names of those who have no mail address and cannot be invited by mail.
    public internal(set) var withoutAddress: [String] = []
    /// How many cards were read.
    public internal(set) var read = 0
}
