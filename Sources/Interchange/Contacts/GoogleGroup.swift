/// The groups that Google has in every address book, which are no circles of people.
///
/// ```swift
/// GoogleGroup.isOwn("System Group: My Contacts")  // true
/// ```
/// Google Contacts writes them in three ways: with a mark, as in `* myContacts`, in the column
/// "Labels" of its tables; in words, as in `System Group: My Contacts`, in its old tables; and
/// without either, as in `CATEGORIES:myContacts`, in cards.
public enum GoogleGroup {
    /// The English names of the groups, in lower case.
    private static let names: Set = ["mycontacts", "my contacts", "starred", "starred in android"]
    /// The words before a name in old tables, in lower case.
    private static let prefix = "system group:"

    /// True if a label, a group or a category is one of Google's own.
    ///
    /// - Parameter name: its name, without a mark.
    /// - Returns: true if so. The names that Google translates are known by their mark alone, which
    ///   the reader of a table looks for.
    public static func isOwn(_ name: String) -> Bool {
        let name = name.lowercased()
        // The whole name, so that a circle such as "Starred Films" stays one.
        return names.contains(name) || name.hasPrefix(prefix)
    }
}
