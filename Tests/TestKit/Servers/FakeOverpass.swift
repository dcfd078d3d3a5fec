/// A server that behaves like an Overpass API.
///
/// It checks every request against the rules of public servers: a POST with the query in the form
/// field `data`, and the client's own user agent.
public final class FakeOverpass: Sendable {
    /// The response of the server.
    public enum Answer: Sendable {
        /// Elements, each a JSON object.
        case elements([String])
        /// Status 200 and a remark that the query failed, with the elements found until then.
        case remark(String, elements: [String])
        /// An error status, an optional `Retry-After` and an HTML page.
        case refusal(Int, retryAfter: String?)
        /// Any other response.
        case raw(FakeAnswer)
    }

    private let server: FakeHTTPServer

    /// Starts a server that gives this answer to each valid request, and 400 to others.
    public init(_ answer: Answer) throws {
        server = try FakeHTTPServer { request in
            let agent = request.headers["user-agent"] ?? ""
            guard request.method == "POST", let query = request.fields["data"],
                query.hasPrefix("[out:json]"), agent.contains("letsmeet")
            else { return FakeAnswer(400, body: Array("<html>Bad Request</html>".utf8)) }
            return answer.made
        }
    }

    /// The address of the interpreter.
    public var url: String { server.url + "/api/interpreter" }

    /// The requests so far.
    public var requests: [FakeRequest] { server.requests }

    /// Stops the server.
    public func stop() { server.stop() }

    /// Invented elements of each type: a café with an address, a park with its centre, a pool as a
    /// relation with a phone number, one without a name, one without a position.
    public static let sample = [
        #"""
        {"type":"node","id":101,"lat":60.1701,"lon":24.9402,"tags":{"amenity":"cafe",
        "name":"Invented Café","addr:street":"Keksitty katu","addr:housenumber":"5",
        "addr:postcode":"00100","addr:city":"Helsinki","opening_hours":"Mo-Fr 08:00-18:00",
        "contact:website":"https://cafe.example/","contact:phone":"+358 0000",
        "email":"owner@cafe.example"}}
        """#,
        #"""
        {"type":"way","id":102,"center":{"lat":60.18,"lon":24.95},"nodes":[1,2,3,1],
        "tags":{"leisure":"park","name":"Invented Park"}}
        """#,
        #"""
        {"type":"relation","id":103,"center":{"lat":60.19,"lon":24.96},
        "tags":{"leisure":"swimming_pool","name":"Invented Pool","phone":"+358 0001",
        "operator:phone":"+358 0002","website":"javascript:alert(1)"}}
        """#,
        #"{"type":"node","id":104,"lat":60.1,"lon":24.9,"tags":{"amenity":"bench"}}"#,
        #"{"type":"way","id":105,"tags":{"name":"Nowhere","amenity":"cafe"}}"#,
    ]
}

extension FakeOverpass.Answer {
    fileprivate var made: FakeAnswer {
        switch self {
        case .elements(let elements): .json(body(elements, remark: nil))
        case .remark(let remark, let elements): .json(body(elements, remark: remark))
        case .refusal(let status, let seconds):
            FakeAnswer(
                status, headers: seconds.map { [(name: "Retry-After", value: $0)] } ?? [],
                body: Array("<html><p>The server is probably too busy.</p></html>".utf8))
        case .raw(let answer): answer
        }
    }

    private func body(_ elements: [String], remark: String?) -> String {
        let end = remark.map { #","remark":"\#($0)""# } ?? ""
        return #"{"version":0.6,"generator":"Fake Overpass","osm3s":{"#
            + #""timestamp_osm_base":"2026-11-20T21:00:00Z","#
            + #""copyright":"The data included in this document is from www.openstreetmap.org."},"#
            + #""elements":[\#(elements.joined(separator: ","))]\#(end)}"#
    }
}
