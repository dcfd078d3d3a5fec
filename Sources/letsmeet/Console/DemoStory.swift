import ArgumentParser
import Foundation

/// What the demo shows, act by act.
struct DemoStory {
    let stage: DemoStage

    /// How long the demo waits for something that must happen, in seconds.
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
        stage.explain("That was letsmeet. Every line above came from its real commands.")
    }

    private func people() throws {
        stage.explain("An address book, with circles")
        try stage.type("people", "import", stage.sampleContacts)
        try stage.type("circle", "list")
    }

    private func places() throws {
        stage.explain("A city that several have is never guessed")
        try stage.type("place", "search", "--city", "Springfield", "--for", "museum", expecting: 1)
        stage.explain("Places by city and interest, without a key and without a network")
        try stage.type("place", "search", "--city", "Helsinki", "--for", "museum", "--limit", "4")
        try stage.type("place", "search", "--city", "Helsinki", "--for", "lunch", "--limit", "4")
    }

    private func meeting() throws {
        stage.explain("A meeting that starts in some seconds, with two circles; a daemon works")
        try stage.type(
            "meeting", "new", "Lunch", "--with", "book club,neighbours", "--place", "Lasipalatsi",
            "--start", "in 65s", "--remind", "50s")
    }

    private func move() throws {
        stage.explain("It moves: changes go out, the old reminders are superseded")
        try stage.type("meeting", "move", "lunch", "in 57s")
    }

    private func ledger() throws {
        stage.explain("Everything that was sent stands in the ledger")
        try stage.type("ledger", "list", "--state", "superseded", "accepted", "--limit", "8")
        try stage.type("why", "lunch", "bruno")
        try stage.type("ledger", "verify")
    }

    /// Waits until the ledger counts so many rows of a state.
    private func waiting(until state: String, count: Int) async throws {
        let end = Date().addingTimeInterval(Self.patienceSecondsMax)
        while Date() < end {
            let text = try stage.answer("letsmeet", ["ledger", "stats", "--json"])
            let stats = try JSONDecoder().decode(Stats.self, from: Data(text.utf8))
            if (stats.states[state] ?? 0) >= count { return }
            try await Task.sleep(for: .milliseconds(200))
        }
        Terminal.say("The deliveries did not come in time. That is a bug of letsmeet.")
        throw ExitCode(70)
    }

    private struct Stats: Decodable {
        let states: [String: Int]
    }

    /// One person's week on a clock that jumps from one delivery to the next.
    private func week() throws {
        stage.explain("Now one week of Eva, on a clock that jumps")
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

    /// A time that suits everybody, and a meeting that comes again.
    private func series() throws {
        stage.explain("When Eva and Bruno can meet, each by their own clocks")
        try stage.type(
            "calendar", "free", "eva", "bruno", "--from", "in 3 days", "--to", "in 10 days",
            "--limit", "3")
        stage.explain("A meeting that repeats, by the clocks on the wall, but for one date")
        try stage.type(
            "meeting", "new", "Band", "--with", "eva,bruno", "--start", "in 8 days at 19:00",
            "--repeat", "every 2nd week, 6 times")
        try stage.type("meeting", "cancel", "band", "--on", "next", "--yes")
        stage.explain("An address to which any calendar program subscribes")
        try stage.type("calendar", "feed", "new", "eva")
    }

    private struct Waiting: Decodable {
        let due: String
    }
}
