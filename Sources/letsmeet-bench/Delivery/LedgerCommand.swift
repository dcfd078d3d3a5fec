import ArgumentParser

struct LedgerCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "ledger",
        abstract: "Time the ledger: schedule, fire and fold.",
        discussion: """
            Plans meetings with n deliveries in a separate home, fires their invitations through a \
            sink that accepts at once, and folds the outcomes. Each meeting is durable before its \
            answer, and each send is recorded before and after. Times are wall-clock times, since \
            the disk is waited for.

            EXAMPLE: letsmeet-bench ledger --n 20000 --guests 1 --reminders
            """)

    @Option(help: "The number of deliveries.") var n = 20_000
    @Option(help: "The number of clients that plan meetings at once.") var clients = 64
    @Option(help: "The number of guests of a meeting.") var guests = 50
    @Flag(help: "Also plan the default reminders; they are counted, but not yet due.")
    var reminders = false
    @Option(
        help: ArgumentHelp(
            "Save a copy of the home, made before firing, here.", valueName: "dir"))
    var keep: String?
    @Flag(help: "Print one JSON object for other programs.") var json = false

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
