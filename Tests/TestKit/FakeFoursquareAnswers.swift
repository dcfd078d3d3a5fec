/// What a fake Foursquare answers to a request that keeps the rules.
public struct FakeFoursquareAnswer: Sendable {
    private let answer: FakeAnswer
    /// The `Link` header; `{here}` stands for the server's own address.
    private let link: String?

    /// Any answer at all.
    public init(_ answer: FakeAnswer, link: String? = nil) {
        self.answer = answer
        self.link = link
    }

    /// The found places, each an object of JSON.
    public static func places(_ places: [String], link: String? = nil) -> Self {
        Self(.json(#"{"results":[\#(places.joined(separator: ","))]}"#), link: link)
    }

    /// One place: the answer to a request for details.
    public static func place(_ place: String) -> Self { Self(.json(place)) }

    /// A refusal with a message.
    public static func refusal(
        _ status: Int, _ message: String, retryAfter: String? = nil
    ) -> Self {
        let headers = retryAfter.map { [(name: "Retry-After", value: $0)] } ?? []
        return Self(.json(#"{"message":"\#(message)"}"#, status: status, headers: headers))
    }

    /// Too many requests, without a word on when to come again.
    public static let rateLimited = refusal(429, "Rate limit exceeded.")
    /// Nothing is left of what was paid for.
    public static let outOfCredit = refusal(429, "You have no API credits remaining.")
    /// A fault of the server's.
    public static let broken = Self(FakeAnswer(500, body: Array("Internal Server Error".utf8)))
    /// A page for people, where JSON was asked for.
    public static let webPage = Self(
        FakeAnswer(
            200, headers: [("Content-Type", "text/html")],
            body: Array("<!DOCTYPE html><title>Maintenance</title>".utf8)))
    /// JSON that ends too early, although its length is right.
    public static let truncatedJSON = Self(.json(#"{"results":[{"fsq_place_id":"4d41b8c4"#))
    /// Less than the announced length.
    public static let brokenOff = Self(
        .json(#"{"results":[]}"#, manner: .brokenOff(afterBytes: 5)))
    /// A found place, byte after byte.
    public static let slow = Self(
        .json(
            #"{"results":[\#(FakeFoursquare.museum)]}"#,
            manner: .trickling(bytes: 64, everyMilliseconds: 10)))
    /// No answer at all, as long as the client waits.
    public static let silent = Self(FakeAnswer(200, manner: .silent))

    func made(at url: String) -> FakeAnswer {
        guard let link else { return answer }
        var answer = answer
        answer.headers.append((name: "Link", value: link.replacing("{here}", with: url)))
        return answer
    }
}

/// Places as the service describes them; all are invented.
extension FakeFoursquare {
    /// A place with this id, at this position, and these other fields.
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

    /// A place with every field that is asked for, and empty objects among them.
    public static let museum = place(
        0xA1, "Museum of Invented Things", latitude: "60.1712", longitude: "24.9414",
        more: #"""
            ,"categories":[{"fsq_category_id":"4bf58dd8d48988d181941735","name":"Museum",
            "icon":{"prefix":"https://ss3.4sqi.net/img/","suffix":".png"}}],"distance":153,
            "extended_location":{},"related_places":{},"social_media":{"twitter":""},
            "location":{"address":"Keksitty katu 3","locality":"Helsinki","postcode":"00100",
            "country":"FI","formatted_address":"Keksitty katu 3 (2nd floor), 00100 Helsinki"}
            """#)
    /// A place of which only id and name are known.
    public static let bare = #"{"fsq_place_id":"\#(id(0xA2))","name":"Bare Place"}"#
    /// Places that are closed, each in another way.
    public static let closed = [
        place(0xA3, "Closed Long Ago", more: #","date_closed":"2019-05-01""#),
        place(0xA4, "Said To Be Closed", more: #","unresolved_flags":["duplicate","closed"]"#),
        place(0xA5, "Somebody's Home", more: #","unresolved_flags":["privatevenue"]"#),
        place(0xA6, "Never Was", more: #","unresolved_flags":["doesnt_exist"]"#),
        place(0xA7, "To Be Deleted", more: #","unresolved_flags":["delete"]"#),
    ]
    /// What has no id or no name.
    public static let nameless = [
        #"{"name":"No Id"}"#, #"{"fsq_place_id":"\#(id(0xA8))"}"#, "{}", "null", "[]",
        #"{"fsq_place_id":"\#(id(0xA9))","name":" \u200f "}"#,
        #"{"fsq_place_id":"../../v2/users","name":"Climber"}"#,
    ]
    /// A name that would clear a terminal, start lines of its own and turn the text around it.
    public static let hostile = place(
        0xAB, #"Bad\u001b[2J\r\nSubject: you won\u202e\u0007 Place"#,
        more: #","location":{"formatted_address":"A\u0000B\u2028C"}"#)
    /// Positions that are none.
    public static let misplaced = [
        place(0xB1, "Text", latitude: #""60.17""#, longitude: #""24.94""#),
        place(0xB2, "Objects", latitude: "{}", longitude: "{}"),
        place(0xB3, "Off The Earth", latitude: "91.5"),
        place(0xB4, "Half", longitude: "null"),
    ]
}
