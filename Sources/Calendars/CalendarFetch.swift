import Interchange
import Planning
import Settings
import Transport

/// Downloads calendars from addresses that people enter. Addresses that are not public are refused,
/// unless the settings allow them.
struct CalendarFetch: Sendable {
    /// The maximum size of a calendar after decompression, in bytes: 10 MiB.
    static let octetsMax = 10 << 20
    /// The timeout of one download, including its redirects, in milliseconds.
    static let timeoutMilliseconds = 30_000
    /// The maximum number of redirects to follow. Each new address is checked like the first.
    static let redirectsMax = 5

    private let client: HTTPClient
    private let uptime: @Sendable () -> Duration
    private let patience: Int
    private let isPublicOnly: Bool

    /// Creates a downloader from the settings.
    ///
    /// - Parameters:
    ///   - configuration: the settings.
    ///   - uptime: a monotonic clock.
    ///   - isPublicOnly: true if the allowed private addresses are refused, too, because somebody
    ///     else than the owner of the installation chose the address.
    ///   - patience: the timeout of one download, in milliseconds.
    /// - Throws: ``Refusal`` with `bad_value` if the list of allowed addresses is invalid, or with
    ///   `no_client` if no HTTP client can be created.
    init(
        _ configuration: Configuration, uptime: @escaping @Sendable () -> Duration,
        isPublicOnly: Bool, patience: Int = timeoutMilliseconds
    ) throws(Refusal) {
        self.uptime = uptime
        self.patience = patience
        self.isPublicOnly = isPublicOnly
        let exceptions = isPublicOnly ? "" : configuration.webhookAllow
        do {
            client = try HTTPClient(
                userAgent: Planner.userAgent,
                guardian: try AddressGuard(allowing: exceptions))
        } catch let fault as AddressGuard.Fault {
            throw Refusal(
                .invalid, code: "bad_value",
                "\(configuration.place(of: .webhookAllow)): \(fault.reason)")
        } catch {
            throw Refusal(.unreachable, code: "no_client", "\(error)")
        }
    }

    /// The answer of a calendar server.
    enum Answer {
        /// The calendar has not changed since the known version.
        case unchanged
        /// The current version of the calendar, with the headers that identify it.
        case calendar(CalendarDownload, entityTag: String, lastModified: String)
    }

    /// A calendar that was downloaded and not read yet.
    struct CalendarDownload: Sendable {
        private let octets: [UInt8]
        private let host: String

        fileprivate init(_ octets: [UInt8], from host: String) {
            self.octets = octets
            self.host = host
        }

        /// Reads the calendar.
        ///
        /// - Throws: ``Refusal`` with `unreachable_calendar`.
        func read() throws(Refusal) -> CalendarReading {
            if let excess = BusyLimits.excess(of: octets) { throw tooLarge(excess) }
            let reading = CalendarReader.read(octets)
            if let excess = reading.excessWithLine { throw tooLarge(excess) }
            guard !reading.calendars.isEmpty else {
                throw CalendarFetch.unreadable("\(host) sent something that is not a calendar.")
            }
            guard !reading.isCutOff else {
                throw CalendarFetch.unreadable("\(host) sent an incomplete calendar.")
            }
            return reading
        }

        /// The refusal of a calendar that is too large.
        func tooLarge(_ excess: String) -> Refusal {
            CalendarFetch.unreadable("\(host) \(CalendarFetch.tooLargeWords) \(excess)")
        }
    }

    /// The words in the refusal of a calendar that is too large.
    static let tooLargeWords = "sent a calendar that is too large."

    /// Parses a typed address; `webcal:` and `webcals:` mean `https:`.
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

    /// Downloads a calendar.
    ///
    /// - Parameters:
    ///   - address: the address of the calendar.
    ///   - entityTag: the ETag of the known version; empty for none.
    ///   - lastModified: the Last-Modified value of the known version; empty for none.
    /// - Returns: the answer of the server.
    /// - Throws: ``Refusal`` with `unreachable_calendar` and the reason. The message names only the
    ///   host, because the rest of the address may be secret.
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
            request.timeoutMilliseconds = max(1, patience - Int(spent))
            request.bodyBytesMax = Self.octetsMax
            let response = try await send(request)
            switch response.status {
            case 304: return .unchanged
            case 200:
                return .calendar(
                    CalendarDownload(response.body, from: url.host),
                    entityTag: Self.kept(response.headers["ETag"]),
                    lastModified: Self.kept(response.headers["Last-Modified"]))
            case 301, 302, 303, 307, 308:
                guard let next = response.headers["Location"].flatMap({ try? url.resolving($0) })
                else { throw Self.unreadable("\(url.host) redirects to an invalid address.") }
                url = next
            default:
                throw Self.unreadable("\(url.host) answered \(response.status).")
            }
        }
        throw Self.unreadable("\(address.host) redirects too many times.")
    }

    private func send(_ request: HTTPRequest) async throws(Refusal) -> HTTPResponse {
        do throws(TransportError) {
            return try await client.send(request)
        } catch {
            let host = request.url.host
            let reason = error.message.contains(host) ? error.message : "\(host): \(error.message)"
            guard case .forbidden(let host) = error, !isPublicOnly else {
                throw Self.unreadable(reason)
            }
            throw Self.unreadable(
                "\(reason) To allow it, add \(host) to webhook.allow "
                    + "(LETSMEET_WEBHOOK_ALLOW).")
        }
    }

    /// A version header that can be sent back to the server; empty if the header is missing, is too
    /// long, or contains anything but printable ASCII characters.
    private static func kept(_ text: String?) -> String {
        guard let text, text.utf8.count <= versionOctetsMax,
            text.utf8.allSatisfy({ (0x20...0x7E).contains($0) })
        else { return "" }
        return text
    }

    private static let versionOctetsMax = 256

    fileprivate static func unreadable(_ reason: String) -> Refusal {
        Refusal(.unreachable, code: "unreachable_calendar", reason)
    }
}
