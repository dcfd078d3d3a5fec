import NIOHTTP1
import Operations
import Planning
import Settings
import Wording

/// The page on which the owner sets mail up.
struct MailPage: PageModel {
    static let template = "mail"
    static let names = TemplateNames(
        FieldFault.names + [
            "hostValue", "portValue", "userValue", "senderValue", "baseValue", "isSet",
            "hasPassword", "testTo", "testResult", "isAccepted",
            "untold",
        ],
        lists: [
            "protections": ["value", "text", "isChosen"], "dialogue": ["speaker", "line"],
        ].merging(FieldFault.lists) { $1 })

    var mail: MailSetup
    /// True if a password is set, which is never shown.
    let hasPassword: Bool
    let testTo: String
    var test: SinkTestReport?
    var faults: [FieldFault] = []
    var isSet: Bool
    /// The notifications that go out at once when mail is set up.
    var untold = SinkForecast()

    func title(_ words: PageWords) -> String { words("Set mail up") }

    func values(_ words: PageWords) -> TemplateValues {
        var values: TemplateValues = [
            "hostValue": .text(mail.host), "portValue": .text(mail.port),
            "userValue": .text(mail.user), "senderValue": .text(mail.sender),
            "baseValue": .text(mail.base), "isSet": .flag(isSet && !testTo.isEmpty),
            "hasPassword": .flag(hasPassword), "testTo": .text(testTo),
            "isAccepted": .flag(test?.isAccepted == true),
            "protections": .list(
                MailSetup.Protection.allCases.map { choice in
                    [
                        "value": .text(choice.rawValue), "text": .text(words.protection(choice)),
                        "isChosen": .flag(choice == mail.protection),
                    ]
                }),
            "dialogue": .list(
                (test?.dialogue ?? []).map {
                    ["speaker": .text($0.from), "line": .text($0.text)]
                }),
        ]
        values[text: "testResult"] = test.map { test in
            test.isAccepted
                ? words("The server has taken the test mail. Look into your mailbox.")
                : words("The test mail was not sent: %reason%", ["reason": test.reply])
        }
        values[text: "untold"] = untold.people == 0 ? nil : words.untold(untold)
        values.merge(FieldFault.values(faults, words)) { $1 }
        return values
    }
}

extension PageWords {
    fileprivate func untold(_ forecast: SinkForecast) -> String {
        let count = forecast.invitations + forecast.changes + forecast.messages
        return self(
            forecast.people, "1 person was never notified.", "%n% people were never notified.")
            + " " + self(count, "Saving sends 1 mail.", "Saving sends %n% mails.")
    }

    fileprivate func protection(_ protection: MailSetup.Protection) -> String {
        switch protection {
        case .startTLS: self("STARTTLS (usual, port 587)")
        case .tls: self("TLS from the start (port 465)")
        case .none: self("None (a server on this machine)")
        }
    }
}

extension Site {
    /// Setting mail up.
    var mailRoutes: [Route] {
        [
            route(.get, "/me/mail") { request, visitor in
                try visitor.planner.checkIsOwner(to: "set mail up")
                return show(try await mailPage(visitor), in: frame(request, visitor))
            }, route(.post, "/me/mail", setUpMail), route(.post, "/me/mail/test", testMail),
        ]
    }

    private func mailPage(_ visitor: Visitor) async throws -> MailPage {
        let configuration = visitor.planner.surroundings.configuration
        let mail = MailSetup(configuration)
        var page = MailPage(
            mail: mail,
            hasPassword: configuration[.smtpPassword] != nil || !mail.password.isEmpty,
            testTo: configuration[.ownerAddress] ?? "", isSet: configuration[.smtpURL] != nil)
        if !page.isSet { page.untold = try await visitor.planner.foreseeMail() }
        return page
    }

    private func setUpMail(_ request: PageRequest, _ visitor: Visitor) async throws -> PageAnswer {
        try visitor.planner.checkIsOwner(to: "set mail up")
        let form = request.form
        var page = try await mailPage(visitor)
        page.mail.host = form["host"].filter { !$0.isWhitespace }
        page.mail.port = form["port"].filter { !$0.isWhitespace }
        page.mail.protection = MailSetup.Protection(rawValue: form["protection"]) ?? .startTLS
        page.mail.user = form["user"]
        if !form["password"].isEmpty { page.mail.password = form["password"] }
        page.mail.sender = form["sender"].filter { !$0.isWhitespace }
        page.mail.base = form["base"].filter { !$0.isWhitespace }
        do {
            try await Planner.setUpMail(visitor.planner.surroundings, page.mail)
            await reload()
            return redirect(to: .mail(saved: "mail"))
        } catch {
            page.faults = [FieldFault(field: "host", text: try sentence(error, visitor))]
            return show(page, in: Frame(visitor: visitor), .badRequest)
        }
    }

    private func testMail(_ request: PageRequest, _ visitor: Visitor) async throws -> PageAnswer {
        try visitor.planner.checkIsOwner(to: "set mail up")
        var page = try await mailPage(visitor)
        do {
            page.test = try await visitor.planner.testSink("mail", to: page.testTo) { _ in }
        } catch {
            page.faults = [FieldFault(field: "host", text: try sentence(error, visitor))]
        }
        return show(page, in: Frame(visitor: visitor))
    }
}
