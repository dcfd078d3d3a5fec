/// A value that JSON encodes as `null` if it is missing. The field is never omitted, so that every
/// documented field is present in an answer.
@propertyWrapper
public struct Null<Value: Encodable & Sendable>: Encodable, Sendable {
    /// The value, if there is one.
    public var wrappedValue: Value?

    /// Wraps a value.
    public init(wrappedValue: Value?) {
        self.wrappedValue = wrappedValue
    }

    /// Writes the value, or `null`.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        guard let wrappedValue else { return try container.encodeNil() }
        try container.encode(wrappedValue)
    }
}

/// An id that JSON encodes as `null` while it is empty. An object in a preview has no id yet; it
/// gets one when it is created.
@propertyWrapper
public struct OptionalID: Encodable, Sendable {
    /// The id; empty if there is none yet.
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
