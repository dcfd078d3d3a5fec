import ArgumentParser
import Programs

/// Measures the processor time of pages, each beside the same bytes from memory, sent by the same
/// server in turn.
struct PageBench {
    /// The number of guests of each meeting.
    let guestCount: Int
    /// The seconds of a run of wrk.
    let seconds: Int
    let rounds: Int

    private static let connectionCount = 8

    /// - Throws: ``BenchFault`` if an answer was an error.
    func report() async throws -> BenchReport {
        let folder = BenchHome.folder()
        defer { BenchHome.remove(folder) }
        let home = try await PageHome(in: folder)
        let pages = try await home.pages(guestCount: guestCount)
        var phases: [BenchReport.Phase] = []
        var ratios: [String: Double] = [:]
        var count = 0
        for (name, path) in pages {
            for manner in Manner.allCases where manner.suits(name) {
                let (own, memory, ratio) = try await measure(path, manner, in: home)
                phases += [
                    .init("\(name), \(manner.rawValue)", own.spent, operationCount: own.count),
                    .init("  from memory", memory.spent, operationCount: memory.count),
                ]
                ratios["\(name), \(manner.rawValue)"] = ratio.rounded(toPlaces: 2)
                count += own.count
            }
        }
        return BenchReport(
            name: "page", n: guestCount, options: ["rounds": "\(rounds)"], phases: phases,
            bytesPerItem: 0, ratios: ratios, checks: .init(fired: count, ordered: true))
    }

    /// The manners in which a page is asked for.
    private enum Manner: String, CaseIterable {
        /// It is made for each request.
        case new
        /// It is kept, and sent again.
        case kept
        /// The browser has it, and it has not changed.
        case unchanged

        /// Guest pages are never kept, and feeds always.
        func suits(_ page: String) -> Bool {
            switch page {
            case "guest": self == .new
            case "feed": self != .new
            default: true
            }
        }
    }

    private struct Cost {
        var spent = ResourceUse(wall: 0, processor: 0)
        var count = 0

        var each: Double { Double(spent.processor) / Double(count) }

        static func += (left: inout Self, right: Self) {
            left.spent += right.spent
            left.count += right.count
        }
    }

    /// The cost of a page and of the same bytes from memory, and the median of their ratios.
    private func measure(
        _ path: String, _ manner: Manner, in home: PageHome
    ) async throws -> (own: Cost, memory: Cost, ratio: Double) {
        let memory = PageMemory()
        return try await home.serve(isKept: manner != .new, besides: memory) { address in
            var fields = ["Cookie: \(home.cookie)", "Host: localhost:8420"]
            memory.open()
            _ = try await WrkRun(address + path, fields, seconds: 1, connectionCount: 1)
            if manner == .unchanged, let tag = memory.tag {
                fields.append("If-None-Match: \(tag)")
            }
            var (own, plain, ratios) = (Cost(), Cost(), [Double]())
            for _ in 0..<rounds {
                let first = try await cost(of: address + path, fields)
                let second = try await cost(of: address + PageMemory.path, fields)
                ratios.append(first.each / second.each)
                own += first
                plain += second
            }
            return (own, plain, ratios.sorted()[ratios.count / 2])
        }
    }

    private func cost(of url: String, _ fields: [String]) async throws -> Cost {
        var cost = Cost()
        cost.spent = try await ResourceUse.timing {
            cost.count = try await WrkRun(
                url, fields, seconds: seconds, connectionCount: Self.connectionCount
            ).answerCount
        }
        return cost
    }
}

struct PageCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "page",
        abstract: "Time pages beside the same bytes from memory.",
        discussion: """
            A server in this process has pages about meetings with n participants. wrk asks for \
            each page, and in turn for the same bytes from memory, from the same server. "new": \
            the page is made for each request; "kept": it is sent again; "unchanged": the browser \
            has it. Wall-clock times are those of wrk with 8 connections. A ratio is the median \
            over the rounds.

            EXAMPLE: letsmeet-bench page --n 30 --rounds 3
            """)

    @Option(help: "The number of participants of each meeting.") var n = 30
    @Option(help: "The seconds of each run of wrk.") var seconds = 3
    @Option(help: "The number of rounds.") var rounds = 3
    @Flag(help: "Print one JSON object for other programs.") var json = false

    func validate() throws {
        guard (2...1000).contains(n), (1...60).contains(seconds), (1...100).contains(rounds) else {
            throw ValidationError(
                "--n must be from 2 to 1000, --seconds from 1 to 60, --rounds from 1 to 100.")
        }
    }

    func run() async throws {
        try await LetsmeetBench.show(asJSON: json) {
            // The organizer takes part, too.
            try await PageBench(guestCount: n - 1, seconds: seconds, rounds: rounds).report()
        }
    }
}
