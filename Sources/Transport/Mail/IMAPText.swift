import Foundation

/// Encodes values for IMAP commands (RFC 3501).
enum IMAPText {
    /// The name of a folder, quoted.
    static func folder(_ name: String) -> String {
        let escaped = encoded(name).replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
        return "\"\(escaped)\""
    }

    /// A folder name in modified UTF-7 (5.1.3): anything but visible ASCII stands between `&` and
    /// `-`, as base64 of UTF-16.
    static func encoded(_ name: String) -> String {
        var result = ""
        var wide: [UInt16] = []
        func close() {
            guard !wide.isEmpty else { return }
            let octets = wide.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
            let text = Data(octets).base64EncodedString().replacing("/", with: ",")
            result += "&\(text.prefix { $0 != "=" })-"
            wide = []
        }
        for scalar in name.unicodeScalars {
            guard (0x20...0x7E).contains(scalar.value) else {
                wide += Array(String(scalar).utf16)
                continue
            }
            close()
            result += scalar == "&" ? "&-" : String(scalar)
        }
        close()
        return result
    }

    /// A set of mail numbers.
    static func set(_ numbers: [Int64]) -> String {
        numbers.map(String.init).joined(separator: ",")
    }
}
