public import Planning

/// The refusal with which an action ends; `nil` when it succeeds.
public func refusal(_ action: () async throws -> Void) async -> Refusal? {
    do {
        try await action()
        return nil
    } catch {
        return Refusal(error)
    }
}
