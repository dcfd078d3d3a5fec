import Agenda
import Inbox
import Ledger
import Notifications
import Operations
import Planning
import Settings
import Sinks
import TestKit
import Testing

/// People whom no message reaches: their address is missing, or their mail was refused.
@Suite(.timeLimit(.minutes(5))) struct ObstacleTests {
    private static let mail: [SettingName: String] = [
        .sinks: "mail", .smtpURL: "smtp://127.0.0.1:1", .mailFrom: "olga@example.org",
        .ownerAddress: "olga@example.org",
    ]

    private func unreached(_ planner: Planner, _ name: String) async throws -> String? {
        try await planner.meeting("Lunch").participants.first { $0.name == name }?.unreached
    }

    private func warnings(_ world: TestWorld, named name: String) async -> [HealthCheck] {
        let doctor = Doctor(homeOption: world.home.path, machine: world.machine, environment: [:])
        return await doctor.report(version: "test").checks.filter { $0.name == name }
    }

    @Test func `A guest without an address is named after the invitation and in the meeting`()
        async throws
    {
        try await withTemporaryHome { world in
            let planner = try await world.planner(settings: Self.mail)
            try await planner.add("Anna", "anna@example.org")
            try await planner.add("Nora")
            let made = try await planner.create(.lunch(with: "Anna", "Nora"))
            let advice = Advice.people(.setAddress(of: "Nora"))
            let remark = try #require(made.remarks.first { $0.advice == [advice] })
            #expect(remark.text == "Nora has no mail address and gets no mail.")
            #expect(try await unreached(planner, "Nora") == "no address for mail")
            #expect(try await unreached(planner, "Anna") == nil)
            let anna = try await world.planner(settings: Self.mail, actingAs: "Anna")
            #expect(try await unreached(anna, "Nora") == nil)
            let found = await warnings(world, named: "addresses")
            #expect(found.map(\.status) == [.warning])
            #expect(found.first?.advice == [.people(.setAddress(of: nil))])
        }
    }

    @Test func `After an address is added, the guest is no longer marked`() async throws {
        try await withTemporaryHome { world in
            let planner = try await world.planner(settings: Self.mail)
            try await planner.add("Nora")
            try await planner.create(.lunch(with: "Nora"))
            var edit = ContactEdit()
            edit.emails = ["nora@example.org"]
            _ = try await planner.editPerson("Nora", edit)
            #expect(try await unreached(planner, "Nora") == nil)
        }
    }

    @Test func `An address that the mail server refuses is shown in the meeting and by doctor`()
        async throws
    {
        try await withTemporaryHome { world in
            let planner = try await world.planner(settings: Self.mail)
            try await planner.add("Anna", "anna@example.org")
            try await planner.create(.lunch(with: "Anna"))
            #expect(try await unreached(planner, "Anna") == nil)
            #expect(await warnings(world, named: "bounced mail").isEmpty)
            let refusing = ScriptedSink(name: "mail") { _, _ in
                AttemptReport(
                    .permanent, code: "550", reply: "550 no such user", isAddressBad: true)
            }
            _ = try await world.engine(planner, sinks: [refusing]).runOnce()
            let reason = try #require(try await unreached(planner, "Anna"))
            #expect(reason == "not delivered: 550 no such user")
            let found = await warnings(world, named: "bounced mail")
            #expect(found.map(\.status) == [.warning])
            #expect(found.first?.detail.contains("a…@example.org (550 no such user)") == true)
            #expect(found.first?.advice.first == .people(.setAddress(of: nil)))
        }
    }

    /// Receives the report that Anna's invitation came back.
    private func receiveBounce(_ planner: Planner, _ status: String) async throws -> MailReceipt {
        let rows = try await planner.ledger(states: [.accepted], meeting: nil, limit: 9).rows
        let row = try #require(rows.first { $0.delivery.kind == .invitation })
        let report = """
            From: MAILER-DAEMON@mx.example
            Content-Type: multipart/report; report-type=delivery-status; boundary=B

            --B
            Content-Type: message/delivery-status

            Final-Recipient: rfc822; anna@example.org
            Action: failed
            Status: \(status)

            --B
            Content-Type: text/rfc822-headers

            Message-ID: <\(row.delivery.identity)>
            --B--
            """
        return try await planner.receiveMail(Array(report.utf8))
    }

    @Test(arguments: [("5.1.1", "bounced mail"), ("5.7.1", "lost mail"), ("4.4.7", "lost mail")])
    func `A mail that came back is shown by doctor until its address is corrected`(
        _ status: String, _ name: String
    ) async throws {
        try await withTemporaryHome { world in
            let planner = try await world.planner(settings: Self.mail)
            try await planner.add("Anna", "anna@example.org")
            let meeting = try await planner.create(.lunch(with: "Anna")).meeting.id
            _ = try await world.engine(planner, sinks: [ScriptedSink(name: "mail")]).runOnce()
            world.clock.advance(bySeconds: 60)
            #expect(try await receiveBounce(planner, status).outcome == .bounced)
            #expect(try await unreached(planner, "Anna") == "bounced: \(status)")
            let found = await warnings(world, named: name)
            #expect(found.map(\.status) == [.warning])
            #expect(found.first?.detail.contains("a…@example.org") == true)
            let other = name == "lost mail" ? "bounced mail" : "lost mail"
            #expect(await warnings(world, named: other).isEmpty)
            if name == "lost mail" {
                #expect(found.first?.advice.last == .meetings(.show(meeting)))
                // A refusal of the sender is no reason to change the address.
                let isAddress = found.first?.advice.contains(.people(.setAddress(of: nil)))
                #expect(isAddress == (status == "4.4.7"))
            }
            var edit = ContactEdit()
            edit.emails = ["new@example.org"]
            _ = try await planner.editPerson("Anna", edit)
            #expect(try await unreached(planner, "Anna") == nil)
            #expect(await warnings(world, named: name).isEmpty)
        }
    }

    @Test(arguments: [true, false])
    func `The mark of a mail that came back goes when the person answers themselves`(
        _ isOwn: Bool
    ) async throws {
        try await withTemporaryHome { world in
            let planner = try await world.planner(settings: Self.mail)
            try await planner.add("Anna", "anna@example.org")
            try await planner.create(.lunch(with: "Anna"))
            _ = try await world.engine(planner, sinks: [ScriptedSink(name: "mail")]).runOnce()
            world.clock.advance(bySeconds: 60)
            _ = try await receiveBounce(planner, "5.7.1")
            let anna = try await world.planner(settings: Self.mail, actingAs: "Anna")
            _ = try await (isOwn ? anna : planner).answer(
                "Lunch", .going, who: isOwn ? nil : "Anna", plus: nil, note: nil, saving: true)
            #expect(try await unreached(planner, "Anna") == (isOwn ? nil : "bounced: 5.7.1"))
            #expect(await warnings(world, named: "lost mail").isEmpty == isOwn)
        }
    }
}
