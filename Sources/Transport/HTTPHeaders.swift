/// The header fields of a message, in their order. Names are compared without regard to case, and
/// a name may come several times.
///
/// The description shows names only, since a value may be a secret.
public struct HTTPHeaders: Equatable, Sendable {
    /// One line of the header.
    public struct Field: Equatable, Sendable {
        /// The name, as written.
        public let name: String
        /// The value, without spaces around it.
        public let value: String

        /// Describes a line.
        public init(name: String, value: String) {
            self.name = name
            self.value = value
        }
    }

    /// The lines, in their order.
    public private(set) var fields: [Field] = []

    /// No lines.
    public init() {}

    /// Adds a line after those that are there.
    public mutating func add(_ name: String, _ value: String) {
        fields.append(Field(name: name, value: value))
    }

    /// The value of the first line of this name, nil when there is none.
    public subscript(name: String) -> String? {
        fields.first { $0.name.lowercased() == name.lowercased() }?.value
    }

    /// The values of all lines of this name, in their order.
    public func values(of name: String) -> [String] {
        fields.filter { $0.name.lowercased() == name.lowercased() }.map(\.value)
    }
}

extension HTTPHeaders: ExpressibleByDictionaryLiteral {
    /// The lines in the order in which they are written.
    public init(dictionaryLiteral elements: (String, String)...) {
        fields = elements.map { Field(name: $0, value: $1) }
    }
}

extension HTTPHeaders: CustomStringConvertible, CustomReflectable {
    /// The names of the lines.
    public var description: String { "[\(fields.map(\.name).joined(separator: ", "))]" }

    /// The names of the lines: what a dump may show.
    public var customMirror: Mirror { Mirror(self, unlabeledChildren: fields.map(\.name)) }
}

extension HTTPHeaders.Field: CustomStringConvertible, CustomReflectable {
    /// The name.
    public var description: String { name }

    /// The name: what a dump may show.
    public var customMirror: Mirror { Mirror(self, unlabeledChildren: [name]) }

    /// Checks that the line can be sent as one line: a token (RFC 9110, section 5.6.2) and text
    /// without line breaks, NUL and other controls.
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
