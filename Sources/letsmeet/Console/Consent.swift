import ArgumentParser
import Planning

/// How a change that reaches other people is made: shown first, asked about on a terminal, then
/// done.
struct Consent {
    let common: CommonOptions
    let options: ConsentOptions
    /// Whether somebody is asked also where no message goes out.
    var asksWhereNobodyIsTold = true

    /// Whether somebody is there who can be asked.
    var asks: Bool { common.asks(unless: options.yes) }

    /// Asks whether to go on; anything but yes ends the command.
    ///
    /// - Throws: `ExitCode` with 1.
    static func agree(_ question: String) throws {
        guard Terminal.confirms(question) else { throw declined() }
    }

    /// Tells whoever did not agree that nothing happened.
    ///
    /// - Returns: how the command ends.
    static func declined() -> ExitCode {
        Terminal.say("Nothing was saved.")
        return ExitCode(1)
    }

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
            let preview = OutcomeText(outcome: try await action(false))
            if asksWhereNobodyIsTold || preview.tellsSomebody {
                Terminal.say(preview.text)
                try Self.agree("Go ahead?")
            }
        }
        let outcome = try await action(true)
        Terminal.answer(OutcomeText(outcome: outcome).done, afterSaving: true)
        warn(outcome)
    }

    private func finish(_ outcome: some Readable) throws {
        try common.confirm(outcome) { OutcomeText(outcome: outcome).text }
        if !common.json { warn(outcome) }
    }

    private func show(_ outcome: some Readable) throws {
        try common.answer(outcome) { OutcomeText(outcome: outcome).text }
    }

    private func warn(_ outcome: some Readable) {
        if let waiting = OutcomeText(outcome: outcome).waiting { Terminal.say(waiting) }
    }
}

extension CommonOptions {
    /// Whether somebody is there who can be asked, and has not agreed already.
    func asks(unless isAgreed: Bool) -> Bool { Terminal.isInteractive && !isAgreed && !json }
}
