import Foundation

/// A part of a mail's body (RFC 2045).
public struct MailPart: Sendable {
    /// The content of a part.
    enum Content: Sendable {
        /// Text, written as quoted-printable.
        case text(String)
        /// Octets, written as base64.
        case data(Base64Lines)
        /// Nested parts.
        case parts([MailPart])
    }

    let type: String
    /// The parameters of the content type. Only file names need quotes.
    let parameters: [String]
    let disposition: String?
    let content: Content

    /// A text of a subtype such as `plain` or `html`.
    public static func text(_ text: String, subtype: String) -> MailPart {
        MailPart(
            type: "text/\(subtype)", parameters: ["charset=utf-8"], disposition: nil,
            content: .text(text))
    }

    /// A calendar object for programs (RFC 6047, 2.4). It is base64, so that its folded lines
    /// arrive unchanged. `method` is the METHOD of the object.
    public static func calendar(_ lines: Base64Lines, method: String) -> MailPart {
        MailPart(
            type: "text/calendar", parameters: ["charset=utf-8", "method=\(method)"],
            disposition: nil, content: .data(lines))
    }

    /// A file. Its name must be ASCII without quotes.
    public static func attachment(_ lines: Base64Lines, type: String, file: String) -> MailPart {
        MailPart(
            type: type, parameters: ["name=\"\(file)\""],
            disposition: "attachment; filename=\"\(file)\"", content: .data(lines))
    }

    /// The same content in several forms, the best one last.
    public static func alternative(_ parts: [MailPart]) -> MailPart {
        MailPart(
            type: "multipart/alternative", parameters: [], disposition: nil, content: .parts(parts))
    }

    /// Several independent parts.
    public static func mixed(_ parts: [MailPart]) -> MailPart {
        MailPart(type: "multipart/mixed", parameters: [], disposition: nil, content: .parts(parts))
    }

    /// Appends header fields, an empty line and the content.
    ///
    /// No line of a part can begin with the boundary of another (RFC 2046, 5.1.1). Each boundary
    /// begins with `=_` and the path to its part, such as `0.1`, which ends with `_`. Neither
    /// quoted-printable nor base64 has a line that begins with `--=_`.
    func append(to output: inout [UInt8], mark: String, way: String = "0") {
        let boundary = "=_\(way)_\(mark)"
        var type = [self.type] + parameters
        if case .parts = content { type.append("boundary=\"\(boundary)\"") }
        MailHeader("Content-Type", tokens: type.joined(separator: "; ")).append(to: &output)
        if let disposition {
            MailHeader("Content-Disposition", tokens: disposition).append(to: &output)
        }
        switch content {
        case .text(let text):
            MailHeader("Content-Transfer-Encoding", tokens: "quoted-printable").append(to: &output)
            output += [.carriageReturn, .lineFeed]
            QuotedPrintable.append(text, to: &output)
        case .data(let coded):
            MailHeader("Content-Transfer-Encoding", tokens: "base64").append(to: &output)
            output += [.carriageReturn, .lineFeed]
            output += coded.lines
        case .parts(let parts):
            output += [.carriageReturn, .lineFeed]
            for (number, part) in parts.enumerated() {
                output += "--\(boundary)\r\n".utf8
                part.append(to: &output, mark: mark, way: "\(way).\(number)")
            }
            output += "--\(boundary)--\r\n".utf8
        }
    }
}

/// Octets in base64 as mails carry them (RFC 2045, 6.8), encoded once for repeated use.
public struct Base64Lines: Sendable {
    /// The lines, each with CRLF.
    fileprivate let lines: [UInt8]

    /// Encodes octets.
    public init(_ octets: [UInt8]) {
        let text = Data(octets).base64EncodedData(
            options: [.lineLength76Characters, .endLineWithCarriageReturn, .endLineWithLineFeed])
        lines = text + [.carriageReturn, .lineFeed]
    }
}
