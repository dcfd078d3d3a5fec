import Agenda
import ArgumentParser
import Ledger
import Planning
import Storage
import TextUI

struct AccountCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "account", abstract: "Manage who can sign in to the pages.",
        discussion: """
            The owner can always sign in: letsmeet open. Others need an account, which they get \
            with their first link.

            EXAMPLE: letsmeet account invite anna
            EXAMPLE: letsmeet account link anna
            """,
        subcommands: [
            AccountList.self, AccountInvite.self, AccountLink.self, AccountRole.self,
            AccountDisable.self, AccountEnable.self, AccountSessions.self, AccountSignOut.self,
            AccountLog.self,
        ])
}

struct AccountList: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the accounts.",
        discussion: "EXAMPLE: letsmeet account list")

    @OptionGroup var common: CommonOptions

    private struct Answer: Encodable {
        let accounts: [AccountView]
    }

    func run() async throws {
        let accounts = try await common.planner().accounts()
        try common.list(Answer(accounts: accounts)) {
            guard !accounts.isEmpty else { return "Nobody has signed in yet: letsmeet open" }
            var table = Table(
                ["Name", "Address", "Role", "State", "Since"], troubles: ["disabled"],
                cellColumnsMax: Table.listColumnsMax)
            for account in accounts {
                table.add(
                    account.name, account.address ?? "", account.role,
                    account.enabled ? "" : "disabled", "since \(account.made.words)")
            }
            return table.text
        }
    }
}

struct AccountInvite: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "invite", abstract: "Give a person an account, and mail them a link.",
        discussion: """
            Without a mail server, or if the person has no address, print a link instead: letsmeet \
            account link. If their address belongs to an account already, the link is for that one.

            EXAMPLE: letsmeet account invite anna
            """)

    @Argument(help: "The person.", completion: Offers.people) var who: String
    @OptionGroup var common: CommonOptions

    private struct Answer: Encodable {
        let name: String
        let mailed: Bool
    }

    func run() async throws {
        let planner = try await common.planner()
        let named = try await planner.person(who)
        let person = try await planner.accountHolder(for: named)
        let isMailed = try await planner.inviteToSignIn(person)
        let account =
            person.id == named.id
            ? "\(person.name) has an account"
            : "The address of \(named.name) belongs to the account of \(person.name)"
        try common.confirm(Answer(name: person.name, mailed: isMailed)) {
            isMailed
                ? "\(account), and a link is on its way."
                : "\(account). No mail was sent; print a link for them: "
                    + "letsmeet account link \(person.id.text)"
        }
    }
}

struct AccountLink: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "link", abstract: "Print a link that signs a person in.",
        discussion: """
            The link works once, for 15 minutes. Give it to the person only. "letsmeet open --for" \
            prints the same.

            EXAMPLE: letsmeet account link anna
            """)

    @Argument(help: "The person.", completion: Offers.people) var who: String
    @OptionGroup var common: CommonOptions

    func run() async throws {
        let planner = try await common.planner()
        let link = try await planner.openLink(for: try await planner.person(who))
        try common.answer(link) { "For \(link.person):\n  \(link.url)" }
    }
}

/// The answer to a change of an account.
private struct AccountAnswer: Encodable {
    let name: String
}

struct AccountRole: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "role", abstract: "Change the rights of an account.",
        discussion: """
            An admin manages accounts. A member manages only what is their own.

            EXAMPLE: letsmeet account role anna admin
            """)

    @Argument(help: "The person.", completion: Offers.people) var who: String
    @Argument(help: "The role: admin or member.") var role: String
    @OptionGroup var common: CommonOptions

    func validate() throws {
        guard ["admin", "member"].contains(role) else {
            throw ValidationError("The role must be admin or member.")
        }
    }

    func run() async throws {
        let planner = try await common.planner()
        let person = try await planner.accountHolder(for: planner.person(who))
        try await planner.changeAccount(of: person, role: Account.Role(rawValue: role))
        try common.confirm(AccountAnswer(name: person.name)) { "\(person.name) is \(role) now." }
    }
}

