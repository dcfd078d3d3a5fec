import ArgumentParser
import Ledger
import Sinks
import Transport

/// A small run that is the same each time, for a program that counts instructions.
enum CountedRun: String, CaseIterable, ExpressibleByArgument {
    /// Adds timers, cancels half of them, moves a quarter and fires the rest.
    case wheel
    /// Plans meetings with `n` invitations.
    case schedule
    /// Plans meetings with `n` invitations, and sends them through a sink that accepts at once.
    case fire
    /// Plans meetings with `n` invitations, and renders each as a mail that is not sent.
    case mail
}

struct CountCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "count",
        abstract: "Do a fixed piece of work, for valgrind to count its instructions.",
        discussion: """
            Does the work without measuring it. make counts runs it twice, with a small and a \
            large n, and divides the difference by the additional operations, so that starting the \
            program does not count.

            EXAMPLE: letsmeet-bench count mail --n 1000
            """)

    @Argument(help: "wheel, schedule, fire or mail.") var run: CountedRun
    @Option(help: "The number of timers, invitations or mails, at least 50.") var n = 1000

    func validate() throws {
        guard (50...1_000_000).contains(n) else {
            throw ValidationError("--n must be from 50 to 1000000.")
        }
    }

    func run() async throws {
        guard run != .wheel else { return turnWheel() }
        let folder = BenchHome.folder()
        defer { BenchHome.remove(folder) }
        let mail = MailBenchmark(url: "smtp://127.0.0.1")
        let home = try await BenchHome(
            in: folder, guestCount: Self.guestCount, hasReminders: false,
            settings: mail.settings.merging(
                ["LETSMEET_BASE_URL": "https://meet.example.org"], uniquingKeysWith: { $1 })
        ) { surroundings in
            RenderingSink(
                mail: try mail.sink(in: surroundings, connectionCount: 1),
                isRendering: run == .mail)
        }
        try await home.schedule(meetingCount: n / Self.guestCount, clientCount: 1)
        guard run != .schedule else { return }
        _ = try await home.fire()
        try await home.fold()
    }

    private static let guestCount = 50

    private func turnWheel() {
        var bench = WheelBench(WheelKeys(count: n, span: .hour))
        bench.add()
        bench.cancel()
        bench.move()
        bench.fire(.jump)
    }
}

/// A sink that renders mails, if that is what is counted, and sends nothing.
private struct RenderingSink: Sink {
    let mail: any Sink
    let isRendering: Bool

    var name: String { mail.name }
    var schedule: RetrySchedule { mail.schedule }
    var policy: AmbiguityPolicy { mail.policy }
    var takesEnclosures: Bool { isRendering }

    func deliver(_ outgoing: OutgoingMessage) async -> AttemptReport {
        guard isRendering else { return AttemptReport(.accepted) }
        let octets = try? (mail as? MailSink)?.message(outgoing).octets
        return AttemptReport(octets?.isEmpty == false ? .accepted : .permanent)
    }
}
