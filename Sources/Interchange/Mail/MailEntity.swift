import Foundation
import StreamSafe

/// A header with its body: a mail, or a part of one (RFC 2045, 2.4).
struct MailEntity {
    /// The most parts that are read.
    static let partsMax = 200
    /// The deepest nesting of parts.
    private static let depthMax = 10
    /// The most fields of a header that are read.
    private static let fieldsMax = 1000
    /// The most octets of a header.
    private static let headerOctetsMax = 256 << 10

    let fields: [MailField]
    private let body: ArraySlice<UInt8>
    private let depth: Int

    init(_ octets: ArraySlice<UInt8>, depth: Int = 0) {
        self.depth = depth
        var fields: [(name: [UInt8], raw: [UInt8])] = []
        var rest = octets
        let end = octets.startIndex + Self.headerOctetsMax
        while let line = rest.takeLine() {
            guard !line.isEmpty, line.endIndex <= end else { break }
            if line.first?.isBlank == true {
                if !fields.isEmpty { fields[fields.count - 1].raw += line }
            } else if let colon = line.firstIndex(of: .colon) {
                guard fields.count < Self.fieldsMax else { continue }
                fields.append((Array(line[..<colon]), Array(line[(colon + 1)...])))
            } else if !line.starts(with: "From ".utf8), !line.starts(with: ">From ".utf8) {
                // This is not a header field, so the body begins here without an empty line.
                break
            }
        }
        self.fields = fields.map { field in
            MailField(
                name: String(decoding: field.name[...].trimmedOfBlanks, as: UTF8.self)
                    .streamSafe.lowercased(),
                raw: Array(field.raw[...].trimmedOfBlanks))
        }
        body = rest
    }

    private func field(_ name: String) -> MailField? { fields.first { $0.name == name } }

    /// The content type in lower case, `text/plain` if there is none, and its parameters.
    var contentType: (type: String, parameters: [String: String]) {
        guard let field = field("content-type") else { return ("text/plain", [:]) }
        return Self.parameters(of: DecodedText(field.raw[...], charset: nil).text)
    }

    /// A value and the parameters after it, separated by semicolons (RFC 2045, 5.1; RFC 2231, 3 and
    /// 4).
    private static func parameters(of text: String) -> (String, [String: String]) {
        var words = split(text)
        let type = words.isEmpty ? "" : words.removeFirst().lowercased()
        var plain: [String: String] = [:]
        var extended: [String: String] = [:]
        var pieces: [String: [Int: String]] = [:]
        for word in words {
            guard let equals = word.firstIndex(of: "=") else { continue }
            let name = word[..<equals].trimmingCharacters(in: .whitespaces).lowercased()
            var value = word[word.index(after: equals)...].trimmingCharacters(in: .whitespaces)
            let parts = name.split(separator: "*", omittingEmptySubsequences: false)
            if name.hasSuffix("*") {
                let last = value.split(
                    separator: "'", maxSplits: 2, omittingEmptySubsequences: false
                ).last
                value = last.map(String.init)?.removingPercentEncoding?.streamSafe ?? value
            }
            let base = String(parts[0])
            // If a parameter appears twice, the first one is used.
            if parts.count > 1, let number = Int(parts[1]) {
                pieces[base, default: [:]][number] = pieces[base]?[number] ?? value
            } else if parts.count > 1 {
                extended[base] = extended[base] ?? value
            } else {
                plain[base] = plain[base] ?? value
            }
        }
        let joined = pieces.mapValues {
            $0.sorted { $0.key < $1.key }.map(\.value).joined().streamSafe
        }
        let parameters = plain.merging(joined) { $1 }.merging(extended) { $1 }
        return (type.trimmingCharacters(in: .whitespaces), parameters)
    }

    /// Splits at semicolons outside quotes, and removes the quotes, and remarks in parentheses
    /// (RFC 2045, 5.1).
    private static func split(_ text: String) -> [String] {
        var words = [""]
        var isQuoted = false
        var isEscaped = false
        var remark = 0
        for character in text {
            if remark > 0 {
                remark += character == "(" ? 1 : character == ")" ? -1 : 0
            } else if character == "(", !isQuoted, !isEscaped, words.last?.isInWord == false {
                remark = 1
            } else if isEscaped {
                words[words.count - 1].append(character)
                isEscaped = false
            } else if isQuoted, character == "\\" {
                isEscaped = true
            } else if character == "\"" {
                isQuoted.toggle()
            } else if character == ";", !isQuoted {
                words.append("")
            } else {
                words[words.count - 1].append(character)
            }
        }
        return words.map(\.streamSafe)
    }

