import Foundation

/// A part of a mail's body (RFC 2045).
public struct MailPart: Sendable {
    /// What it holds.
    enum Content: Sendable {
        /// Text, written as quoted-printable.
        case text(String)
        /// Octets, written as base64.
        case data(Base64Lines)
        /// Parts of their own.
        case parts([MailPart])
    }

    let type: String
    /// The parameters of its type, of which none needs to be quoted but file names.
    let parameters: [String]
    let disposition: String?
    let content: Content

    /// Text of a kind, such as `plain` or `html`.
    public static func text(_ text: String, subtype: String) -> MailPart {
        MailPart(
            type: "text/\(subtype)", parameters: ["charset=utf-8"], disposition: nil,
            content: .text(text))
    }

    /// A calendar object as a program reads it (RFC 6047, 2.4): base64, because its folded lines
    /// are to arrive as they are. `method` is the object's own METHOD.
    public static func calendar(_ lines: Base64Lines, method: String) -> MailPart {
        MailPart(
            type: "text/calendar", parameters: ["charset=utf-8", "method=\(method)"],
            disposition: nil, content: .data(lines))
    }

    /// A file, whose name is ASCII without quotes.
    public static func attachment(_ lines: Base64Lines, type: String, file: String) -> MailPart {
        MailPart(
            type: type, parameters: ["name=\"\(file)\""],
            disposition: "attachment; filename=\"\(file)\"", content: .data(lines))
    }

    /// The same in several forms, the best last.
    public static func alternative(_ parts: [MailPart]) -> MailPart {
        MailPart(
            type: "multipart/alternative", parameters: [], disposition: nil, content: .parts(parts))
    }

    /// One beside the other.
    public static func mixed(_ parts: [MailPart]) -> MailPart {
        MailPart(type: "multipart/mixed", parameters: [], disposition: nil, content: .parts(parts))
    }

    /// Writes header fields, an empty line and the content.
    ///
    /// No line begins as a boundary of another part does (RFC 2046, 5.1.1): each has the way to
    /// its part in front, with an end. Nor does a content: neither quoted-printable nor
    /// base64 has a line that begins with `--=_`.
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

/// Octets as mails carry them (RFC 2045, 6.8), however often they stand in one.
public struct Base64Lines: Sendable {
    /// Each with CRLF.
    fileprivate let lines: [UInt8]

    /// Writes octets down.
    public init(_ octets: [UInt8]) {
        let text = Data(octets).base64EncodedData(
            options: [.lineLength76Characters, .endLineWithCarriageReturn, .endLineWithLineFeed])
        lines = text + [.carriageReturn, .lineFeed]
    }
}
