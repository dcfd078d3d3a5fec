import Agenda
import Foundation
import Ledger
import Settings
import Timekeeping
import Transport
import Wording
import Yams

/// A request that the user describes in YAML, for a service that letsmeet does not know: its
/// method, address, headers and body, and the meaning of its responses.
///
/// Words are encoded in the address and in forms (`{{text_url}}`), are JSON strings with quotes in
/// a JSON body (`{{text_json}}`), and are plain in headers and plain text (`{{text}}`). So no title
/// can change the request.
struct RequestTemplate: Sendable {
    /// The maximum size of a description, in octets.
    static let octetsMax = 64 << 10

    /// The names of the words that a description can use.
    static let names = [
        "address", "audience", "due", "id", "kind", "meeting", "secret", "start", "subject",
        "text", "title", "to", "tz",
    ]

    private let method: HTTPMethod
    private let url: PlainTemplate
    private let headers: [(name: String, value: PlainTemplate)]
    private let body: PlainTemplate
    /// True if the body is JSON.
    private let isJSON: Bool
    private let meanings: StatusMeanings
    /// The literal parts of the address and the headers that may be secret.
    let literals: [String]
    /// True if the description uses the secret.
    private let namesSecret: Bool

    /// Parses a description.
    ///
    /// - Throws: ``SinkFault``, ``TemplateFault`` with the line, or an error of the YAML parser.
    init(_ text: String) throws {
        guard text.utf8.count <= Self.octetsMax else {
            throw Self.fault("the description of the request is larger than 64 KiB.")
        }
        let fields = try RequestFields(text)
        guard let method = HTTPMethod(rawValue: fields.method.uppercased()), method != .get else {
            throw Self.fault("method must be POST or PUT.")
        }
        self.method = method
        url = try PlainTemplate(fields.url, named: "url", words: Self.words("_url"))
        headers = try fields.headers.map {
            (
                $0.name,
                try PlainTemplate($0.value, named: "headers.\($0.name)", words: Self.words(""))
            )
        }
        body = try PlainTemplate(fields.body, named: "body", words: fields.bodyForm.words)
        isJSON = fields.bodyForm == .json
        literals = fields.literals
        namesSecret = text.contains(/\{\{\{?&?\s*secret/)
        meanings = fields.meanings
    }

    /// The names of the variables, with the suffix of one encoding.
    fileprivate static func words(_ ending: String) -> Set<String> {
        Set(names.map { $0 + ending })
    }

    /// Checks the request that the description produces, with a sample text of several lines.
    ///
    /// - Parameter hasSecret: whether the channel has a secret.
    /// - Throws: ``SinkFault`` if the result is not a valid request.
    func check(hasSecret: Bool) throws {
        guard hasSecret || !namesSecret else {
            throw Self.fault(
                "it uses {{secret}}, but no secret is given.", advice: [.give([.secret])])
        }
        let sample = OutgoingMessage(
            identity: "abcdefghijkmnpqrstuvwxyz23", kind: .invitation, name: "Anna \"A\" Älä",
            address: "anna@example.org", meeting: "abcdefghijkmnpqr", title: "Lunch & <more>",
            start: "2027-01-01T12:00:00+02:00", zone: "Europe/Helsinki",
            due: Moment(seconds: 1_800_000_000), writtenAt: Moment(seconds: 1_800_000_000),
            sender: nil, subject: "Invitation: Lunch & <more>", text: "Two\nlines \"of\" it\\.")
        let request = try request(for: sample, secret: "secret+/==")
        guard
            request.headers.fields.allSatisfy({ field in
                field.name.utf8.allSatisfy { $0.isHeaderOctet }
                    && !field.value.unicodeScalars.contains { $0.value < 0x20 }
            })
        else {
            throw Self.fault(
                "a header has an invalid name or more than one line ({{text}} has several lines).")
        }
        let isOurs = request.headers.fields.contains {
            Self.ownHeaders.contains($0.name.lowercased())
        }
        guard !isOurs else {
            throw Self.fault("remove Host, Connection and the body length: letsmeet sets them.")
        }
        if request.headers["Content-Type"]?.lowercased().contains("json") == true {
            try Self.checkJSON(request.body)
        }
    }

    /// Checks a body in JSON.
    ///
    /// - Throws: ``SinkFault`` with the place of the mistake.
    private static func checkJSON(_ body: [UInt8]) throws {
        guard let mistake = JSONCheck.mistake(in: body) else { return }
        throw fault(
            "the body is not valid JSON once words are filled in. {{text_json}} and its like "
                + "bring their own quotes. \(place(of: mistake, in: body))")
    }

    /// A sentence with the line and the column of a mistake in a body, and the text around it.
    private static func place(of mistake: Int, in body: [UInt8]) -> String {
        let before = body[..<mistake]
        let line = before.count { $0 == UInt8(ascii: "\n") } + 1
        let start = before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
        let near = String(decoding: body[start..<mistake], as: UTF8.self)
        let place = "line \(line), column \(near.count + 1)"
        guard mistake < body.count else { return "It ends too early, in \(place)." }
        let rest = String(decoding: body[mistake...].prefix { $0 >= 0x20 }, as: UTF8.self)
        return "The mistake is in \(place): \(near.suffix(40))\(rest.prefix(20))"
    }

    /// Headers that HTTP itself sets.
    private static let ownHeaders: Set<String> = [
        "host", "connection", "content-length", "transfer-encoding", "expect", "upgrade",
    ]

    /// The request for a message.
    ///
    /// - Throws: ``TransportError`` if the address or a header is not valid.
    func request(for outgoing: OutgoingMessage, secret: String) throws -> HTTPRequest {
        let plain = outgoing.words.merging(["secret": secret]) { $1 }
        var words = plain
        for (name, value) in plain {
            words["\(name)_url"] = FormText.encode(value)
            words["\(name)_json"] = try JSONText.of(value)
        }
        var request = HTTPRequest(delivering: method, try HTTPURL(url.text(words)))
        for header in headers { request.headers.add(header.name, header.value.text(words)) }
        if isJSON, request.headers["Content-Type"] == nil {
            request.headers.add("Content-Type", "application/json")
        }
        request.body = Array(body.text(words).utf8)
        return request
    }

    /// The meaning of a response.
    func report(_ response: HTTPResponse) -> AttemptReport {
        meanings.outcome(of: response.status).map { HTTPVerdict.report(response, $0) }
            ?? HTTPVerdict.report(response)
    }

    static func fault(_ reason: String, advice: [Advice] = []) -> SinkFault {
        SinkFault(sink: "http", reason: reason, advice: advice)
    }
}

/// The fields of a description, before they are parsed as templates.
private struct RequestFields {
    private(set) var method = "POST"
    private(set) var url = ""
    private(set) var headers: [(name: String, value: String)] = []
    private(set) var body = ""
    private(set) var meanings = StatusMeanings()

    init(_ text: String) throws {
        if let line = YamlAliases.excess(in: text) {
            throw RequestTemplate.fault(
                "line \(line): there are more than \(YamlAliases.countMax) aliases (*name). "
                    + "Write the values themselves.")
        }
        guard let fields = try Yams.compose(yaml: text)?.mapping else {
            throw RequestTemplate.fault(
                "this is not a list of names and values: method, url, headers, body.")
        }
        for (key, node) in fields {
            switch key.string ?? "" {
            case "method": method = try Self.text(node, "method")
            case "url": url = try Self.text(node, "url")
            case "body": body = try Self.text(node, "body")
            case "headers":
                guard let fields = node.mapping else {
                    throw RequestTemplate.fault("headers must contain names and values.")
                }
                for (name, value) in fields {
                    let name = name.string ?? ""
                    headers.append((name, try Self.text(value, "headers.\(name)")))
                }
            case let word: try meanings.read(word, try Self.text(node, word))
            }
        }
        guard !url.isEmpty else { throw RequestTemplate.fault("url is missing.") }
    }

    /// Reads a value or a list of values. A list must not contain lists, because YAML aliases could
    /// expand them a thousandfold.
    private static func text(_ node: Node, _ name: String) throws -> String {
        let parts = node.sequence.map(Array.init) ?? [node]
        let words = parts.compactMap(\.scalar?.string)
        guard words.count == parts.count else {
            throw RequestTemplate.fault("\(name) must be a single value.")
        }
        return words.joined(separator: ",")
    }

    /// The format in which the receiver reads the body.
    var bodyForm: BodyForm {
        let type = headers.first { $0.name.lowercased() == "content-type" }?.value.lowercased()
        let start = body.first { !$0.isWhitespace }
        if type?.contains("json") ?? (start == "{" || start == "[") { return .json }
        return type?.hasPrefix("text/") == true ? .text : .form
    }

    /// Parts that may be secret.
    var literals: [String] {
        let parts = url.split(separator: "{{").map { part in
            part.firstRange(of: "}}").map { part[$0.upperBound...] } ?? part
        }
        let values = headers.filter { !["content-type", "accept"].contains($0.name.lowercased()) }
            .flatMap { $0.value.split { $0.isWhitespace } }
        return WebAddress.secrets(of: url) + (parts.dropFirst() + values).map(String.init)
    }
}

/// The format of a body.
private enum BodyForm {
    case json
    case form
    case text

    /// The words allowed in this format. Others could be taken for more than text.
    var words: Set<String> {
        switch self {
        case .json: RequestTemplate.words("_json")
        case .form: RequestTemplate.words("_url")
        case .text: RequestTemplate.words("").union(RequestTemplate.words("_url"))
        }
    }
}

extension UInt8 {
    /// True if the octet may occur in a header name (RFC 9110, 5.6.2).
    fileprivate var isHeaderOctet: Bool {
        (0x21...0x7E).contains(self) && !"\"(),/:;<=>?@[\\]{}".utf8.contains(self)
    }
}

/// The meanings of status codes, as the user set them. The first match counts.
private struct StatusMeanings {
    private var ranges: [(range: ClosedRange<Int>, outcome: AttemptOutcome)] = []

    private static let outcomes: [String: AttemptOutcome] = [
        "accepted": .accepted, "retry": .retry, "permanent": .permanent,
        "misconfigured": .misconfigured,
    ]

    /// Reads a list such as `accepted: 200-204, 302`.
    mutating func read(_ word: String, _ list: String) throws {
        guard let outcome = Self.outcomes[word] else {
            throw RequestTemplate.fault(
                "there is no field named \"\(word)\". Use method, url, headers, body, "
                    + Self.outcomes.keys.sorted().joined(separator: ", ") + ".")
        }
        for part in list.split(separator: ",") {
            let ends = part.split(separator: "-").map { Int($0.filter { !$0.isWhitespace }) }
            guard let first = ends.first ?? nil, let last = ends.last ?? nil, ends.count <= 2,
                100 <= first, first <= last, last <= 999
            else { throw RequestTemplate.fault("\(word): \"\(part)\" is not a status code.") }
            ranges.append((first...last, outcome))
        }
    }

    func outcome(of status: Int) -> AttemptOutcome? {
        ranges.first { $0.range.contains(status) }?.outcome
    }
}

extension OutgoingMessage {
    /// The words of the message, by name.
    fileprivate var words: [String: String] {
        [
            "address": address, "audience": audience ?? "", "due": due.utcText, "id": identity,
            "kind": kind.rawValue, "meeting": meeting, "start": start, "subject": subject,
            "text": text, "title": title, "to": audience == nil ? name : "", "tz": zone,
        ]
    }
}
