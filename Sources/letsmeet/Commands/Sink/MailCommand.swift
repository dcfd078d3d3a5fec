import Agenda
import ArgumentParser
import Foundation
import Inbox
import Planning
import TextUI
import Wording

struct MailCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "mail", abstract: "Process incoming mail.",
        discussion: "EXAMPLE: letsmeet mail receive < answer.eml",
        subcommands: [
            MailReceive.self, MailFetch.self, MailIgnored.self, MailTake.self, MailDismiss.self,
        ])
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
        return (taken.map(\.text) + ignored.map(\.text) + [summary] + notes)
            .joined(separator: "\n")
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

    /// The number of octets that are read at once of the rest of a mail that is too large.
    private static let restOctets = 64 << 10

    func run() async throws {
        let planner = try await common.planner()
        // One byte above the limit shows that the mail is too large.
        let input = FileHandle.standardInput
        let data = try input.read(upToCount: Planner.mailOctetsMax + 1)
        // A mail server whose pipe breaks would deliver the mail again and again.
        while let rest = try input.read(upToCount: Self.restOctets), !rest.isEmpty {}
        let receipt = try await planner.receiveMail(Array(data ?? Data()))
        try common.confirm(receipt) {
            ([receipt] + receipt.also).map(\.text).joined(separator: "\n")
        }
    }
}

extension MailReceipt {
    fileprivate var text: String {
        let on = date.map { ", \($0.words)" } ?? ""
        let about = title.map { " (\($0)\(on))" } ?? ""
        switch outcome {
        case .answered:
            let word = answer.map(AnswerWords.word) ?? ""
            let rest = reason.isEmpty ? "" : " Not accepted: \(reason)."
            return "\(person ?? "") answered \(word)\(about).\(rest)"
        case .proposed:
            return "\(person ?? "") proposes another time\(about): \(proposed?.words ?? "")"
        case .bounced, .complained: return "\(person ?? ""): \(reason)"
        case .ignored:
            let by = person.map { ", from \($0)" } ?? ""
            let stop = reason.hasSuffix(".") ? "" : "."
            return Remark.joined(
                ["Ignored\(by)\(about): \(reason)\(stop)"] + (help.map { [$0.shown] } ?? []))
        }
    }
}

struct MailIgnored: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "ignored", abstract: "List the mails that were read and not taken.",
        discussion: """
            Shows the sender, the subject, the meeting if it is known, the reason, and what to do, \
            for the last 30 days. Mails that seem to be answers come first, then reports of mail \
            systems about your mails that were not understood.

            EXAMPLE: letsmeet mail ignored
            """)

    @OptionGroup var common: CommonOptions

    struct Answer: Encodable {
        let mails: [IgnoredMailView]
        let truncated: Bool
    }

    func run() async throws {
        let list = try await common.planner().ignoredMails()
        try common.list(Answer(mails: list.rows, truncated: list.isTruncated)) {
            Self.text(of: list.rows, list.remark)
        }
    }

    private static func text(of mails: [IgnoredMailView], _ remark: String?) -> String {
        guard !mails.isEmpty else { return "No mail was read and not taken in the last 30 days." }
        let answers = mails.filter(\.isAnswer).map(\.lines)
        let reports = mails.filter { $0.isReport && !$0.isAnswer }.map(\.lines)
        let others = mails.filter { !$0.isAnswer && !$0.isReport }.map(\.lines)
        let parts = [
            ("Answers that were not taken:", answers),
            ("Reports of mail systems that were not understood:", reports),
            ("Other mails:", others),
        ].filter { !$0.1.isEmpty }.flatMap { [$0.0] + $0.1 }
        return (parts + [remark].compactMap(\.self)).joined(separator: "\n\n")
    }
}

extension IgnoredMailView {
    fileprivate var lines: String {
        let about = [person, answer.map(AnswerWords.word), title, date?.words].compactMap(\.self)
        let lines = [
            "\(id)  \(at.words)  \(sender.isEmpty ? "(no sender)" : sender)",
            subject.isEmpty ? "(no subject)" : Table.line(subject),
            about.isEmpty ? nil : about.joined(separator: ", "),
            "Not taken: \(reason)\(reason.hasSuffix(".") ? "" : ".")",
            help?.shown,
        ].compactMap(\.self)
        return lines.enumerated().map { $0.offset == 0 ? $0.element : "  \($0.element)" }
            .joined(separator: "\n")
    }
}

struct MailTake: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "take", abstract: "Count a mail that was not taken as an answer.",
        discussion: """
            letsmeet mail ignored shows the ids. If the mail does not say who answers what, add it.

            The answer to one date of a series counts for that date. Add --all-dates to count it \
            for the whole series.

            EXAMPLE: letsmeet mail take k3v7ab12
            EXAMPLE: letsmeet mail take k3v7ab12 --all-dates
            EXAMPLE: letsmeet mail take k3v7ab12 yes --meeting "board games" --who anna
            """)

    @Argument(help: "The id of the mail.") var id: String
    @Argument(help: "The answer: yes (y, going), no (n, declined) or maybe.")
    var answer: RsvpCommand.Word?
    @Option(
        help: "The meeting: an id, part of its title, next, or last.", completion: Offers.meetings)
    var meeting: String?
    @Option(help: DateOptions.help) var on: String?
    @Flag(help: "Count it for the whole series.") var allDates = false
    @Option(help: "The person who answers.", completion: Offers.people) var who: String?
    @OptionGroup var consent: ConsentOptions
    @OptionGroup var common: CommonOptions

    func validate() throws {
        guard on == nil || !allDates else {
            throw ValidationError("Use --on or --all-dates, not both.")
        }
    }

    func run() async throws {
        let planner = try await common.planner()
        var about: MeetingID?
        if let meeting { about = try await planner.meetingID(named: meeting, on: on) }
        try await Consent(common: common, options: consent).carryOut { [about] saving in
            try await planner.takeMail(
                id, answer?.answer, meeting: about, on: on, onAllDates: allDates, who: who,
                saving: saving)
        }
    }
}

struct MailDismiss: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "dismiss", abstract: "Take a mail off the list of letsmeet mail ignored.",
        discussion: "EXAMPLE: letsmeet mail dismiss k3v7ab12")

    @Argument(help: "The id of the mail.") var id: String
    @OptionGroup var common: CommonOptions

    struct Answer: Encodable {
        let dismissed: String
    }

    func run() async throws {
        try await common.planner().dismissMail(id)
        try common.confirm(Answer(dismissed: id)) { "The mail is not listed any more." }
    }
}
