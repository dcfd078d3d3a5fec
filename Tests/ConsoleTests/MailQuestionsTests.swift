import Operations
import Planning
import Settings
import TestKit
import Testing
import TextUI

@testable import letsmeet

struct MailQuestionsTests {
    private static func ask(
        known: MailSetup = MailSetup(), owner: String = "olga@example.org",
        _ answers: [(String, ScriptedQuestioner.Answer)]
    ) async throws -> (mail: MailSetup?, asked: [String], scripted: ScriptedQuestioner) {
        let scripted = ScriptedQuestioner(answers)
        var questioner: any Questioner = scripted
        var asked: [String] = []
        let mail = try await MailQuestions(
            known: known, owner: owner, hasPassword: false,
            secret: {
                asked.append($0); return "open sesame"
            }
        ).ask(&questioner)
        #expect(scripted.surprises.isEmpty && scripted.rest.isEmpty)
        return (mail, asked, scripted)
    }

    @Test(arguments: [
        ("mail.example.org", "mail.example.org", "587", MailSetup.Protection.startTLS),
        ("mail.example.org:465", "mail.example.org", "465", .tls),
        ("smtp://mail.example.org:25?tls=none", "mail.example.org", "25", .none),
    ])
    func `A name is enough, and the rest is suggested`(
        typed: String, host: String, port: String, protection: MailSetup.Protection
    ) async throws {
        let asked = try await Self.ask([
            ("Mail server", .write(typed)), ("User name at \(host)", .write("olga")),
            ("Sender of the mails", .enter),
        ])
        let mail = try #require(asked.mail)
        #expect(mail.host == host && mail.port == port && mail.protection == protection)
        #expect(mail.user == "olga" && mail.password == "open sesame")
        #expect(mail.sender == "olga@example.org")
        #expect(asked.asked == ["Password of olga (not shown): "])
        #expect(!asked.scripted.said.joined().contains("sesame"))
    }

    @Test func `A server of this machine needs no login`() async throws {
        let asked = try await Self.ask([
            ("Mail server", .write("localhost")), ("User name at localhost", .enter),
            ("Sender of the mails", .enter),
        ])
        #expect(asked.mail?.user.isEmpty == true && asked.asked.isEmpty)
    }

    @Test func `What is wrong is asked for again`() async throws {
        let asked = try await Self.ask([
            ("Mail server", .write("mail.example.org:many")),
            ("Mail server", .write("mail.example.org")),
            ("User name at mail.example.org", .write("-")),
            ("Sender of the mails", .write("nonsense")), ("Sender of the mails", .enter),
        ])
        #expect(asked.mail?.host == "mail.example.org" && asked.mail?.user.isEmpty == true)
        let notes = asked.scripted.questions.map { $0.notes.joined() }
        #expect(notes[1].contains("Write an address such as"), "\(notes)")
        #expect(notes[4].contains("\"nonsense\" is not a mail address."), "\(notes)")
    }

    @Test func `Empty answers leave everything as it is, and "none" removes the server`()
        async throws
    {
        #expect(try await Self.ask([("Mail server", .enter)]).mail == nil)
        var known = MailSetup()
        try known.setServer("smtp://olga@mail.example.org")
        known.sender = "olga@example.org"
        let kept = try await Self.ask(
            known: known,
            [
                ("Mail server", .enter), ("User name at mail.example.org", .enter),
                ("Sender of the mails", .enter),
            ])
        #expect(kept.asked.count == 1 && kept.mail?.user == "olga")
        let removed = try await Self.ask(known: known, [("Mail server", .write("none"))])
        #expect(removed.mail?.host.isEmpty == true)
    }

    @Test(arguments: ["no", "No", "n", "none", "-"])
    func `"No" means that there is no mail server`(word: String) async throws {
        let asked = try await Self.ask([("Mail server", .write(word))])
        #expect(asked.mail == nil)
        #expect(asked.scripted.said.contains("Mail server: none"))
    }

    @Test func `"Yes" is asked for again, and "no" as a user name means no login`() async throws {
        let asked = try await Self.ask([
            ("Mail server", .write("yes")), ("Mail server", .write("mail.example.org")),
            ("User name at mail.example.org", .write("no")), ("Sender of the mails", .enter),
        ])
        #expect(asked.mail?.host == "mail.example.org" && asked.mail?.user.isEmpty == true)
        let notes = asked.scripted.questions.map { $0.notes.joined() }
        #expect(notes[1].contains("\"yes\" is not the name of a mail server."), "\(notes)")
    }
}
