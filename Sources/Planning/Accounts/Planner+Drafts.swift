import Agenda
public import Storage

/// The meeting that the actor has begun to plan.
extension Planner {
    /// The most bytes of a draft.
    private static let draftBytesMax = 64 * 1024

    /// The draft of the actor; `nil` if there is none.
    public func draft() async throws -> Draft? { try await store.draft(of: actor.id) }

    /// Keeps the fields of a form instead of the draft before. Fields that are too long are not
    /// kept.
    ///
    /// - Parameter fields: the fields as JSON.
    /// - Throws: ``StoreError``.
    public func keepDraft(_ fields: String) async throws {
        guard fields.utf8.count <= Self.draftBytesMax else { return }
        try await store.keepDraft(fields, of: actor.id, now: now)
    }

    /// Removes the draft of the actor.
    public func dropDraft() async throws {
        try await store.keepDraft(nil, of: actor.id, now: now)
    }
}
