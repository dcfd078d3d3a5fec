import Foundation
import Settings
import TestKit
import Testing

@Suite struct MailServerAddressTests {
    @Test(arguments: [
        ("smtp://mail.example.org", "mail.example.org", 587, MailServerAddress.Protection.startTLS),
        ("smtp://mail.example.org:2525/", "mail.example.org", 2525, .startTLS),
        ("SMTPS://mail.example.org", "mail.example.org", 465, .tls),
        ("smtps://mail.example.org?tls=required", "mail.example.org", 465, .tls),
        ("smtp://localhost", "localhost", 25, .none),
        ("smtp://127.0.0.1:1025", "127.0.0.1", 1025, .none),
        ("smtp://[::1]:1025", "::1", 1025, .none),
        ("smtp://127.0.0.1?tls=starttls", "127.0.0.1", 25, .startTLS),
        ("smtp://127.0.0.1?tls=required", "127.0.0.1", 25, .startTLS),
        ("smtp://mail.example.org?tls=none", "mail.example.org", 587, .none),
        // Host names that only look like this machine's.
        ("smtp://127.example.org", "127.example.org", 587, .startTLS),
        ("smtp://localhost.example.org", "localhost.example.org", 587, .startTLS),
    ])
    func `An address contains host, port and encryption`(
        _ text: String, _ host: String, _ port: Int, _ protection: MailServerAddress.Protection
    ) throws {
        let address = try MailServerAddress.parse(text, of: .smtp)
        #expect(address.host == host)
        #expect(address.port == port)
        #expect(address.protection == protection)
        #expect(address.user == nil && address.password == nil && address.authorities == nil)
    }

    @Test(
        arguments: [
            ("smtp://olga@h", "olga", nil),
            ("smtp://olga%40example.org:p%3Aw@h", "olga@example.org", "p:w"),
            ("smtp://olga@example.org@h", "olga@example.org", nil),
            ("smtp://olga@example.org:secret@h?ca=/etc/ca.pem", "olga@example.org", "secret"),
        ] as [(String, String, String?)])
    func `An address may contain user and password`(
        _ text: String, _ user: String, _ password: String?
    ) throws {
        let address = try MailServerAddress.parse(text, of: .smtp)
        #expect(address.user == user)
        #expect(address.password?.value == password)
        #expect(address.host == "h")
    }

    @Test(arguments: [
        "", "mail.example.org", "http://mail.example.org", "smtp://", "smtp://:25", "smtp://h:0",
        "smtp://h:65536", "smtp://h:x", "smtp://h/inbox", "smtp://h?tls=maybe", "smtp://h?tls",
        "smtps://h?tls=none", "smtps://h?tls=starttls", "smtp://h?ca=ca.pem", "smtp://h?c=d",
        "smtp://a b@h c", "smtp://%@h", "smtp://h?tls=none&tls=none",
    ])
    func `An invalid SMTP address is refused with an example`(_ text: String) {
        let fault = #expect(throws: MailServerAddress.Fault.self) {
            try MailServerAddress.parse(text, of: .smtp)
        }
        #expect(fault?.reason.contains("such as smtp://user@mail.example.org:587") == true)
    }

    @Test(arguments: [
        ("imap://mail.example.org", 143, MailServerAddress.Protection.startTLS, ""),
        ("imaps://olga%40example.org@mail.example.org/", 993, .tls, ""),
        ("imaps://mail.example.org/INBOX?ca=/etc/ca.pem", 993, .tls, "INBOX"),
        ("imap://127.0.0.1:1143/Archive/Letters%20here", 1143, .none, "Archive/Letters here"),
        ("imap://mail.example.org/Entw%C3%BCrfe?tls=none", 143, .none, "Entwürfe"),
    ])
    func `An IMAP address may contain a folder`(
        _ text: String, _ port: Int, _ protection: MailServerAddress.Protection, _ folder: String
    ) throws {
        let address = try MailServerAddress.parse(text, of: .imap)
        #expect(address.port == port && address.protection == protection)
        #expect(address.folder == folder)
    }

    @Test(arguments: [
        "smtp://h", "imap://", "imap://h/%0d%0aDELETE", "imaps://olga:7/kX@h/INBOX",
        "imaps://h/A#B",
        "imaps://h/%FF", "imaps://olga:/abc@h", "imaps://h?tls=none", "pop3://h",
    ])
    func `An invalid IMAP address is refused with an example`(_ text: String) {
        let fault = #expect(throws: MailServerAddress.Fault.self) {
            try MailServerAddress.parse(text, of: .imap)
        }
        #expect(fault?.reason.contains("such as imaps://user@mail.example.org/INBOX") == true)
    }

    @Test func `A password in an address is never shown and not accepted in the file`()
        async throws
    {
        try await withTemporaryHome { world in
            try world.home.make()
            let url = "smtp://olga:hush@mail.example.org"
            #expect(SettingName.smtpURL.shown(url) == "smtp://olga:…@mail.example.org")
            #expect(SettingName.smtpURL.shown("smtp://a@b:hush@h") == "smtp://a@b:…@h")
            #expect(SettingName.smtpURL.shown("smtp://olga@h:25") == "smtp://olga@h:25")
            for text in [
                "olga:hush@h:25", "smtp:/olga:hush@h", "smtp//olga:hush@h", "smtp://olga:hush",
                "smtp://olga:12?hush@h", "smtp://:hush@h", "smtp://olga:hush@h?tls=hush",
            ] {
                #expect(!SettingName.smtpURL.shown(text).contains("hush"), "\(text)")
                let fault = #expect(throws: MailServerAddress.Fault.self) {
                    try MailServerAddress.parse(text, of: .smtp)
                }
                #expect(fault?.reason.contains("hush") == false, "\(text)")
            }
            #expect(!"\(try MailServerAddress.parse(url, of: .smtp))".contains("hush"))
            let set = try Configuration(
                home: world.home, environment: ["LETSMEET_SMTP_URL": url])
            #expect(try set.smtpAddress()?.password?.value == "hush")
            try "smtp:\n  url: \(url)\n".write(
                toFile: world.home.configuration, atomically: true, encoding: .utf8)
            let error = #expect(throws: SettingsError.self) {
                try Configuration(home: world.home, environment: [:])
            }
            #expect(error?.description.contains("LETSMEET_SMTP_PASSWORD_FILE") == true)
            #expect(error?.description.contains("hush") == false)
        }
    }

    @Test func `Mail is enabled once a server is set, and the owner is the sender`() async throws {
        try await withTemporaryHome { world in
            try world.home.make()
            let bare = try Configuration(home: world.home, environment: [:])
            #expect(bare.sinks == ["stdout"] && bare.mailFrom == nil)
            let set = try Configuration(
                home: world.home,
                environment: [
                    "LETSMEET_SMTP_URL": "smtp://localhost", "LETSMEET_MAIL_FROM": "o@example.org",
                ])
            #expect(set.sinks == ["mail"] && set.mailFrom == "o@example.org")
            #expect(set[.ownerAddress] == "o@example.org")
            try "owner:\n  address: olga@example.org\n".write(
                toFile: world.home.configuration, atomically: true, encoding: .utf8)
            let own = try Configuration(
                home: world.home,
                environment: ["LETSMEET_SINKS": "stdout,mail"])
            #expect(own.sinks == ["stdout", "mail"] && own.mailFrom == "olga@example.org")
        }
    }
}
