/// How an address book stands to a person in it: whether it is the owner's, and who else knows the
/// person.
public struct Acquaintance: Equatable, Sendable {
    /// Whether the book is that of the owner of the installation.
    public let isOfOwner: Bool
    /// Whether another address book has the person.
    public let isInOtherBook: Bool
    /// Whether the person takes part in a meeting that somebody else organizes.
    public let isInOthersMeeting: Bool

    /// Describes how a book stands to a person.
    public init(isOfOwner: Bool, isInOtherBook: Bool, isInOthersMeeting: Bool) {
        self.isOfOwner = isOfOwner
        self.isInOtherBook = isInOtherBook
        self.isInOthersMeeting = isInOthersMeeting
    }

    /// Whether the book says how the person is called and reached in meetings: the owner's does,
    /// and another one only of whom nobody else knows. Else anybody could have the mail of others
    /// sent elsewhere.
    public var speaks: Bool { isOfOwner || !isInOtherBook && !isInOthersMeeting }
}
