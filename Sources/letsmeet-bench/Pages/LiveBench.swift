import ArgumentParser
import Planning
import Programs

/// Measures event streams of open pages: their memory, their cost while nothing happens, and the
/// time from a change to its event.
struct LiveBench {
    /// The number of open streams.
    let streamCount: Int
    /// The seconds of the silence.
    let seconds: Int
    /// The number of changes.
    let rounds: Int

    /// The streams of an account.
    private static let streamsEach = 4
    /// The pause between two changes. It is longer than the one between two looks of the server at
    /// the database.
    private static let pause = Duration.milliseconds(120)

    /// - Throws: ``BenchFault`` if an event is lost.
    func report() async throws -> BenchReport {
        let folder = BenchHome.folder()
        defer { BenchHome.remove(folder) }
        let home = try await PageHome(in: folder)
        let accounts = try await home.accounts(count: streamCount / Self.streamsEach)
        return try await home.serveLive { port in
            // What the first streams need once belongs to no stream.
            for stream in try open(accounts.prefix(4), port) { stream.close() }
            let before = Meter.residentBytes
            let streams = try open(accounts[...], port)
            defer { streams.forEach { $0.close() } }
            let bytes = Meter.residentBytes - before
            let silence = try await silence()
            let events = try await events(accounts, streams, port)
            return report(bytesEach: Double(bytes) / Double(streams.count), silence, events)
        }
    }

    private func open(_ accounts: ArraySlice<PageHome.Access>, _ port: UInt16) throws
        -> [StreamClient]
    {
        try accounts.flatMap { account in
            try (0..<Self.streamsEach).map { _ in
                try StreamClient("/events", port: port, cookie: account.cookie, upTo: "data: ")
            }
        }
    }

    /// The use of the processor, and the wake-ups of all threads, while nothing happens.
    private func silence() async throws -> (use: ResourceUse, wakeUps: Int) {
        let before = Meter.wakeUps
        let use = try await ResourceUse.timing { try await Task.sleep(for: .seconds(seconds)) }
        return (use, Meter.wakeUps - before)
    }

    private struct Events {
        /// The nanoseconds from the end of each change to its event, sorted.
        var waits: [UInt64] = []
        /// The nanoseconds of a page that is asked for in between, sorted.
        var pages: [UInt64] = []

        var ratio: Double {
            Double(waits[waits.count / 2]) / Double(max(1, pages[pages.count / 2]))
        }
    }

    private func events(
        _ accounts: [PageHome.Access], _ streams: [StreamClient], _ port: UInt16
    ) async throws -> Events {
        var events = Events()
        for round in 0..<rounds {
            let place = round % accounts.count
            let own = Array(streams[(place * Self.streamsEach)...].prefix(Self.streamsEach))
            try await Task.sleep(for: Self.pause)
            async let arrival = StreamClient.arrival(at: own)
            _ = try await accounts[place].planner.addPlace(
                "Place \(round)", near: "60.17,24.94", address: "")
            let changed = Meter.wallNanoseconds
            guard let arrived = await arrival else { throw BenchFault("an event is lost") }
            // An event may overtake the answer to the program that made the change.
            events.waits.append(arrived > changed ? arrived - changed : 0)
            let page = try await ResourceUse.timing {
                try StreamClient(
                    "/places", port: port, cookie: accounts[place].cookie, upTo: nil
                ).close()
            }
            events.pages.append(page.wall)
        }
        events.waits.sort()
        events.pages.sort()
        return events
    }

    private func report(
        bytesEach: Double, _ silence: (use: ResourceUse, wakeUps: Int), _ events: Events
    ) -> BenchReport {
        func milliseconds(_ nanoseconds: UInt64?) -> Double {
            (Double(nanoseconds ?? 0) / 1e6).rounded(toPlaces: 3)
        }
        let span = Double(silence.use.wall) / 1e9
        var report = BenchReport(
            name: "live", n: streamCount, options: ["rounds": "\(rounds)"],
            phases: [
                .init(
                    "event", nanoseconds: events.waits.reduce(0, +), operationCount: rounds),
                .init("page", nanoseconds: events.pages.reduce(0, +), operationCount: rounds),
            ],
            bytesPerItem: bytesEach.rounded(toPlaces: 0),
            checks: .init(fired: events.waits.count, ordered: true))
        report.measures = [
            "ms from a change to its event, median":
                milliseconds(events.waits[events.waits.count / 2]),
            "ms from a change to its event, longest": milliseconds(events.waits.last),
            "times the page of places, asked for in turn": events.ratio.rounded(toPlaces: 2),
            "ms of processor time in a second of silence":
                (Double(silence.use.processor) / 1e6 / span).rounded(toPlaces: 3),
            "wake-ups of threads in a second of silence":
                (Double(silence.wakeUps) / span).rounded(toPlaces: 2),
        ]
        return report
    }
}

struct LiveCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "live",
        abstract: "Measure the event streams of open pages.",
        discussion: """
            A server in this process has n event streams, 4 of each account. Clients in this \
            process hold them. The memory is that of the server for each stream. Then nothing \
            happens for some seconds. Then places are saved, and the time from the end of each \
            change to its event at all streams of the account is taken, and in turn the time of \
            the page of places.

            EXAMPLE: letsmeet-bench live --n 256 --seconds 10
            """)

    @Option(help: "The number of streams.") var n = 256
    @Option(help: "The seconds in which nothing happens.") var seconds = 10
    @Option(help: "The number of changes.") var rounds = 100
    @Flag(help: "Print one JSON object for other programs.") var json = false

    func validate() throws {
        guard (16...256).contains(n), n.isMultiple(of: 4), (1...15).contains(seconds),
            (1...10_000).contains(rounds)
        else {
            throw ValidationError(
                "--n must be a multiple of 4 from 16 to 256, --seconds from 1 to 15, and --rounds "
                    + "from 1 to 10000.")
        }
    }

    func run() async throws {
        try await LetsmeetBench.show(asJSON: json) {
            try await LiveBench(streamCount: n, seconds: seconds, rounds: rounds).report()
        }
    }
}
