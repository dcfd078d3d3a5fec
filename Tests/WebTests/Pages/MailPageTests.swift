import Foundation
import NIOHTTP1
import Operations
import Planning
import Settings
import Testing
import TestKit
@testable import Web

/// Setting mail up on a page.
@Suite(.timeLimit(.minutes(5))) struct MailPageTests {
    @Test func `The password goes into a file for the owner alone, the rest into letsmeet.yaml`()
        async throws
    {
        try await TestSite.with { site in
            let browser = try await site.browser()
            let form =
                "host=mail.example.org&port=587&protection=starttls"
                + "&user=olga%40example.org&password=secret%25x&sender=olga%40example.org&base="
            let saved = await browser.submit("/me/mail", form)
            #expect(saved.field("Location") == "/me/mail?saved=mail")
            let yaml = try String(contentsOfFile: site.world.home.configuration, encoding: .utf8)
            #expect(yaml.contains("smtp://olga%40example.org@mail.example.org:587"))
            #expect(!yaml.contains("secret"))
            let file = site.world.home.secret(.smtpPassword)
            let mode = try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions]
            #expect(mode as? Int == 0o600)
            let configuration = try Configuration(home: site.world.home, environment: [:])
            #expect(configuration[.smtpPassword] == "secret%x")
            #expect(configuration.sinks == ["stdout"])
            let mail = MailSetup(configuration)
            #expect(mail.host == "mail.example.org" && mail.user == "olga@example.org")
            #expect(mail.password.isEmpty && mail.protection == .startTLS)
        }
    }

    @Test(arguments: ["host=a%20b%2Fc%3F&port=1", "host=x&port=nine", "host=x&sender=nonsense"])
    func `Wrong data are refused with the reason, and nothing is saved`(form: String) async throws {
        try await TestSite.with { site in
            let browser = try await site.browser()
            let page = await browser.submit("/me/mail", form + "&password=secret")
            #expect(page.status == .badRequest && page.text.contains("id=\"faults\""))
            #expect(!page.text.contains("secret"))
            #expect(!FileManager.default.fileExists(atPath: site.world.home.secrets))
        }
    }

    @Test func `The page says before who was never notified and gets a mail`() async throws {
        try await TestSite.with { site in
            let browser = try await site.browser()
            #expect(!(await browser.open("/me/mail").text.contains("never notified")))
            try await site.plan(with: ["anna@example.org", "ben@example.org"])
            let page = await browser.open("/me/mail").text
            #expect(page.contains("2 people were never notified. Saving sends 2 mails."))
        }
    }

    @Test func `Saving keeps the certificates of the mail server`()
        async throws
    {
        let file = Checkout.root + "/LICENSE"
        let address = "smtp://olga@mail.example.org?ca=\(file)"
        try await TestSite.with(settings: [.sinks: "stdout", .smtpURL: address]) { site in
            let browser = try await site.browser()
            let form = "host=mail.example.org&port=587&protection=starttls&user=olga&sender=&base="
            #expect((await browser.submit("/me/mail", form)).field("Location").contains("saved"))
            let configuration = try Configuration(home: site.world.home, environment: [:])
            let server = try #require(try configuration.smtpAddress())
            #expect(server.authorities == file && server.user == "olga")
        }
    }

    @Test func `Only the owner sets mail up`() async throws {
        try await TestSite.with { site in
            try await site.plan(with: ["anna@example.org"])
            let anna = try await site.browser(of: "anna@example.org")
            #expect(await anna.open("/me/mail").status == .forbidden)
            #expect(await anna.submit("/me/mail", "host=x").status == .forbidden)
            #expect(await anna.submit("/me/mail/test", "").status == .forbidden)
            #expect(!(await anna.open("/me")).text.contains("/me/mail"))
        }
    }
}
