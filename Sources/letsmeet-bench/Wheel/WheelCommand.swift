import ArgumentParser

extension WheelKeys.Span: ExpressibleByArgument {}

extension WheelBench.Mode: ExpressibleByArgument {}

struct WheelCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "wheel",
        abstract: "Time the timer wheel: add, cancel, move and fire.",
        discussion: """
            Adds n timers, cancels half of them, moves a quarter, fires the rest. The "life" of a \
            timer is add + cancel/2 + move/4 + fire/2.

            EXAMPLE: letsmeet-bench wheel --n 1000000 --span 1h --mode jump
            """)

    @Option(help: "The number of timers.") var n = 1_000_000
    @Option(help: "The deadlines: 1h, mixed (a fifth within 30 days), rush (in six hours).")
    var span = WheelKeys.Span.hour
    @Option(help: "The steps of time: jump (to the next expiry) or tick (by 1 ms, for an hour).")
    var mode = WheelBench.Mode.jump
    @Flag(help: "Print one JSON object for other programs.") var json = false

    func validate() throws {
        guard (4...100_000_000).contains(n) else {
            throw ValidationError("--n must be from 4 to 100000000.")
        }
        if span == .rush, mode == .tick {
            throw ValidationError(
                "With --span rush, nothing is due in the hour of --mode tick. Use --mode jump.")
        }
    }

    func run() async throws {
        try await LetsmeetBench.show(asJSON: json) {
            try WheelRun(count: n, span: span, mode: mode).report()
        }
    }
}
