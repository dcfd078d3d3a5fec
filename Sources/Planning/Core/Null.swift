/// A value that JSON shows as `null` when it is missing, in place of leaving its name out: who
/// reads an answer finds every field that is documented.
@propertyWrapper
public struct Null<Value: Encodable & Sendable>: Encodable, Sendable {
    /// The value, where there is one.
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