struct AccountDisable: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "disable", abstract: "Sign a person out, and let them in no more.",
        discussion: """
            Nobody can sign in with their address any more. Meetings, answers and notifications \
            stay as they are.

            EXAMPLE: letsmeet account disable anna
            EXAMPLE: letsmeet account disable anna@example.org
            """)

    @Argument(help: "The person, or an address.", completion: Offers.people) var who: String
    @OptionGroup var common: CommonOptions

    func run() async throws {
        let people = try await common.planner().disableAccounts(of: who)
        let names = people.map(\.name).joined(separator: " and ")
        try common.confirm(AccountAnswer(name: names)) {
            people.count == 1
                ? "\(names) is signed out everywhere and cannot sign in."
                : "\(names) are signed out everywhere and cannot sign in."
        }
    }
}

struct AccountEnable: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "enable", abstract: "Let a person in again whose account was disabled.",
        discussion: "EXAMPLE: letsmeet account enable anna")

    @Argument(help: "The person.", completion: Offers.people) var who: String
    @OptionGroup var common: CommonOptions

    func run() async throws {
        let planner = try await common.planner()
        let person = try await planner.accountHolder(for: planner.person(who))
        try await planner.changeAccount(of: person, isEnabled: true)
        try common.confirm(AccountAnswer(name: person.name)) { "\(person.name) can sign in again." }
    }
}

struct AccountSessions: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sessions", abstract: "List the browsers in which a person is signed in.",
        discussion: "EXAMPLE: letsmeet account sessions anna")

    @Argument(help: "The person; you if left out.") var who: String?
    @OptionGroup var common: CommonOptions

    private struct Answer: Encodable {
        let sessions: [SessionView]
    }

    func run() async throws {
        let planner = try await common.planner()
        let person = try await planner.accountHolder(for: planner.person(who))
        let sessions = try await planner.sessions(of: person)
        try common.list(Answer(sessions: sessions)) {
            guard !sessions.isEmpty else { return "\(person.name) is not signed in." }
            var table = Table(
                ["Id", "Device", "Since", "Used"], uncut: [0],
                cellColumnsMax: Table.listColumnsMax)
            for session in sessions {
                table.add(
                    session.id, session.device, "since \(session.since.words)",
                    "used \(session.used.words)")
            }
            return table.text
        }
    }
}

struct AccountSignOut: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sign-out", abstract: "Sign a person out.",
        discussion: """
            Without --session, in all browsers.

            EXAMPLE: letsmeet account sign-out anna
            """)

    @Argument(help: "The person; you if left out.") var who: String?
    @Option(help: ArgumentHelp("Only this session.", valueName: "id")) var session: String?
    @OptionGroup var common: CommonOptions

    private struct Answer: Encodable {
        let name: String
        let ended: Int
    }

    func run() async throws {
        let planner = try await common.planner()
        let person = try await planner.accountHolder(for: planner.person(who))
        let count = try await planner.signOut(person, session: session)
        try common.confirm(Answer(name: person.name, ended: count)) {
            count == 0
                ? "\(person.name) was not signed in there."
                : "\(person.name) is signed out of \(count) \(count == 1 ? "browser" : "browsers")."
        }
    }
}

struct AccountLog: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "log", abstract: "List sign-ins and changes of access, the latest first.",
        discussion: "EXAMPLE: letsmeet account log")

    @Option(help: ArgumentHelp("The most events.", valueName: "n")) var limit = 50
    @OptionGroup var common: CommonOptions

    private struct Answer: Encodable {
        let acts: [AccessActView]
    }

    func validate() throws {
        guard (1...10_000).contains(limit) else {
            throw ValidationError("The limit must be from 1 to 10000.")
        }
    }

    func run() async throws {
        let acts = try await common.planner().accessActs(limit: limit)
        try common.list(Answer(acts: acts)) {
            guard !acts.isEmpty else { return "Nobody has signed in yet." }
            var table = Table(
                ["When", "Who", "What", "Details", "By"], cellColumnsMax: Table.listColumnsMax)
            for act in acts {
                let who = act.person ?? "somebody who was removed"
                let by = act.by == act.person ? "" : "by \(act.by ?? "somebody who was removed")"
                table.add(
                    act.at.words, who, act.act.replacing("_", with: " "), act.detail, by)
            }
            return table.text
        }
    }
}
