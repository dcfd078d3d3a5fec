import Agenda
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
}
