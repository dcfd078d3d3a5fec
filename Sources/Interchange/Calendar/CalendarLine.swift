/// A property of a calendar object: name, parameters and value (RFC 5545, 3.1).
struct CalendarLine {
    let name: String
    let parameters: [(name: String, value: String)]
    /// As it stands behind the colon.
    let value: String

    /// A property whose value is written as it is.
    init(_ name: String, _ parameters: [(name: String, value: String)] = [], raw value: String) {
        self.name = name
        self.parameters = parameters
        self.value = value
    }

    /// A property whose value is text (RFC 5545, 3.3.11).
    init(_ name: String, text: String) {
        self.init(name, raw: Self.escaped(text))
    }

    /// The line with its end, folded where it is long.
    func append(to output: inout [UInt8]) {
        let head = parameters.reduce(name) { "\($0);\($1.name)=\(Self.parameter($1.value))" }
        LineFolding.append("\(head):\(value)".utf8, to: &output)
    }

    private static func escaped(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\\", ";", ",": result.unicodeScalars += ["\\", scalar]
            case "\n": result += "\\n"
            case "\t": result += "\t"
            default: if !isControl(scalar) { result.unicodeScalars.append(scalar) }
            }
        }
        return result
    }

    /// A parameter's value, in quotes where it has to be, with what quotes cannot hold written as
    /// RFC 6868 does.
    private static func parameter(_ text: String) -> String {
        var result = ""
        var needsQuotes = false
        for scalar in text.unicodeScalars {
            switch scalar {
            // Looked at by themselves: with a mark they would be other characters.
            case ":", ";", ",":
                needsQuotes = true
                result.unicodeScalars.append(scalar)
            case "^": result += "^^"
            case "\"": result += "^'"
            case "\n": result += "^n"
            default: if !isControl(scalar) { result.unicodeScalars.append(scalar) }
            }
        }
        return needsQuotes ? "\"\(result)\"" : result
    }

    /// What no property may hold (RFC 5545, 3.1).
    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        scalar.value < 0x20 || scalar.value == 0x7F
    }
}

/// A component of a calendar object (RFC 5545, 3.6).
struct CalendarComponent {
    let name: String
    var lines: [CalendarLine] = []
    var components: [CalendarComponent] = []

    init(_ name: String, _ lines: [CalendarLine] = [], _ components: [CalendarComponent] = []) {
        self.name = name
        self.lines = lines
        self.components = components
    }

    func append(to output: inout [UInt8]) {
        CalendarLine("BEGIN", raw: name).append(to: &output)
        for line in lines { line.append(to: &output) }
        for component in components { component.append(to: &output) }
        CalendarLine("END", raw: name).append(to: &output)
    }
}
