import Agenda
import ArgumentParser
import Foundation
import Planning
import Wording

struct MailCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "mail", abstract: "Take mail that comes in.",
        discussion: "EXAMPLE: letsmeet mail receive < answer.eml",
        subcommands: [MailReceive.self, MailFetch.self])
}

struct MailFetch: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "fetch", abstract: "Look now for answers in the folder that is set up.",
        discussion: """
            The daemon looks every 30 seconds by itself. The folder is that of LETSMEET_IMAP_URL, \
            as in imaps://user@mail.example.org/INBOX with its password in \
            LETSMEET_IMAP_PASSWORD_FILE, or the Maildir of LETSMEET_MAILDIR, or both. Answers and \
            mails that came back are taken and marked as read; nothing else changes there, and on \
            a server no mail is looked at twice.

            EXAMPLE: letsmeet mail fetch
            """)

    @OptionGroup var common: CommonOptions

    func run() async throws {
        let planner = try await common.planner()
        let round = try await planner.fetchMail()
        try common.confirm(round) { round.text }
        // What was taken is said all the same.
        guard round.problems.isEmpty else { throw ExitCode(3) }
    }
}

extension MailPollReport {
    fileprivate var text: String {
        let mails = looked == 1 ? "1 mail" : "\(looked) mails"
        let summary = "Looked at \(mails), took \(taken.count)."
        return (taken.map(\.text) + [summary] + remarks + problems).joined(separator: "\n")
    }
}

struct MailReceive: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "receive", abstract: "Take one mail from standard input.",
        discussion: """
            For a pipe from a mail server. It takes answers to invitations, those of calendar \
            programs and those by the links in mails, other times that people propose with their \
            calendar programs, and mails that came back: where an address is none, nothing more is \
            sent to it for 30 days. All else is ignored, and said why. Nobody is written to \
            because of a mail.

            Ends with status 0 for every mail that was looked at. With another status the mail \
            may be handed over again: in a pipe of Postfix, letsmeet mail receive || exit 75.

            EXAMPLE: letsmeet mail receive < answer.eml
            """)

    @OptionGroup var common: CommonOptions

    func run() async throws {
        let planner = try await common.planner()
        // One more than is read says that it is too large.
        let data = try FileHandle.standardInput.read(upToCount: Planner.mailOctetsMax + 1)
        let receipt = try await planner.receiveMail(Array(data ?? Data()))
        try common.confirm(receipt) { receipt.text }
    }
}

extension MailReceipt {
    fileprivate var text: String {
        let about = title.map { " (\($0))" } ?? ""
        switch outcome {
        case .answered:
            let word = answer.flatMap(Answer.init(rawValue:)).map(AnswerWords.word) ?? ""
            let rest = reason.isEmpty ? "" : " Not taken: \(reason)."
            return "\(person ?? "") answered \(word)\(about).\(rest)"
        case .proposed:
            return "\(person ?? "") proposes another time\(about): \(proposed?.words ?? "")"
        case .bounced: return "\(person ?? ""): \(reason)"
        case .ignored:
            let stop = reason.hasSuffix(".") ? "" : "."
            return "Ignored\(about): \(reason)\(stop)"
        }
    }
}