    /// The innermost parts, at most `room` of them.
    func leaves(room: inout Int) -> [ReceivedMail.Part] {
        let (type, parameters) = contentType
        guard type.hasPrefix("multipart/"), let boundary = parameters["boundary"],
            !boundary.isEmpty, depth < Self.depthMax
        else {
            guard room > 0 else { return [] }
            room -= 1
            let disposition = field("content-disposition").map {
                String(decoding: $0.raw, as: UTF8.self).lowercased()
            }
            return [
                ReceivedMail.Part(
                    type: type, parameters: parameters, octets: decodedBody,
                    isAttachment: disposition?.hasPrefix("attachment") ?? false)
            ]
        }
        room -= 1
        var leaves: [ReceivedMail.Part] = []
        for part in Self.parts(of: body, boundary: Array("--\(boundary)".utf8)) where room > 0 {
            leaves += MailEntity(part, depth: depth + 1).leaves(room: &room)
        }
        return leaves
    }

    /// The contents between the boundaries. If the end of the mail is missing, the last part is cut
    /// off.
    private static func parts(
        of body: ArraySlice<UInt8>, boundary: [UInt8]
    ) -> [ArraySlice<UInt8>] {
        var parts: [ArraySlice<UInt8>] = []
        var rest = body
        var start: Int?
        while !rest.isEmpty, parts.count < partsMax {
            let lineStart = rest.startIndex
            guard let line = rest.takeLine() else { break }
            guard line.starts(with: boundary) else { continue }
            let tail = line.dropFirst(boundary.count)
            let isEnd = tail.starts(with: [.hyphen, .hyphen])
            guard isEnd || tail.allSatisfy(\.isBlank) else { continue }
            if let start { parts.append(body[start..<max(start, lineStart)].withoutLastLineEnd) }
            start = rest.startIndex
            if isEnd { return parts }
        }
        if let start, start < body.endIndex { parts.append(body[start...]) }
        return parts
    }

    /// The body with its transfer encoding removed.
    private var decodedBody: [UInt8] {
        // A remark or a semicolon may follow.
        let encoding = field("content-transfer-encoding").map { field in
            String(decoding: field.raw.prefix { !$0.isBlank && $0 != .semicolon }, as: UTF8.self)
                .streamSafe.lowercased()
        }
        switch encoding {
        case "base64": return StreamSafeText.limited(Self.fromBase64(body))
        case "quoted-printable": return StreamSafeText.limited(Self.unquoted(body))
        default: return StreamSafeText.limited(Array(body))
        }
    }

    /// Decodes base64 up to its end, even if the padding is missing or other text follows.
    private static func fromBase64(_ body: ArraySlice<UInt8>) -> [UInt8] {
        var text = body.prefix { $0 != .equals }.filter {
            $0.isLetterOrDigit || $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: "/")
        }
        // A single left-over letter carries no complete octet.
        if text.count % 4 == 1 { text.removeLast() }
        text += Array(repeating: .equals, count: (4 - text.count % 4) % 4)
        return Array(Data(base64Encoded: Data(text)) ?? Data())
    }

    /// Decodes quoted-printable and removes its soft line breaks.
    private static func unquoted(_ body: ArraySlice<UInt8>) -> [UInt8] {
        var octets: [UInt8] = []
        var rest = body
        while let line = rest.takeLine() {
            var text = line
            while let last = text.last, last.isBlank { text = text.dropLast() }
            let isSoft = text.last == .equals
            octets += QuotedPrintable.decoded(isSoft ? text.dropLast() : text)
            if !isSoft { octets.append(.lineFeed) }
        }
        return octets
    }
}

extension String {
    /// True if the end of a parameter is within a word, as in a boundary that should be quoted.
    fileprivate var isInWord: Bool { last.map { !$0.isWhitespace && $0 != "=" } ?? false }
}

extension ArraySlice<UInt8> {
    /// Takes the next line, without its line end; `nil` at the end.
    fileprivate mutating func takeLine() -> ArraySlice<UInt8>? {
        guard !isEmpty else { return nil }
        let end = firstIndex(of: .lineFeed) ?? endIndex
        var line = self[startIndex..<end]
        self = end < endIndex ? self[(end + 1)...] : self[endIndex...]
        if line.last == .carriageReturn { line = line.dropLast() }
        return line
    }

    /// The slice without the line end that belongs to the following boundary.
    fileprivate var withoutLastLineEnd: ArraySlice<UInt8> {
        var slice = self
        if slice.last == .lineFeed { slice = slice.dropLast() }
        if slice.last == .carriageReturn { slice = slice.dropLast() }
        return slice
    }
}
