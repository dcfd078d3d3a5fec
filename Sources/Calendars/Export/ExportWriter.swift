/// Receives the files of an export one after the other, each in parts.
public protocol ExportWriter: AnyObject {
    /// Begins a file. The one before is complete.
    ///
    /// - Parameter name: the name of the file, in ASCII and without a folder.
    /// - Throws: an error of the place where the export is kept.
    func begin(_ name: String) throws

    /// Adds bytes to the file.
    ///
    /// - Parameter bytes: the bytes.
    /// - Throws: an error of the place where the export is kept.
    func add(_ bytes: some Collection<UInt8>) throws
}

/// The range of an export.
public enum ExportScope: Sendable {
    /// Everything that the actor may see: for the owner of the installation, all its meetings.
    case all
    /// Only what concerns the actor: their own address book, and the meetings that they organize or
    /// take part in, without what others are told about the meetings of others.
    case own
}

/// The numbers of things in an export.
public struct ExportCount: Equatable, Sendable {
    /// The people of the address book.
    public var people = 0
    /// The circles.
    public var circles = 0
    /// The saved places.
    public var places = 0
    /// The meetings.
    public var meetings = 0
    /// The deliveries about these meetings.
    public var deliveries = 0
}
