public import Storage

/// The pace of an import that runs beside other work.
public struct ImportPace: Sendable {
    /// The id of the task that runs the import, by which it can be taken back; `nil` for none.
    let id: ContactImportID?
    /// The most cards saved in one transaction.
    let rowsMax: Int
    /// Called before each transaction with the number of saved cards and the total. If it returns
    /// false, the import stops, and keeps what was saved.
    let mayGoOn: @Sendable (_ done: Int, _ of: Int) async throws -> Bool
    /// True if the import is to stop while files are read.
    let isStopped: @Sendable () -> Bool

    /// Sets the pace.
    ///
    /// - Parameters:
    ///   - id: the id of the task that runs the import, by which it can be taken back; `nil` for
    ///     an import without a task. When the task is removed, the import saves nothing more.
    ///   - rowsMax: the most cards saved in one transaction; 2000 take half a second.
    ///   - mayGoOn: called before each transaction with the number of saved cards and the total; if
    ///     it returns false, the import stops, and keeps what was saved.
    ///   - isStopped: asked often while files are read; if it is true, the import stops. It stays
    ///     true, and ``mayGoOn`` returns false from then on.
    public init(
        id: ContactImportID? = nil, rowsMax: Int = 2000,
        mayGoOn: @escaping @Sendable (_ done: Int, _ of: Int) async throws -> Bool = { _, _ in
            true
        },
        isStopped: @escaping @Sendable () -> Bool = { false }
    ) {
        self.id = id
        self.rowsMax = rowsMax
        self.mayGoOn = mayGoOn
        self.isStopped = isStopped
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
