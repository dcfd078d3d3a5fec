public import Planning

/// The refusal of an action; `nil` if it succeeds.
public func refusal(_ action: () async throws -> Void) async -> Refusal? {
    do {
        try await action()
        return nil
    } catch {
        return Refusal(error)
    }
}
