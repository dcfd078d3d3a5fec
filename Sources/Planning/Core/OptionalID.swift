/// An id that JSON shows as `null` while it is empty: that of something that is only shown, and
/// will have another id when it is made.
@propertyWrapper
public struct OptionalID: Encodable, Sendable {
    /// The id; empty where there is none yet.
    public var wrappedValue: String

    /// Wraps an id.
    public init(wrappedValue: String) {
        self.wrappedValue = wrappedValue
    }

    /// Writes the id, or `null`.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        guard !wrappedValue.isEmpty else { return try container.encodeNil() }
        try container.encode(wrappedValue)
    }
}
