import Foundation
import Ledger
import Settings
import Timekeeping
import Transport
import Wording
import Yams

/// A request that somebody describes in YAML, for a service that nothing here knows: its method,
/// address, headers and body, and what its answers mean.
///
/// In the address and in forms words stand encoded (`{{text_url}}`), in a body of JSON as JSON
/// texts with their quotes (`{{text_json}}`), in headers and in plain text as they are
/// (`{{text}}`): so no title can change what is asked.
struct RequestTemplate: Sendable {
    /// The largest description, in octets.
    static let octetsMax = 64 << 10

    /// What may be told, by name.
    static let names = [
        "address", "audience", "due", "id", "kind", "meeting", "secret", "start", "subject",
        "text", "title", "to", "tz",
    ]

    private let method: HTTPMethod
    private let url: PlainTemplate
    private let headers: [(name: String, value: PlainTemplate)]
    private let body: PlainTemplate
    private let meanings: StatusMeanings
    /// What stands in it and may be a secret: of the address and of the headers.
    let literals: [String]
    /// Whether its secret stands in it.
    private let namesSecret: Bool

    /// Reads a description.
    ///
    /// - Throws: ``SinkFault``, ``TemplateFault`` with the line, or what YAML says.
    init(_ text: String) throws {
        guard text.utf8.count <= Self.octetsMax else {
            throw Self.fault("the description of the request is larger than 64 KiB.")
        }
        let fields = try RequestFields(text)
        guard let method = HTTPMethod(rawValue: fields.method.uppercased()), method != .get else {
            throw Self.fault("method is POST or PUT.")
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
        literals = fields.literals
        namesSecret = text.contains(/\{\{\{?&?\s*secret/)
        meanings = fields.meanings
    }

    /// The names of the words in one of their spellings.
    fileprivate static func words(_ ending: String) -> Set<String> {
        Set(names.map { $0 + ending })
    }

    /// Holds the description to what comes of it, with a text of several lines.
    ///
    /// - Parameter hasSecret: whether there is one to put in.
    /// - Throws: ``SinkFault`` where that is no request.
    func check(hasSecret: Bool) throws {
        guard hasSecret || !namesSecret else {
            throw Self.fault("it names {{secret}}, and none is given: add --secret-file.")
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
                "a header has a name that is none, or more than one line: {{text}} has lines.")
        }
        let isOurs = request.headers.fields.contains {
            Self.ownHeaders.contains($0.name.lowercased())
        }
        guard !isOurs else {
            throw Self.fault("Host, Connection and the length of the body are not to be set.")
        }
        if request.headers["Content-Type"]?.lowercased().contains("json") == true {
            guard
                (try? JSONSerialization.jsonObject(
                    with: Data(request.body), options: .fragmentsAllowed)) != nil
            else { throw Self.fault("the body is no JSON when words stand in it.") }
        }
    }

    /// What HTTP itself says.
    private static let ownHeaders: Set<String> = [
        "host", "connection", "content-length", "transfer-encoding", "expect", "upgrade",
    ]

    /// The request of a parcel.
    ///
    /// - Throws: ``TransportError`` where the address or a header came out wrong.
    func request(for outgoing: OutgoingMessage, secret: String) throws -> HTTPRequest {
        let plain = outgoing.words.merging(["secret": secret]) { $1 }
        var words = plain
        for (name, value) in plain {
            words["\(name)_url"] = FormText.encode(value)
            words["\(name)_json"] = try JSONText.of(value)
        }
        var request = HTTPRequest(delivering: method, try HTTPURL(url.text(words)))
        for header in headers { request.headers.add(header.name, header.value.text(words)) }
        request.body = Array(body.text(words).utf8)
        return request
    }

    /// What an answer means.
    func report(_ response: HTTPResponse) -> AttemptReport {
        meanings.outcome(of: response.status).map { HTTPVerdict.report(response, $0) }
            ?? HTTPVerdict.report(response)
    }

    static func fault(_ reason: String) -> SinkFault { SinkFault(sink: "http", reason: reason) }
}

/// The fields of a description, before they are read as templates.
private struct RequestFields {
    private(set) var method = "POST"
    private(set) var url = ""
    private(set) var headers: [(name: String, value: String)] = []
    private(set) var body = ""
    private(set) var meanings = StatusMeanings()

    init(_ text: String) throws {
        guard let fields = try Yams.compose(yaml: text)?.mapping else {
            throw RequestTemplate.fault(
                "names and values are expected: method, url, headers, body.")
        }
        for (key, node) in fields {
            switch key.string ?? "" {
            case "method": method = try Self.text(node, "method")
            case "url": url = try Self.text(node, "url")
            case "body": body = try Self.text(node, "body")
            case "headers":
                guard let fields = node.mapping else {
                    throw RequestTemplate.fault("headers holds names and values.")
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

    /// A value, or a list of them: no list in a list, which could be one in a thousand.
    private static func text(_ node: Node, _ name: String) throws -> String {
        let parts = node.sequence.map(Array.init) ?? [node]
        let words = parts.compactMap(\.scalar?.string)
        guard words.count == parts.count else {
            throw RequestTemplate.fault("\(name) wants a single value.")
        }
        return words.joined(separator: ",")
    }

    /// As what the body is read at its receiver.
    var bodyForm: BodyForm {
        let type = headers.first { $0.name.lowercased() == "content-type" }?.value.lowercased()
        let start = body.first { !$0.isWhitespace }
        if type?.contains("json") ?? (start == "{" || start == "[") { return .json }
        return type?.hasPrefix("text/") == true ? .text : .form
    }

    /// What may be a secret.
    var literals: [String] {
        let parts = url.split(separator: "{{").map { part in
            part.firstRange(of: "}}").map { part[$0.upperBound...] } ?? part
        }
        let values = headers.filter { !["content-type", "accept"].contains($0.name.lowercased()) }
            .flatMap { $0.value.split { $0.isWhitespace } }
        return WebAddress.secrets(of: url) + (parts.dropFirst() + values).map(String.init)
    }
}

/// How words stand in a body.
private enum BodyForm {
    case json
    case form
    case text

    /// Those that may: others could be taken for more than text.
    var words: Set<String> {
        switch self {
        case .json: RequestTemplate.words("_json")
        case .form: RequestTemplate.words("_url")
        case .text: RequestTemplate.words("").union(RequestTemplate.words("_url"))
        }
    }
}

extension UInt8 {
    /// What the name of a header is made of (RFC 9110, 5.6.2).
    fileprivate var isHeaderOctet: Bool {
        (0x21...0x7E).contains(self) && !"\"(),/:;<=>?@[\\]{}".utf8.contains(self)
    }
}

/// What numbers of answers mean, as somebody wrote it: the first that fits holds.
private struct StatusMeanings {
    private var ranges: [(range: ClosedRange<Int>, outcome: AttemptOutcome)] = []

    private static let outcomes: [String: AttemptOutcome] = [
        "accepted": .accepted, "retry": .retry, "permanent": .permanent,
        "misconfigured": .misconfigured,
    ]

    /// Reads such as `accepted: 200-204, 302`.
    mutating func read(_ word: String, _ list: String) throws {
        guard let outcome = Self.outcomes[word] else {
            throw RequestTemplate.fault(
                "there is no field named \(word). Known are: method, url, headers, body, "
                    + Self.outcomes.keys.sorted().joined(separator: ", ") + ".")
        }
        for part in list.split(separator: ",") {
            let ends = part.split(separator: "-").map { Int($0.filter { !$0.isWhitespace }) }
            guard let first = ends.first ?? nil, let last = ends.last ?? nil, ends.count <= 2,
                100 <= first, first <= last, last <= 999
            else { throw RequestTemplate.fault("\(word) holds \(part), which is no status.") }
            ranges.append((first...last, outcome))
        }
    }

    func outcome(of status: Int) -> AttemptOutcome? {
        ranges.first { $0.range.contains(status) }?.outcome
    }
}

extension OutgoingMessage {
    /// What it tells, by name.
    fileprivate var words: [String: String] {
        [
            "address": address, "audience": audience ?? "", "due": due.utcText, "id": identity,
            "kind": kind.rawValue, "meeting": meeting, "start": start, "subject": subject,
            "text": text, "title": title, "to": audience == nil ? name : "", "tz": zone,
        ]
    }
}
