import Ledger
import Timekeeping
import Transport
import Wording
import Yams

/// A request that somebody describes in YAML, for a service that nothing here knows: its method,
/// address, headers and body, and what its answers mean.
///
/// In the address words stand encoded (`{{text_url}}`), in a body of JSON as JSON texts with their
/// quotes (`{{text_json}}`), elsewhere as they are (`{{text}}`): so no title can change what is
/// asked.
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
    private let isJSON: Bool
    private let meanings: StatusMeanings

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
        isJSON = fields.headers.contains {
            $0.name.lowercased() == "content-type" && $0.value.lowercased().contains("json")
        }
        func words(_ ending: String) -> Set<String> { Set(Self.names.map { $0 + ending }) }
        url = try PlainTemplate(fields.url, named: "url", words: words("_url"))
        headers = try fields.headers.map {
            ($0.name, try PlainTemplate($0.value, named: "headers.\($0.name)", words: words("")))
        }
        let inBody = isJSON ? words("_json") : words("").union(words("_url"))
        body = try PlainTemplate(fields.body, named: "body", words: inBody)
        meanings = fields.meanings
    }

    /// The request of a parcel.
    ///
    /// - Throws: ``TransportError`` where the address or a header came out wrong.
    func request(for parcel: Parcel, secret: String) throws -> HTTPRequest {
        let plain = parcel.words.merging(["secret": secret]) { $1 }
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
                for (name, value) in node.mapping ?? [:] {
                    let name = name.string ?? ""
                    headers.append((name, try Self.text(value, "headers.\(name)")))
                }
            case let word: try meanings.read(word, try Self.text(node, word))
            }
        }
        guard !url.isEmpty else { throw RequestTemplate.fault("url is missing.") }
    }

    private static func text(_ node: Node, _ name: String) throws -> String {
        if let list = node.sequence {
            return try list.map { try text($0, name) }.joined(separator: ",")
        }
        guard let text = node.scalar?.string else {
            throw RequestTemplate.fault("\(name) wants a single value.")
        }
        return text
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

extension Parcel {
    /// What it tells, by name.
    fileprivate var words: [String: String] {
        [
            "address": address, "audience": audience ?? "", "due": due.utcText, "id": identity,
            "kind": kind.rawValue, "meeting": meeting, "start": start, "subject": subject,
            "text": text, "title": title, "to": audience == nil ? name : "", "tz": zone,
        ]
    }
}
