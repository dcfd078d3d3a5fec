import Interchange
import Settings
import Transport

/// Reads calendars at addresses that people name, and nothing that is not for everybody.
struct CalendarFetch: Sendable {
    /// The most octets of a calendar that are read, after unpacking: 10 MiB.
    static let octetsMax = 10 << 20
    /// How long it may take to read one, redirects and all, in milliseconds.
    static let timeoutMilliseconds = 30_000
    /// So many redirects are followed; each of them is looked at as the first address was.
    static let redirectsMax = 5

    private let client: HTTPClient
    private let uptime: @Sendable () -> Duration

    /// A reader by this configuration, on a clock that nobody sets.
    ///
    /// - Throws: ``Refusal`` where what the guard lets through cannot be read.
    init(
        _ configuration: Configuration, uptime: @escaping @Sendable () -> Duration
    ) throws(Refusal) {
        self.uptime = uptime
        do {
            client = try HTTPClient(
                userAgent: Planner.userAgent,
                guardian: try AddressGuard(allowing: configuration.webhookAllow))
        } catch let fault as AddressGuard.Fault {
            throw Refusal(
                .invalid, code: "bad_value",
                "\(configuration.place(of: .webhookAllow)): \(fault.entry) is neither a range of "
                    + "addresses nor the name of a host.")
        } catch {
            throw Refusal(.unreachable, code: "no_client", "\(error)")
        }
    }

    /// What a calendar's server answered.
    enum Answer {
        /// It is as it was.
        case unchanged
        /// It is this.
        case calendar(CalendarReading, entityTag: String, lastModified: String)
    }

    /// The address that somebody typed; `webcal:` stands for `https:`.
    ///
    /// - Throws: ``Refusal`` with `bad_url`.
    static func address(_ text: String) throws(Refusal) -> HTTPURL {
        let scheme = text.prefix { $0 != ":" }.lowercased()
        let rest = text.dropFirst(scheme.count)
        do throws(TransportError) {
            return try HTTPURL(["webcal", "webcals"].contains(scheme) ? "https\(rest)" : text)
        } catch {
            throw Refusal(.invalid, code: "bad_url", error.message)
        }
    }

    /// Asks for a calendar.
    ///
    /// - Parameters:
    ///   - address: where it is.
    ///   - entityTag: the name of the version that is known; empty for none.
    ///   - lastModified: when that was changed, in the server's words; empty for none.
    /// - Returns: what the server answered.
    /// - Throws: ``Refusal`` with `unreachable_calendar`, which says why. It tells the host alone.
    func read(
        _ address: HTTPURL, entityTag: String, lastModified: String
    ) async throws(Refusal) -> Answer {
        var url = address
        let begun = uptime()
        for _ in 0...Self.redirectsMax {
            var request = HTTPRequest(.get, url)
            request.headers = ["Accept": "text/calendar, */*;q=0.5"]
            if !entityTag.isEmpty { request.headers.add("If-None-Match", entityTag) }
            if !lastModified.isEmpty { request.headers.add("If-Modified-Since", lastModified) }
            let spent = (uptime() - begun) / .milliseconds(1)
            request.timeoutMilliseconds = max(1, Self.timeoutMilliseconds - Int(spent))
            request.bodyBytesMax = Self.octetsMax
            let response = try await send(request)
            switch response.status {
            case 304: return .unchanged
            case 200: return try Self.calendar(response, url)
            case 301, 302, 303, 307, 308:
                guard let next = response.headers["Location"].flatMap({ try? url.resolving($0) })
                else { throw Self.unreadable("\(url.host) redirects to no address.") }
                url = next
            default:
                throw Self.unreadable("\(url.host) answered \(response.status).")
            }
        }
        throw Self.unreadable("\(address.host) redirects again and again.")
    }

    private func send(_ request: HTTPRequest) async throws(Refusal) -> HTTPResponse {
        do throws(TransportError) {
            return try await client.send(request)
        } catch {
            let host = request.url.host
            let reason = error.message.contains(host) ? error.message : "\(host): \(error.message)"
            guard case .forbidden(let host) = error else { throw Self.unreadable(reason) }
            throw Self.unreadable(
                "\(reason) To let it through, name \(host) in LETSMEET_WEBHOOK_ALLOW.")
        }
    }

    private static func calendar(
        _ response: HTTPResponse, _ url: HTTPURL
    ) throws(Refusal) -> Answer {
        let reading = CalendarReader.read(response.body)
        guard !reading.calendars.isEmpty else {
            throw unreadable("What \(url.host) answered is no calendar.")
        }
        guard !reading.isCutOff else {
            throw unreadable("What \(url.host) answered is cut off.")
        }
        return .calendar(
            reading, entityTag: kept(response.headers["ETag"]),
            lastModified: kept(response.headers["Last-Modified"]))
    }

    /// What a server said of a version, where it can be said back to it.
    private static func kept(_ text: String?) -> String {
        guard let text, text.utf8.count <= versionOctetsMax,
            text.utf8.allSatisfy({ (0x20...0x7E).contains($0) })
        else { return "" }
        return text
    }

    private static let versionOctetsMax = 256

    private static func unreadable(_ reason: String) -> Refusal {
        Refusal(.unreachable, code: "unreachable_calendar", reason)
    }
}
