/// A JSON value of unknown structure. It comes from services or files of others, in which any field
/// may be missing or have an unexpected type.
enum JSONValue: Equatable, Sendable {
    case null
    case bool(Bool)
    case number(Double)
    case string(String)
    case array([JSONValue])
    /// If a name occurs more than once, the last value counts.
    case object([String: JSONValue])

    /// The field of an object; nil if this is not an object or has no such field.
    subscript(name: String) -> JSONValue? {
        guard case .object(let fields) = self else { return nil }
        return fields[name]
    }

    var string: String? {
        guard case .string(let text) = self else { return nil }
        return text
    }

    /// The number. It is always finite, because JSON has no infinities and no NaN.
    var number: Double? {
        guard case .number(let number) = self else { return nil }
        return number
    }

    /// The number if it is whole and small enough to be exact (below 2^53).
    var integer: Int? {
        guard let number, number == number.rounded(), abs(number) < 0x1p53 else { return nil }
        return Int(number)
    }

    /// The elements of an array; empty if this is not an array.
    var elements: [JSONValue] {
        guard case .array(let elements) = self else { return [] }
        return elements
    }

    /// The fields of an object; empty if this is not an object.
    var fields: [String: JSONValue] {
        guard case .object(let fields) = self else { return [:] }
        return fields
    }
}

/// The reason why bytes are not valid JSON.
struct JSONError: Error, Equatable {
    /// The problem, as the end of a sentence.
    let reason: String
    /// The number of bytes before the problem.
    let position: Int
}

extension JSONError {
    /// A description of bytes that are not JSON, as the end of a sentence.
    func words(about bytes: [UInt8]) -> String {
        let first = bytes.first { $0 > 0x20 }
        switch first {
        case nil: return "it is empty"
        case UInt8(ascii: "<"): return "it is a web page, not JSON"
        default: return "it is not valid JSON (\(reason) at byte \(position))"
        }
    }
}
