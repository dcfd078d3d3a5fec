import ArgumentParser
import Planning

/// How a change that reaches other people is made: shown first, asked about on a terminal, then
/// done.
struct Consent {
    let common: CommonOptions
    let options: ConsentOptions

    /// Whether somebody is there who can be asked.
    var asks: Bool { Terminal.isInteractive && !options.yes && !common.json }

    /// Calls `action` once to show what would follow, where somebody is asked and has not agreed
    /// yet, and once to do it.
    func carryOut(
        isAgreed: Bool = false, _ action: (_ saving: Bool) async throws -> some Readable
    ) async throws {
        if options.dryRun {
            try show(try await action(false))
            if !common.json { Terminal.say("Nothing was saved.") }
            return
        }
        guard asks else { return try finish(try await action(true)) }
        if !isAgreed {
            Terminal.say(OutcomeText(outcome: try await action(false)).text)
            guard Terminal.confirms("Go ahead?") else {
                Terminal.say("Nothing was saved.")
                throw ExitCode(1)
            }
        }
        let outcome = try await action(true)
        Terminal.answer(OutcomeText(outcome: outcome).done)
        warn(outcome)
    }

    private func finish(_ outcome: some Readable) throws {
        try show(outcome)
        if !common.json { warn(outcome) }
    }

    private func show(_ outcome: some Readable) throws {
        try common.answer(outcome) { OutcomeText(outcome: outcome).text }
    }

    private func warn(_ outcome: some Readable) {
        if let waiting = OutcomeText(outcome: outcome).waiting { Terminal.say(waiting) }
    }
}
