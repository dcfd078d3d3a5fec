import ArgumentParser
import Foundation

/// The steps of the demo.
struct DemoStory {
    let stage: DemoStage

    /// The longest wait for expected deliveries, in seconds.
    private static let patienceSecondsMax = 15.0

    func tell() async throws {
        try people()
        try places()
        let daemon = try stage.start("letsmeetd", ["run", "--log", "error"])
        defer { daemon.terminate() }
        try meeting()
        try await waiting(until: "accepted", count: 5)
        try move()
        try await waiting(until: "accepted", count: 16)
        try ledger()
        daemon.terminate()
        daemon.waitUntilExit()
        try week()
        try series()
        stage.explain("That was letsmeet. Every line above was printed by its real commands.")
    }

    private func people() throws {
        stage.explain("Import an address book with circles")
        try stage.type("people", "import", stage.sampleContacts)
        try stage.type("circle", "list")
    }

    private func places() throws {
        stage.explain("Ambiguous city names are never guessed")
        try stage.type("place", "search", "--city", "Springfield", "--for", "museum", expecting: 1)
        stage.explain("Find places by city and interest, without an API key or a network")
        try stage.type("place", "search", "--city", "Helsinki", "--for", "museum", "--limit", "4")
        try stage.type("place", "search", "--city", "Helsinki", "--for", "lunch", "--limit", "4")
    }

    private func meeting() throws {
        stage.explain("Invite two circles to a meeting in about a minute, while the daemon runs")
        try stage.type(
            "meeting", "new", "Lunch", "--with", "book club,neighbours", "--place", "Lasipalatsi",
            "--start", "in 65s", "--remind", "50s")
    }

    private func move() throws {
        stage.explain("Move the meeting: guests are notified, and reminders move, too")
        try stage.type("meeting", "move", "lunch", "in 57s")
    }

    private func ledger() throws {
        stage.explain("See in the ledger everything that was sent")
        try stage.type("ledger", "list", "--state", "superseded", "accepted", "--limit", "8")
        try stage.type("why", "lunch", "bruno")
        try stage.type("ledger", "verify")
    }

    /// Waits until the ledger has `count` deliveries in a state.
    private func waiting(until state: String, count: Int) async throws {
        let end = Date().addingTimeInterval(Self.patienceSecondsMax)
        while Date() < end {
            let text = try stage.answer("letsmeet", ["ledger", "stats", "--json"])
            let stats = try JSONDecoder().decode(Stats.self, from: Data(text.utf8))
            if (stats.states[state] ?? 0) >= count { return }
            try await Task.sleep(for: .milliseconds(200))
        }
        Terminal.say("The deliveries did not arrive in time. This is a bug in letsmeet.")
        throw ExitCode(70)
    }

    private struct Stats: Decodable {
        let states: [String: Int]
    }

    /// One person's week, with a clock that jumps from one delivery to the next.
    private func week() throws {
        stage.explain("See one week of messages to Eva, on a simulated clock")
        try stage.type(
            "meeting", "new", "Choir", "--with", "eva", "--start", "in 6 days at 18:00",
            "--remind", "2d,3h")
        let outbox = try stage.answer("letsmeet", ["outbox", "--who", "eva", "--json"])
        var moments: [String] = []
        for line in outbox.split(separator: "\n") {
            moments.append(
                try JSONDecoder().decode(Waiting.self, from: Data(line.utf8)).due)
        }
        for moment in moments {
            Terminal.answer("$ letsmeetd once --now \(moment)")
            let process = try stage.start("letsmeetd", ["once", "--now", moment])
            process.waitUntilExit()
            guard process.terminationStatus == 0 else { throw ExitCode(1) }
        }
        try stage.type("ledger", "verify")
    }

    /// Free times, a recurring meeting and a calendar feed.
    private func series() throws {
        stage.explain("Find times that suit Eva and Bruno, each in their own time zone")
        try stage.type(
            "calendar", "free", "eva", "bruno", "--from", "in 3 days", "--to", "in 10 days",
            "--limit", "3")
        stage.explain("Plan a recurring meeting, and cancel one of its dates")
        try stage.type(
            "meeting", "new", "Band", "--with", "eva,bruno", "--start", "in 8 days at 19:00",
            "--repeat", "every 2nd week, 6 times")
        try stage.type("meeting", "cancel", "band", "--on", "next", "--yes")
        stage.explain("Share Eva's meetings with any calendar program")
        try stage.type("calendar", "feed", "new", "eva")
    }

    private struct Waiting: Decodable {
        let due: String
    }
}
