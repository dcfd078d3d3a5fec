import Transport

/// An exchange with the Places API that brought nothing, and whether asking again may help.
struct FoursquareFailure: Equatable {
    /// The most often that one request is sent again.
    static let retriesMax = 3
    /// The first wait is up to this; each further one up to twice as long.
    static let backoffMilliseconds = 500
    /// So long after the first request nothing is sent again: more is not worth a person's time,
    /// and the failure is told instead.
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

    /// How long to wait before the request is sent for the `retry`th time again, counted from 0,
    /// so long after it was first sent; nil when that would be no use.
    ///
    /// The wait is drawn from nothing up to the whole backoff, so that clients which failed
    /// together do not return together, and is never shorter than the service asks for.
    func waitMilliseconds(
        retry: Int, elapsedMilliseconds: Int, jitter: (ClosedRange<Int>) -> Int
    ) -> Int? {
        guard isPassing, retry < Self.retriesMax else { return nil }
        let drawn = jitter(0...(Self.backoffMilliseconds << retry))
        let wait = max((retryAfterSeconds ?? 0) * 1000, drawn)
        return elapsedMilliseconds + wait <= Self.patienceMilliseconds ? wait : nil
    }

    /// What an exchange without an answer means.
    init(_ error: TransportError) {
        switch error {
        case .cancelled, .unwanted: self.init(telling: .cancelled)
        case .timedOut: self.init(telling: .unreachable(.foursquare, error), isPassing: true)
        case .badURL, .badHeader, .couldNotResolve, .forbidden, .couldNotConnect, .tlsFailed,
            .tooLarge, .unanswered, .failed:
            self.init(telling: .unreachable(.foursquare, error))
        }
    }

    /// What an answer means that is no success; nil for a success.
    init?(_ response: HTTPResponse, key: FoursquareKey) {
        let words = FoursquareWords.message(of: response, without: key)
        let told = words.map { ": \($0)" } ?? ""
        let asked = response.retryAfterSeconds
        switch response.status {
        case 200..<300: return nil
        case 300..<400:
            self.init(
                telling: .unreadable(.foursquare, "a redirect (\(response.status)), not followed"))
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

/// Foursquare's words, and ours about them.
enum FoursquareWords {
    private static let scalarsMax = 160
    private static let textBytesMax = 4 * scalarsMax
    /// How damaged JSON and web pages begin.
    private static let marks = Set("{[<".utf8)

    /// The sentence in the body of a failed answer, without a stop at its end, and without the key
    /// where the service repeats it; nil when there is none.
    static func message(of response: HTTPResponse, without key: FoursquareKey) -> String? {
        guard var words = sentence(in: response)?.replacing(key.value, with: "(key)") else {
            return nil
        }
        while words.hasSuffix(".") { words.removeLast() }
        guard words.unicodeScalars.count > scalarsMax else { return words.isEmpty ? nil : words }
        return String(words.unicodeScalars.prefix(scalarsMax - 1)) + "…"
    }

    /// From the places where services put it; what is neither JSON nor a web page is one itself.
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
        "Foursquare refused the key (\(status)\(told)). It takes service keys only, no keys of its "
            + "older interface v3: make one in its developer console, \(FoursquareKey.help)"
    }

    static let nothingThere =
        "There is no Places API of Foursquare at the configured address (404). Check "
        + "LETSMEET_FOURSQUARE_URL, or leave it out."

    static func gone(_ told: String) -> String {
        "Foursquare no longer serves this interface (410\(told)). Leave "
            + "LETSMEET_FOURSQUARE_URL out, and check that the key is a service key: "
            + FoursquareKey.help
    }
}
