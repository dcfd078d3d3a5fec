import Operations
import Planning
import TextUI

/// The questions of `setup` about the mail server.
struct MailQuestions {
    /// The data that is set.
    let known: MailSetup
    /// The owner's mail address; empty if none is set.
    let owner: String
    /// True if a password is set.
    let hasPassword: Bool
    /// Asks for text that is not shown.
    let secret: (_ question: String) -> String

    /// Asks until every answer is valid.
    ///
    /// - Returns: the new data; `nil` to leave the data unchanged.
    func ask(_ questioner: inout any Questioner) async throws -> MailSetup? {
        var mail = try await server(&questioner)
        guard !mail.host.isEmpty else {
            questioner.say("Mail server: none")
            return known.host.isEmpty ? nil : mail
        }
        questioner.say("Mail server: \(mail.host), port \(mail.port)")
        mail.user = try await user(mail, &questioner)
        let isSame = (mail.host, mail.user) == (known.host, known.user)
        if mail.user != known.user { mail.password = "" }
        if !mail.user.isEmpty, mail.password.isEmpty {
            mail.password = secret(
                "Password of \(mail.user) (not shown\(isSame ? kept : "")): ")
        }
        mail.sender = try await sender(mail, &questioner)
        return mail == known ? nil : mail
    }

    private var kept: String { hasPassword ? "; Enter keeps the one that is set" : "" }

    private func server(_ questioner: inout any Questioner) async throws -> MailSetup {
        var question = Question(
            label: "Mail server", text: known.host.isEmpty ? "" : "\(known.host):\(known.port)",
            help: "For outgoing mail: mail.example.org or mail.example.org:465",
            skipped: "none")
        if known.host.isEmpty {
            question.notes = ["Without a mail server, guests are not notified."]
        }
        return try await questioner.settle(question) { reply in
            var mail = known
            let words = reply.words
            guard words != question.text else { return mail }
            try mail.setServer(words)
            return mail
        }
    }

    private func user(
        _ mail: MailSetup, _ questioner: inout any Questioner
    ) async throws -> String {
        // A server that needs no login keeps that.
        let isNew = mail.host != known.host
        let usual = mail.protection == .none || !isNew ? "" : owner
        let question = Question(
            label: "User name at \(mail.host)", text: mail.user.isEmpty ? usual : mail.user,
            skipped: "no login")
        let words = try await questioner.ask(question)
        let user = MailSetup.isNone(words.words) ? "" : words.words
        questioner.say("\(question.label): \(user.isEmpty ? "no login" : user)")
        return user
    }

    private func sender(
        _ mail: MailSetup, _ questioner: inout any Questioner
    ) async throws -> String {
        let usual = mail.user.contains("@") ? mail.user : owner
        let question = Question(
            label: "Sender of the mails", text: mail.sender.isEmpty ? usual : mail.sender,
            help: "An address from which the server lets you send")
        let sender = try await questioner.settle(question) { reply in
            try Planner.checkedSender(reply.words)
        }
        questioner.say("\(question.label): \(sender)")
        return sender
    }
}
