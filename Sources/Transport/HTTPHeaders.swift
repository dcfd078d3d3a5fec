/// The header fields of a message, in order. Names are case-insensitive, and a name may occur
/// several times.
///
/// The description shows only names, because values may be secret.
public struct HTTPHeaders: Equatable, Sendable {
    /// One header field.
    public struct Field: Equatable, Sendable {
        /// The name, as written.
        public let name: String
        /// The value, without surrounding spaces.
        public let value: String

        /// Creates a header field.
        public init(name: String, value: String) {
            self.name = name
            self.value = value
        }
    }

    /// The fields, in order.
    public private(set) var fields: [Field] = []

    /// Creates headers without fields.
    public init() {}

    /// Adds a field after the existing ones.
    public mutating func add(_ name: String, _ value: String) {
        fields.append(Field(name: name, value: value))
    }

    /// The value of the first field with this name; `nil` if there is none.
    public subscript(name: String) -> String? {
        fields.first { $0.name.lowercased() == name.lowercased() }?.value
    }

    /// The values of all fields with this name, in order.
    public func values(of name: String) -> [String] {
        fields.filter { $0.name.lowercased() == name.lowercased() }.map(\.value)
    }
}

extension HTTPHeaders: ExpressibleByDictionaryLiteral {
    /// Creates headers with fields in the order of the literal.
    public init(dictionaryLiteral elements: (String, String)...) {
        fields = elements.map { Field(name: $0, value: $1) }
    }
}

extension HTTPHeaders: CustomStringConvertible, CustomReflectable {
    /// The names of the fields.
    public var description: String { "[\(fields.map(\.name).joined(separator: ", "))]" }

    /// The names of the fields, for dumps.
    public var customMirror: Mirror { Mirror(self, unlabeledChildren: fields.map(\.name)) }
}

extension HTTPHeaders.Field: CustomStringConvertible, CustomReflectable {
    /// The name of the field.
    public var description: String { name }

    /// The name of the field, for dumps.
    public var customMirror: Mirror { Mirror(self, unlabeledChildren: [name]) }

    /// Checks that the field can be sent as one line: its name is a token (RFC 9110, section
    /// 5.6.2), and its value contains no line breaks, NUL or other control characters.
    func checkSendable() throws(TransportError) {
        let isToken = !name.isEmpty && name.utf8.allSatisfy(Self.isTokenText)
        guard isToken, value.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 }) else {
            throw .badHeader(name: isToken ? name : "?")
        }
    }

    private static func isTokenText(_ octet: UInt8) -> Bool {
        switch octet {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
        // "!#$%&'*+-.^_`|~"
        case 0x21, 0x23...0x27, 0x2A, 0x2B, 0x2D, 0x2E, 0x5E...0x60, 0x7C, 0x7E: true
        default: false
        }
    }
}
