/// The response of a fake Foursquare to a valid request.
public struct FakeFoursquareAnswer: Sendable {
    private let answer: FakeAnswer
    /// The `Link` header; `{here}` stands for the server's own address.
    private let link: String?

    /// Creates a response from any answer.
    public init(_ answer: FakeAnswer, link: String? = nil) {
        self.answer = answer
        self.link = link
    }

    /// A response with the places found, each a JSON object.
    public static func places(_ places: [String], link: String? = nil) -> Self {
        Self(.json(#"{"results":[\#(places.joined(separator: ","))]}"#), link: link)
    }

    /// A response with one place, for a request for details.
    public static func place(_ place: String) -> Self { Self(.json(place)) }

    /// An error response with a message.
    public static func refusal(
        _ status: Int, _ message: String, retryAfter: String? = nil
    ) -> Self {
        let headers = retryAfter.map { [(name: "Retry-After", value: $0)] } ?? []
        return Self(.json(#"{"message":"\#(message)"}"#, status: status, headers: headers))
    }

    /// Too many requests, without a time to try again.
    public static let rateLimited = refusal(429, "Rate limit exceeded.")
    /// No credits left.
    public static let outOfCredit = refusal(429, "You have no API credits remaining.")
    /// An internal error of the server.
    public static let broken = Self(FakeAnswer(500, body: Array("Internal Server Error".utf8)))
    /// An HTML page instead of JSON.
    public static let webPage = Self(
        FakeAnswer(
            200, headers: [("Content-Type", "text/html")],
            body: Array("<!DOCTYPE html><title>Maintenance</title>".utf8)))
    /// JSON that ends too early, with a correct length.
    public static let truncatedJSON = Self(.json(#"{"results":[{"fsq_place_id":"4d41b8c4"#))
    /// A body shorter than its announced length.
    public static let brokenOff = Self(
        .json(#"{"results":[]}"#, manner: .brokenOff(afterBytes: 5)))
    /// A response with one place, sent slowly.
    public static let slow = Self(
        .json(
            #"{"results":[\#(FakeFoursquare.museum)]}"#,
            manner: .trickling(bytes: 64, everyMilliseconds: 10)))
    /// No response, as long as the client waits.
    public static let silent = Self(FakeAnswer(200, manner: .silent))

    func made(at url: String) -> FakeAnswer {
        guard let link else { return answer }
        var answer = answer
        answer.headers.append((name: "Link", value: link.replacing("{here}", with: url)))
        return answer
    }
}

/// Invented places, in the form of the service.
extension FakeFoursquare {
    /// A place with this id, this position and further fields.
    public static func place(
        _ number: Int, _ name: String, latitude: String = "60.17", longitude: String = "24.94",
        more: String = ""
    ) -> String {
        #"{"fsq_place_id":"\#(id(number))","name":"\#(name)","latitude":\#(latitude),"#
            + #""longitude":\#(longitude)\#(more)}"#
    }

    /// An id of 24 hexadecimal digits.
    public static func id(_ number: Int) -> String {
        let digits = String(number, radix: 16)
        return String(repeating: "0", count: max(0, 24 - digits.count)) + digits
    }

    /// A place with every requested field, some of them empty objects.
    public static let museum = place(
        0xA1, "Museum of Invented Things", latitude: "60.1712", longitude: "24.9414",
        more: #"""
            ,"categories":[{"fsq_category_id":"4bf58dd8d48988d181941735","name":"Museum",
            "icon":{"prefix":"https://ss3.4sqi.net/img/","suffix":".png"}}],"distance":153,
            "extended_location":{},"related_places":{},"social_media":{"twitter":""},
            "location":{"address":"Keksitty katu 3","locality":"Helsinki","postcode":"00100",
            "country":"FI","formatted_address":"Keksitty katu 3 (2nd floor), 00100 Helsinki"}
            """#)
    /// A place with only an id and a name.
    public static let bare = #"{"fsq_place_id":"\#(id(0xA2))","name":"Bare Place"}"#
    /// Closed places, each marked in a different way.
    public static let closed = [
        place(0xA3, "Closed Long Ago", more: #","date_closed":"2019-05-01""#),
        place(0xA4, "Said To Be Closed", more: #","unresolved_flags":["duplicate","closed"]"#),
        place(0xA5, "Somebody's Home", more: #","unresolved_flags":["privatevenue"]"#),
        place(0xA6, "Never Was", more: #","unresolved_flags":["doesnt_exist"]"#),
        place(0xA7, "To Be Deleted", more: #","unresolved_flags":["delete"]"#),
    ]
    /// Entries without an id or a name.
    public static let nameless = [
        #"{"name":"No Id"}"#, #"{"fsq_place_id":"\#(id(0xA8))"}"#, "{}", "null", "[]",
        #"{"fsq_place_id":"\#(id(0xA9))","name":" \u200f "}"#,
        #"{"fsq_place_id":"../../v2/users","name":"Climber"}"#,
    ]
    /// A place whose name would clear a terminal, add lines and change the direction of text.
    public static let hostile = place(
        0xAB, #"Bad\u001b[2J\r\nSubject: you won\u202e\u0007 Place"#,
        more: #","location":{"formatted_address":"A\u0000B\u2028C"}"#)
    /// Places with invalid positions.
    public static let misplaced = [
        place(0xB1, "Text", latitude: #""60.17""#, longitude: #""24.94""#),
        place(0xB2, "Objects", latitude: "{}", longitude: "{}"),
        place(0xB3, "Off The Earth", latitude: "91.5"),
        place(0xB4, "Half", longitude: "null"),
    ]
}
