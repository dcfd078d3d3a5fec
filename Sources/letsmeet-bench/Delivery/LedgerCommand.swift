import ArgumentParser

struct LedgerCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "ledger",
        abstract: "Time the ledger: schedule, fire and fold.",
        discussion: """
            Plans meetings with n deliveries in a home of its own, fires their invitations through \
            a sink that accepts at once, and folds what came of them. Each meeting is durable \
            before its answer, and each send stands between its intent and its outcome. Times are \
            those of a clock on the wall: the disk is waited for.

            EXAMPLE: letsmeet-bench ledger --n 20000 --guests 1 --reminders
            """)

    @Option(help: "How many deliveries.") var n = 20_000
    @Option(help: "How many plan meetings at once.") var clients = 64
    @Option(help: "How many guests a meeting has.") var guests = 50
    @Flag(help: "Plan the usual reminders as well; they are counted, and not yet due.")
    var reminders = false
    @Option(
        help: ArgumentHelp(
            "Leave the home here as it was before anything fired.", valueName: "dir"))
    var keep: String?
    @Flag(help: "Print one JSON object, for other programs to read.") var json = false

    func validate() throws {
        guard (1...10_000_000).contains(n) else {
            throw ValidationError("--n must be from 1 to 10000000.")
        }
        guard (1...100).contains(guests) else {
            throw ValidationError("--guests must be from 1 to 100.")
        }
        guard (1...1000).contains(clients) else {
            throw ValidationError("--clients must be from 1 to 1000.")
        }
    }

    func run() async throws {
        let run = LedgerRun(
            count: n, guestCount: guests, hasReminders: reminders, clientCount: clients,
            copy: keep)
        try await LetsmeetBench.show(asJSON: json) { try await run.report() }
    }
}
