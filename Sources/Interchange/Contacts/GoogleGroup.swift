/// The groups that Google has in every address book, which are no circles of people.
public enum GoogleGroup {
    private static let names: Set = ["mycontacts", "my contacts", "starred", "starred in android"]

    /// True if a label, a group or a category is one of Google's own.
    ///
    /// - Parameter name: its name, without a mark.
    /// - Returns: true if so. The names that Google translates are known by their mark alone.
    public static func isOwn(_ name: String) -> Bool {
        let name = name.lowercased()
        return names.contains(name) || name.hasPrefix("system group:")
    }
}
