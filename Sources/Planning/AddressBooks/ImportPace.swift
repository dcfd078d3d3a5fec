public import Storage

/// The pace of an import that runs beside other work.
public struct ImportPace: Sendable {
    /// The id of the task that does the import, by which it can be taken back; `nil` if none does.
    let id: ContactImportID?
    /// The most cards saved in one transaction.
    let rowsMax: Int
    /// Called before each transaction with the number of saved cards and the total. If it returns
    /// false, the import stops, and keeps what was saved.
    let mayGoOn: @Sendable (_ done: Int, _ of: Int) async throws -> Bool

    /// Sets the pace.
    ///
    /// - Parameters:
    ///   - id: the id of the task that does the import, by which it can be taken back; `nil` if
    ///     none does.
    ///   - rowsMax: the most cards saved in one transaction; 2000 take half a second.
    ///   - mayGoOn: called before each transaction with the number of saved cards and the total; if
    ///     it returns false, the import stops, and keeps what was saved.
    public init(
        id: ContactImportID? = nil, rowsMax: Int = 2000,
        mayGoOn: @escaping @Sendable (_ done: Int, _ of: Int) async throws -> Bool = { _, _ in
            true
        }
    ) {
        self.id = id
        self.rowsMax = rowsMax
        self.mayGoOn = mayGoOn
    }
}

/// The choices for the cards of an import that are being saved.
struct ImportSaving {
    let selection: ImportSelection
    /// True for a file that somebody sent to a page.
    let isSent: Bool
    let record: ContactImport
    let pace: ImportPace
}
