import Agenda
import ArgumentParser
import Foundation
import Inbox
import Planning
import Wording

struct MailCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "mail", abstract: "Process incoming mail.",
        discussion: "EXAMPLE: letsmeet mail receive < answer.eml",
        subcommands: [MailReceive.self, MailFetch.self])
}

struct MailFetch: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "fetch", abstract: "Check the mail folder for answers now.",
        discussion: """
            letsmeetd does this every 30 seconds. LETSMEET_IMAP_URL names a folder on a server, \
            such as imaps://user@mail.example.org/INBOX, and LETSMEET_IMAP_PASSWORD_FILE holds its \
            password. LETSMEET_MAILDIR names a Maildir. You can use both.

            Answers and bounces are processed and marked as read. Nothing else in the folder \
            changes. On a server, no mail is checked twice.

            EXAMPLE: letsmeet mail fetch
            """)

    @OptionGroup var common: CommonOptions

    func run() async throws {
        let planner = try await common.planner()
        let round = try await planner.fetchMail()
        try common.confirm(round) { round.text }
        // The report is printed even if there were problems.
        guard round.problems.isEmpty else { throw ExitCode(3) }
    }
}

extension MailPollReport {
    fileprivate var text: String {
        let mails = looked == 1 ? "1 mail" : "\(looked) mails"
        let summary = "Checked \(mails), processed \(taken.count)."
        let notes = remarks.map(\.shown) + problems
        return (taken.map(\.text) + [summary] + notes).joined(separator: "\n")
    }
}

struct MailReceive: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "receive", abstract: "Process one mail from standard input.",
        discussion: """
            Use this command in a pipe from a mail server. It processes answers to invitations, \
            sent by a calendar program or by the links in mails, other times that people propose \
            with their calendar program, and bounces. If an address does not exist, nothing more \
            is sent to it for 30 days. Other mails are ignored, and the reason is printed. The \
            command never sends a message because of a mail.

            The command exits with status 0 for every mail that it could check. With any other \
            status, the mail server may deliver the mail again: in a pipe of Postfix, use \
            letsmeet mail receive || exit 75.

            EXAMPLE: letsmeet mail receive < answer.eml
            """)

    @OptionGroup var common: CommonOptions

    func run() async throws {
        let planner = try await common.planner()
        // One byte above the limit shows that the mail is too large.
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
            let word = answer.map(AnswerWords.word) ?? ""
            let rest = reason.isEmpty ? "" : " Not accepted: \(reason)."
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
