import Timekeeping

extension HTTPResponse {
    /// The longest wait that is accepted, in seconds: one day.
    public static let retryAfterSecondsMax = 24 * 3600

    /// The number of seconds that the server asks to wait (`Retry-After`, RFC 9110, section
    /// 10.2.3), from 0 to ``retryAfterSecondsMax``; `nil` if the header is missing or invalid.
    ///
    /// A date is compared with the `Date` of the response, so this machine's clock does not matter.
    public var retryAfterSeconds: Int? {
        guard let text = headers["Retry-After"], !text.isEmpty else { return nil }
        let seconds: Int
        if text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) {
            // Digits that do not fit into an integer still mean a very large number.
            seconds = Int(text) ?? HTTPResponse.retryAfterSecondsMax
        } else {
            guard let then = HTTPDate.parse(text),
                let sent = headers["Date"].flatMap(HTTPDate.parse)
            else { return nil }
            seconds = Int(then.seconds - sent.seconds)
        }
        return min(max(0, seconds), HTTPResponse.retryAfterSecondsMax)
    }
}
