import StreamSafe
import Transport

/// A failed request to the Places API, and whether a retry may help.
struct FoursquareFailure: Equatable {
    /// The most retries of one request.
    static let retriesMax = 3
    /// The upper limit of the first wait. It doubles for each further retry.
    static let backoffMilliseconds = 500
    /// The time after the first request at which retries end: a person should not wait longer, and
    /// gets the error instead.
    static let patienceMilliseconds = 10_000

    let error: PlaceError
    let isPassing: Bool
    let retryAfterSeconds: Int?

    private init(
        telling error: PlaceError, isPassing: Bool = false, retryAfterSeconds: Int? = nil
    ) {
        self.error = error
        self.isPassing = isPassing
        self.retryAfterSeconds = retryAfterSeconds
    }

    /// The wait before a retry; nil if a retry would not help or would take too long. `retry`
    /// counts from 0, and `elapsedMilliseconds` is the time since the first request.
    ///
    /// The wait is drawn at random between zero and the whole backoff, so that clients that failed
    /// together do not return together. It is never shorter than the service asks for.
    func waitMilliseconds(
        retry: Int, elapsedMilliseconds: Int, jitter: (ClosedRange<Int>) -> Int
    ) -> Int? {
        guard isPassing, retry < Self.retriesMax else { return nil }
        let drawn = jitter(0...(Self.backoffMilliseconds << retry))
        let wait = max((retryAfterSeconds ?? 0) * 1000, drawn)
        return elapsedMilliseconds + wait <= Self.patienceMilliseconds ? wait : nil
    }

    /// The failure of a request without an answer.
    init(_ error: TransportError) {
        switch error {
        case .cancelled, .unwanted: self.init(telling: .cancelled)
        case .timedOut: self.init(telling: .unreachable(.foursquare, error), isPassing: true)
        case .badURL, .badHeader, .couldNotResolve, .forbidden, .couldNotConnect, .tlsFailed,
            .tooLarge, .unanswered, .failed:
            self.init(telling: .unreachable(.foursquare, error))
        }
    }

    /// The failure that an answer reports; nil if the answer is a success.
    init?(_ response: HTTPResponse, key: FoursquareKey) {
        let words = FoursquareWords.message(of: response, without: key)
        let told = words.map { ": \($0)" } ?? ""
        let asked = response.retryAfterSeconds
        switch response.status {
        case 200..<300: return nil
        case 300..<400:
            self.init(
                telling: .unreadable(
                    .foursquare, "it is a redirect (\(response.status)), which is not followed"))
        case 401, 403:
            self.init(
                telling: .refused(.foursquare, FoursquareWords.refusal(response.status, told)))
        case 402:
            self.init(telling: .outOfCredit(.foursquare, words: words))
        case 404:
            self.init(telling: .refused(.foursquare, FoursquareWords.nothingThere))
        case 410:
            self.init(telling: .refused(.foursquare, FoursquareWords.gone(told)))
        case 429 where FoursquareWords.speaksOfCredit(words):
            self.init(telling: .outOfCredit(.foursquare, words: words))
        case 429:
            self.init(
                telling: .rateLimited(.foursquare, retryAfterSeconds: asked, words: words),
                isPassing: true, retryAfterSeconds: asked)
        case 500...:
            self.init(
                telling: .unavailable(.foursquare, "it answered \(response.status)\(told)"),
                isPassing: true, retryAfterSeconds: asked)
        default:
            self.init(telling: .badRequest(.foursquare, "\(response.status)\(told)."))
        }
    }
}

/// Foursquare's error texts, and the texts that explain them.
enum FoursquareWords {
    private static let scalarsMax = 160
    private static let textBytesMax = 4 * scalarsMax
    /// The first bytes of damaged JSON and of web pages.
    private static let marks = Set("{[<".utf8)

    /// The error text in the body of a failed answer, without the final full stop, and with the key
    /// replaced if the service repeats it; nil if there is none.
    static func message(of response: HTTPResponse, without key: FoursquareKey) -> String? {
        guard var words = sentence(in: response)?.replacing(key.value, with: "(key)") else {
            return nil
        }
        while words.hasSuffix(".") { words.removeLast() }
        return words.isEmpty ? nil : ShortText.of(words, scalarsMax: scalarsMax)
    }

    /// Reads the fields in which services put their error text. A body that is neither JSON nor a
    /// web page is itself the text.
    private static func sentence(in response: HTTPResponse) -> String? {
        guard let body = try? JSONReader.read(response.body[...]) else {
            let start = response.body.prefix(textBytesMax)
            guard start.first(where: { $0 > 0x20 }).map({ !marks.contains($0) }) ?? false,
                let text = String(validating: start, as: UTF8.self)
            else { return nil }
            return PlaceText.line(text)
        }
        return PlaceText.line(body["message"]) ?? PlaceText.line(body["error"])
            ?? PlaceText.line(body["error"]?["message"])
            ?? PlaceText.line(body["meta"]?["errorDetail"])
    }

    static func speaksOfCredit(_ words: String?) -> Bool {
        guard let words = words?.lowercased() else { return false }
        return ["credit", "quota", "billing"].contains { words.contains($0) }
    }

    static func refusal(_ status: Int, _ told: String) -> String {
        "Foursquare refused the key (\(status)\(told)). It accepts only service keys, not the keys "
            + "of its older API v3: create one in its developer console, \(FoursquareKey.help)"
    }

    static let nothingThere =
        "Foursquare's Places API was not found at the configured address (404). Check "
        + "LETSMEET_FOURSQUARE_URL, or remove it."

    static func gone(_ told: String) -> String {
        "Foursquare no longer offers this API (410\(told)). Remove LETSMEET_FOURSQUARE_URL, and "
            + "check that the key is a service key: "
            + FoursquareKey.help
    }
}
