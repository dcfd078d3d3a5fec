import TestKit
import Testing
import Transport

@testable import Places

@Suite(.timeLimit(.minutes(5))) struct FoursquareFailureTests {
    struct Refusal: Sendable, CustomTestStringConvertible {
        let name: String
        let answer: FakeFoursquareAnswer
        let error: PlaceError
        var testDescription: String { name }
    }

    private static let help = FoursquareKey.help

    static let refusals = [
        Refusal(
            name: "400", answer: .refusal(400, "Invalid \\u001b[1m fields."),
            error: .badRequest(.foursquare, "400: Invalid [1m fields.")),
        Refusal(
            name: "401", answer: .refusal(401, "Invalid request token."),
            error: .refused(
                .foursquare,
                "Foursquare refused the key (401: Invalid request token). It accepts only service "
                    + "keys, not the keys of its older API v3: create one in its developer "
                    + "console, \(help)")),
        Refusal(
            name: "401 that repeats the key", answer: .refusal(401, "No: \(FakeFoursquare.key)!"),
            error: .refused(
                .foursquare,
                "Foursquare refused the key (401: No: (key)!). It accepts only service keys, not "
                    + "the keys of its older API v3: create one in its developer console, "
                    + "\(help)")),
        Refusal(
            name: "403 without words", answer: FakeFoursquareAnswer(FakeAnswer(403)),
            error: .refused(
                .foursquare,
                "Foursquare refused the key (403). It accepts only service keys, not the keys of "
                    + "its older API v3: create one in its developer console, \(help)")),
        Refusal(
            name: "402", answer: .refusal(402, "Pay."),
            error: .outOfCredit(.foursquare, words: "Pay")),
        Refusal(
            name: "404", answer: .refusal(404, "Not found"),
            error: .refused(
                .foursquare,
                "Foursquare's Places API was not found at the configured address (404). Check "
                    + "LETSMEET_FOURSQUARE_URL, or remove it.")),
        Refusal(
            name: "410", answer: .refusal(410, "Deprecated"),
            error: .refused(
                .foursquare,
                "Foursquare no longer offers this API (410: Deprecated). Remove "
                    + "LETSMEET_FOURSQUARE_URL, and check that the key is a service key: "
                    + help)),
        Refusal(
            name: "credit", answer: .outOfCredit,
            error: .outOfCredit(.foursquare, words: "You have no API credits remaining")),
        Refusal(
            name: "quota", answer: .refusal(429, "Quota exceeded"),
            error: .outOfCredit(.foursquare, words: "Quota exceeded")),
        Refusal(
            name: "quota in plain words",
            answer: FakeFoursquareAnswer(
                FakeAnswer(429, body: Array("\u{1B}Quota\nexceeded \(FakeFoursquare.key).".utf8))),
            error: .outOfCredit(.foursquare, words: "Quota exceeded (key)")),
        Refusal(
            name: "long words",
            answer: .refusal(402, String(repeating: "x", count: 200)),
            error: .outOfCredit(.foursquare, words: String(repeating: "x", count: 159) + "…")),
        Refusal(
            name: "an HTML page",
            answer: FakeFoursquareAnswer(
                FakeAnswer(402, body: Array(" <html>Pay".utf8))),
            error: .outOfCredit(.foursquare)),
        Refusal(
            name: "long rest", answer: .refusal(429, "Slow down", retryAfter: "3600"),
            error: .rateLimited(.foursquare, retryAfterSeconds: 3600, words: "Slow down")),
        Refusal(
            name: "redirect",
            answer: FakeFoursquareAnswer(
                FakeAnswer(302, headers: [("Location", "https://evil.example/")])),
            error: .unreadable(.foursquare, "it is a redirect (302), which is not followed")),
        Refusal(
            name: "web page", answer: .webPage,
            error: .unreadable(.foursquare, "it is a web page, not JSON")),
        Refusal(
            name: "nothing", answer: FakeFoursquareAnswer(FakeAnswer(200)),
            error: .unreadable(.foursquare, "it is empty")),
        Refusal(
            name: "truncated JSON", answer: .truncatedJSON,
            error: .unreadable(.foursquare, "it is not valid JSON (it ends too early at byte 37)")),
        Refusal(
            name: "other JSON", answer: FakeFoursquareAnswer(.json(#"{"venues":[]}"#)),
            error: .unreadable(.foursquare, "it has no results")),
        Refusal(
            name: "results not a list", answer: FakeFoursquareAnswer(.json(#"{"results":{}}"#)),
            error: .unreadable(.foursquare, "it has no results")),
    ]

    @Test(arguments: refusals)
    func `A permanent failure is reported at once`(_ refusal: Refusal) async throws {
        let fixture = try FoursquareFixture([refusal.answer])
        defer { fixture.fake.stop() }
        #expect(await fixture.failure() == refusal.error)
        #expect(fixture.fake.requests.count == 1)
        #expect(fixture.clock.napsMilliseconds.isEmpty)
        #expect(!refusal.error.message.contains(FakeFoursquare.key))
    }

    @Test func `A temporary failure is retried after growing waits`() async throws {
        let fixture = try FoursquareFixture([
            .broken, .rateLimited, FakeFoursquareAnswer(FakeAnswer(503)),
            .places([FakeFoursquare.museum]),
        ])
        defer { fixture.fake.stop() }
        #expect(try await fixture.search().places.count == 1)
        #expect(fixture.fake.requests.count == 4)
        #expect(fixture.clock.napsMilliseconds == [500, 1000, 2000])
    }

    @Test func `A failure that persists is reported after three retries`() async throws {
        let fixture = try FoursquareFixture([.broken])
        defer { fixture.fake.stop() }
        #expect(
            await fixture.failure()
                == .unavailable(.foursquare, "it answered 500: Internal Server Error"))
        #expect(fixture.fake.requests.count == 1 + FoursquareSource.retriesMax)
    }

    @Test(arguments: [("2", 2000), ("0", 500), ("10", 10_000)])
    func `A wait asked for by the server is kept`(_ seconds: String, _ nap: Int) async throws {
        let fixture = try FoursquareFixture([
            .refusal(429, "Slow down", retryAfter: seconds), .places([]),
        ])
        defer { fixture.fake.stop() }
        _ = try await fixture.search()
        #expect(fixture.clock.napsMilliseconds == [nap])
    }

    @Test(arguments: 0...3)
    func `The wait is drawn between zero and the whole backoff`(_ retry: Int) throws {
        let failure = FoursquareFailure(.timedOut(milliseconds: 1))
        var drawn: [ClosedRange<Int>] = []
        let wait = failure.waitMilliseconds(retry: retry, elapsedMilliseconds: 0) { range in
            drawn.append(range)
            return 7
        }
        #expect(wait == (retry < 3 ? 7 : nil))
        #expect(drawn == (retry < 3 ? [0...(500 << retry)] : []))
    }

    @Test(arguments: [(9_500, 500), (9_501, nil), (16_000, nil)])
    func `Retries stop after ten seconds`(
        _ elapsed: Int, _ wait: Int?
    ) {
        let failure = FoursquareFailure(.timedOut(milliseconds: 8_000))
        let found = failure.waitMilliseconds(retry: 0, elapsedMilliseconds: elapsed) {
            $0.upperBound
        }
        #expect(found == wait)
    }

    @Test(arguments: [
        (TransportError.timedOut(milliseconds: 1), true), (.cancelled, false),
        (.couldNotResolve(host: "h"), false), (.couldNotConnect(host: "h", port: 1), false),
        (.tlsFailed("x"), false), (.tooLarge(bytesMax: 1), false), (.failed("x"), false),
        (.badURL("x"), false), (.badHeader(name: "x"), false),
    ])
    func `Among failures without an answer, only a timeout is retried`(
        _ error: TransportError, _ isPassing: Bool
    ) {
        let failure = FoursquareFailure(error)
        #expect(failure.isPassing == isPassing)
        let expected = PlaceError.unreachable(.foursquare, error)
        #expect(failure.error == (error == .cancelled ? .cancelled : expected))
    }

    @Test func `A refused connection is reported`() async throws {
        let fixture = try FoursquareFixture([.places([])])
        defer { fixture.fake.stop() }
        let source = FoursquareSource(
            client: try HTTPClient(userAgent: "letsmeet/test"),
            key: try FoursquareKey(FakeFoursquare.key),
            base: try FoursquareBase("http://127.0.0.1:1"), clock: fixture.clock,
            jitter: { $0.lowerBound })
        let error = await #expect(throws: PlaceError.self) {
            try await source.search(FoursquareFixture.query())
        }
        #expect(
            error?.message
                == "Foursquare could not be reached. Cannot connect to 127.0.0.1, port 1.")
    }

    @Test func `A truncated answer is reported`() async throws {
        let fixture = try FoursquareFixture([.brokenOff])
        defer { fixture.fake.stop() }
        guard case .unreachable(.foursquare, .failed) = await fixture.failure() else {
            Issue.record("told as \(String(describing: await fixture.failure()))")
            return
        }
    }

    @Test func `Cancelling the task ends the search`() async throws {
        let fixture = try FoursquareFixture([.silent])
        defer { fixture.fake.stop() }
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await fixture.search()
        }
        await #expect(throws: PlaceError.cancelled) { try await task.value }
    }
}
