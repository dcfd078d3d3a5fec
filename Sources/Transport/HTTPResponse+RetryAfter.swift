public import Timekeeping

extension HTTPResponse {
    /// The longest wait that is accepted, in seconds: one day.
    public static let retryAfterSecondsMax = 24 * 3600

    /// The number of seconds that the server asks to wait (`Retry-After`, RFC 9110, section
    /// 10.2.3), from 0 to ``retryAfterSecondsMax``; `nil` if the header is missing or invalid.
    ///
    /// A date is compared with the `Date` of the response, so this machine's clock does not matter.
    /// If the response has none, ``retryAt`` has the date.
    public var retryAfterSeconds: Int? {
        guard case .wait(let wait)? = retryAfter else { return nil }
        return wait
    }

    /// The moment until which the server asks to wait, if it states a date and its own clock is not
    /// known; else `nil`.
    public var retryAt: Moment? {
        guard case .moment(let moment)? = retryAfter else { return nil }
        return moment
    }

    private enum Wish {
        case wait(Int)
        case moment(Moment)
    }

    /// The smallest number that can only be a moment in seconds since 1970, and the smallest in
    /// milliseconds.
    private static let (epochSeconds, epochMilliseconds): (Double, Double) = (1e9, 1e12)

    private var retryAfter: Wish? {
        guard let text = headers["Retry-After"], !text.isEmpty else { return nil }
        // Some servers state it twice.
        let first = text.prefix { $0 != "," }.drop { $0 == " " }
        guard let number = Self.number(first) else {
            return HTTPDate.parseLeniently(text, near: sentAt).map(wish)
        }
        guard number >= Self.epochSeconds else { return .wait(Self.limited(number)) }
        // Digits that do not fit into an integer still mean a very large number.
        guard number < Self.epochMilliseconds * 10 else { return .wait(Self.retryAfterSecondsMax) }
        let isFine = number >= Self.epochMilliseconds
        return wish(Moment(seconds: Int64(isFine ? number / 1000 : number)))
    }

    private func wish(_ moment: Moment) -> Wish {
        guard let sentAt else { return .moment(moment) }
        return .wait(Self.limited(Double(moment.seconds - sentAt.seconds)))
    }

    /// The time of the server's clock; `nil` if it is not known.
    private var sentAt: Moment? { headers["Date"].flatMap { HTTPDate.parseLeniently($0) } }

    /// The response with the time of its receipt as its date, if the server stated none.
    ///
    /// - Parameter now: the current time.
    /// - Returns: the response.
    public func dated(_ now: Moment) -> HTTPResponse {
        guard sentAt == nil, headers["Retry-After"] != nil else { return self }
        var known = HTTPHeaders()
        known.add("Date", HTTPDate.text(of: now))
        for field in headers.fields where field.name.lowercased() != "date" {
            known.add(field.name, field.value)
        }
        return HTTPResponse(status: status, headers: known, body: body)
    }

    private static func limited(_ seconds: Double) -> Int {
        Int(min(max(0, seconds.rounded(.up)), Double(retryAfterSecondsMax)))
    }

    /// A number of digits, perhaps with a fraction or a plus sign.
    private static func number(_ text: Substring) -> Double? {
        let plain = text.hasPrefix("+") ? text.dropFirst() : text
        let isNumber =
            plain.utf8.first.map { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } == true
            && plain.allSatisfy { $0.isASCII && $0.isWholeNumber || ". ".contains($0) }
        return isNumber ? Double(plain.filter { $0 != " " }) : nil
    }
}
