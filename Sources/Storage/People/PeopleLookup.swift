import GRDB

/// People, contacts, circles and places as they stand at one moment: many questions, and one look.
///
/// Who a text means takes several questions, and a list of names several times as many. Asked one
/// by one, most of the time would go into the way to the store and back, and the answers might be
/// of different moments.
public struct PeopleLookup {
    let db: Database
}

extension Store {
    /// Lets `body` ask as much as it likes of people, contacts, circles and places.
    ///
    /// - Throws: ``StoreError``, and what `body` throws.
    public func lookUp<Value: Sendable>(
        _ body: @escaping @Sendable (PeopleLookup) throws -> Value
    ) async throws -> Value {
        try await read { db in try body(PeopleLookup(db: db)) }
    }
}
