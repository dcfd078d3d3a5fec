/// Encodes metrics in the text format of Prometheus, version 0.0.4.
enum PrometheusText {
    static let mediaType = "text/plain; version=0.0.4; charset=utf-8"

    /// All metrics sorted by name, so that equal metrics give equal text.
    static func of(_ families: [MetricFamily]) -> String {
        var text = ""
        for family in families.sorted(by: { $0.name < $1.name }) where !family.samples.isEmpty {
            let name = self.name(family.name)
            text += "# HELP \(name) \(escaped(family.help, quotes: false))\n"
            text += "# TYPE \(name) \(family.kind.rawValue)\n"
            for sample in family.samples {
                text += "\(name)\(sample.suffix)\(labels(sample.labels)) \(number(sample.value))\n"
            }
        }
        return text
    }

    private static func labels(_ labels: [MetricLabel]) -> String {
        guard !labels.isEmpty else { return "" }
        let texts = labels.map { "\($0.name)=\"\(escaped($0.value, quotes: true))\"" }
        return "{\(texts.joined(separator: ","))}"
    }

    /// A number in a format that Go's `ParseFloat` accepts.
    static func number(_ value: Double) -> String {
        if value.isNaN { return "NaN" }
        if value.isInfinite { return value < 0 ? "-Inf" : "+Inf" }
        if let whole = Int64(exactly: value), abs(whole) < 1 << 53 { return String(whole) }
        return String(value)
    }

    /// A valid metric name: each invalid character becomes an underscore.
    static func name(_ text: String) -> String {
        word(text) { $0 == UInt8(ascii: ":") }
    }

    /// A valid label name: as a metric name, but without colons.
    static func labelName(_ text: String) -> String {
        word(text) { _ in false }
    }

    private static func word(_ text: String, allowing isAllowed: (UInt8) -> Bool) -> String {
        let bytes = text.utf8.map { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
                byte
            default: isAllowed(byte) ? byte : UInt8(ascii: "_")
            }
        }
        let word = String(decoding: bytes, as: UTF8.self)
        let isNumber = word.utf8.first.map { (0x30...0x39).contains($0) } ?? true
        return isNumber ? "_" + word : word
    }

    /// Escapes backslashes, line breaks and, where `quotes` is true, double quotes.
    private static func escaped(_ text: String, quotes: Bool) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar.value {
            case 0x0A: result += "\\n"
            case 0x5C: result += "\\\\"
            case 0x22 where quotes: result += "\\\""
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}
