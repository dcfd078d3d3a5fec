/// A value that is never shown: only who uses it can read it.
public struct Secret: Equatable, Sendable, CustomStringConvertible, CustomReflectable {
    /// The value itself. Do not log it.
    public let value: String

    /// Keeps a value secret.
    public init(_ value: String) {
        self.value = value
    }

    /// Says only that there is one.
    public var description: String { "(set)" }

    /// Keeps dumps and debuggers' mirrors from showing the value.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
