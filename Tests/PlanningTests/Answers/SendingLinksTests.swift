import Agenda
import Ledger
import Notifications
import Planning
import Settings
import Sinks
import TestKit
import Testing
import Timekeeping

/// "Send me my links again": which people get their links, and how often.
@Suite struct SendingLinksTests {
    private static let mail = GuestVisitTests.base.merging([
        .sinks: "mail", .smtpURL: "smtp://localhost", .mailFrom: "o@example.org",
    ]) { $1 }

    @Test func `Links are resent to invited people only, at most once an hour`() async throws {
        try await GuestVisitTests().withGuests { planner, world in
            let mails = GuestVisitTests.base.merging(
                [
                    .sinks: "stdout,mail", .smtpURL: "smtp://localhost",
                    .mailFrom: "o@example.org",
                ]
            ) { $1 }
            let mailing = try await world.planner(settings: mails)
            func links() async throws -> [String] {
                try await mailing.outbox().rows.filter { $0.kind == "link" }
                    .map { "\($0.channel) \($0.to.name)" }
            }
            for address in ["nobody@example.org", "olga", "%", "anna"] {
                try await mailing.sendLinks(to: address)
            }
            #expect(try await links() == [])
            for _ in 0..<3 { try await mailing.sendLinks(to: "ANNA@example.org") }
            #expect(try await links() == ["mail Anna Aalto"])
            // The first message has not been sent yet.
            try await world.later(minutes: 70).planner(settings: mails).sendLinks(
                to: "anna@example.org")
            #expect(try await links() == ["mail Anna Aalto"])
            _ = try await planner.uninvite(["ben"], from: "Games", saving: true)
            try await mailing.sendLinks(to: "ben@example.org")
            #expect(try await links() == ["mail Anna Aalto"])
        }
    }

    @Test func `A guest is sent a link at most three times a day`() async throws {
        try await GuestVisitTests().withGuests { _, world in
            let planner = try await world.planner(settings: Self.mail)
            let sink = ScriptedSink(name: "mail")
            var counts: [Int] = []
            for _ in 0..<5 {
                try await planner.sendLinks(to: "anna@example.org")
                _ = try await world.engine(planner, sinks: [sink]).runOnce()
                counts.append(sink.messages.count { $0.kind == .link })
                world.clock.advance(bySeconds: 4000)
            }
            #expect(counts == [1, 2, 3, 3, 3])
            world.clock.advance(bySeconds: 86_400)
            try await planner.sendLinks(to: "anna@example.org")
            _ = try await world.engine(planner, sinks: [sink]).runOnce()
            #expect(sink.messages.count { $0.kind == .link } == 4)
        }
    }

    @Test func `A suppressed address gets no link, and one link when the suppression ends`()
        async throws
    {
        try await withHome { world in
            let planner = try await world.planner(settings: Self.mail)
            _ = try await planner.add("Anna Aalto", "anna@example.org")
            _ = try await planner.meet("Games", with: "anna")
            func links() async throws -> [String] {
                try await planner.deliveries(of: "Games", to: "anna").rows
                    .filter { $0.delivery.kind == .link }.map { "\($0.delivery.state)" }
            }
            _ = try await planner.suppress(
                "anna@example.org", channel: nil, until: nil, reason: nil, saving: true)
            for _ in 0..<3 {
                try await planner.sendLinks(to: "anna@example.org")
                #expect(try await links() == ["suppressed"])
                world.clock.advance(bySeconds: 7200)
            }
            #expect(try await planner.outbox(to: "anna").isEmpty)
            _ = try await planner.unsuppress("anna@example.org", channel: nil, saving: true)
            #expect(try await links() == ["planned"])
            #expect(try await planner.brokenRules() == [])
        }
    }

    @Test func `A guest of a single date is sent a link about it`() async throws {
        try await GuestVisitTests().withGuests { planner, world in
            var edit = MeetingEdit()
            edit.repetition = "weekly, 3 times"
            let dates = try await planner.editMeeting("Games", edit, saving: true).meeting.dates
            let second = dates[1].occurrence
            _ = try await planner.add("Dora", "dora@example.org")
            _ = try await planner.invite(["Dora"], to: "Games", on: second, saving: true)
            let mailing = try await world.planner(settings: Self.mail)
            try await mailing.sendLinks(to: "dora@example.org")
            let rows = try await mailing.outbox().rows.filter { $0.kind == "link" }
            #expect(rows.map(\.to.name) == ["Dora"])
            #expect(rows.map(\.occurrence) == [second])
        }
    }

    @Test func `Cards with the address of a guest do not keep the link from the guest`()
        async throws
    {
        try await GuestVisitTests().withGuests { _, world in
            let mailing = try await world.planner(settings: Self.mail)
            let ben = try await world.planner(settings: GuestVisitTests.base, actingAs: "Ben")
            world.clock.advance(bySeconds: 60)
            for number in 1...20 { try await ben.add("Cyd \(number)", "cyd@example.org") }
            var request = MeetingRequest.lunch(start: "2027-01-06T12:00")
            request.with = (1...20).map { "Cyd \($0)" }
            try await ben.create(request)
            try await mailing.sendLinks(to: "cyd@example.org")
            let rows = try await mailing.outbox().rows.filter { $0.kind == "link" }
            #expect(rows.count == 5 && rows.map(\.to.name).contains("cyd@example.org"))
        }
    }

    @Test func `Series of others do not keep the link from a guest`() async throws {
        try await GuestVisitTests().withGuests { _, world in
            let mailing = try await world.planner(settings: Self.mail)
            let ben = try await world.planner(settings: GuestVisitTests.base, actingAs: "Ben")
            for _ in 0..<7 {
                var request = MeetingRequest.lunch(start: "tomorrow 08:00")
                request.repetition = "daily"
                try await ben.create(request)
            }
            try await mailing.sendLinks(to: "cyd@example.org")
            let rows = try await mailing.outbox().rows.filter { $0.kind == "link" }
            #expect(rows.map(\.to.name) == ["cyd@example.org"])
        }
    }

    @Test func `Only addresses that are known are asked for admission to links`() async throws {
        try await GuestVisitTests().withGuests { planner, _ in
            for (address, isKnown) in [("nobody@example.org", false), ("anna@example.org", true)] {
                var count = 0
                try await planner.sendLinks(to: address) {
                    count += 1
                    return false
                }
                #expect(count == (isKnown ? 1 : 0))
            }
            #expect(try await planner.outbox().rows.allSatisfy { $0.kind != "link" })
        }
    }
}
