import ArgumentParser
import Planning
import TextUI

/// Makes a change that notifies other people: on a terminal it shows a preview, asks for
/// confirmation, and then saves the change.
struct Consent {
    let common: CommonOptions
    let options: ConsentOptions
    /// Whether to ask for confirmation even if no message goes out.
    var asksWhereNobodyIsTold = true

    /// Whether confirmation is asked for: on a terminal, without `--yes` and without `--json`.
    var asks: Bool { common.asks(unless: options.yes) }

    /// Asks for confirmation. Any answer but yes ends the command.
    ///
    /// - Throws: `ExitCode` with 1.
    static func agree(_ question: String) throws {
        guard Terminal.confirms(question) else { throw declined() }
    }

    /// Says that nothing was saved.
    ///
    /// - Returns: the exit status of the command.
    static func declined() -> ExitCode {
        Terminal.say("Nothing was saved.")
        return ExitCode(1)
    }

    /// Calls `action` to save the change. If confirmation is asked for and not given yet, calls it
    /// once before without saving, for the preview.
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
    /// Whether confirmation is asked for: on a terminal, without `--json`, unless `isAgreed`.
    func asks(unless isAgreed: Bool) -> Bool { Screen.isInteractive && !isAgreed && !json }
}
