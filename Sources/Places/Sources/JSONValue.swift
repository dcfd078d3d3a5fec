/// A value of JSON whose shape is not known beforehand: answers and files of others, in which any
/// field may be missing or of another kind than promised.
enum JSONValue: Equatable, Sendable {
    case null
    case bool(Bool)
    case number(Double)
    case string(String)
    case array([JSONValue])
    /// Of a name that comes several times, the last one counts.
    case object([String: JSONValue])

    /// The field of an object; nil where this is no object or has no such field.
    subscript(name: String) -> JSONValue? {
        guard case .object(let fields) = self else { return nil }
        return fields[name]
    }

    var string: String? {
        guard case .string(let text) = self else { return nil }
        return text
    }

    /// Always finite: JSON has no other numbers.
    var number: Double? {
        guard case .number(let number) = self else { return nil }
        return number
    }

    /// The number where it is whole and every whole number of its size can be told apart.
    var integer: Int? {
        guard let number, number == number.rounded(), abs(number) < 0x1p53 else { return nil }
        return Int(number)
    }

    /// The elements; none where this is no array.
    var elements: [JSONValue] {
        guard case .array(let elements) = self else { return [] }
        return elements
    }

    /// The fields; none where this is no object.
    var fields: [String: JSONValue] {
        guard case .object(let fields) = self else { return [:] }
        return fields
    }
}

/// Why bytes are no JSON.
struct JSONError: Error, Equatable {
    /// What is wrong, as the end of a sentence.
    let reason: String
    /// How many bytes were read before it was found.
    let position: Int
}

extension JSONError {
    /// What came in place of JSON, as the end of a sentence.
    func words(about bytes: [UInt8]) -> String {
        let first = bytes.first { $0 > 0x20 }
        switch first {
        case nil: return "it is empty"
        case UInt8(ascii: "<"): return "it is a web page, not JSON"
        default: return "it is no JSON, \(reason) at byte \(position)"
        }
    }
}
