import Agenda
import Foundation
import Ledger
import Notifications
import Planning
import Storage
import TestKit
import Testing
import Timekeeping

/// The limit of messages per hour about one meeting to one person.
@Suite(.timeLimit(.minutes(5))) struct FloodTests {
    private func write(_ count: Int, from first: Int = 1, _ planner: Planner) async throws {
        for number in first..<(first + count) {
            _ = try await planner.message(
                "Lunch", "Text \(number).", to: [], saving: true)
        }
    }

    private static func texts(_ lines: [[String: Any]], to name: String) -> [String] {
        lines.filter { ($0["to"] as? [String: Any])?["name"] as? String == name }
            .compactMap { $0["text"] as? String }
    }

    @Test func `Messages over the limit of twenty an hour are combined into one with all texts`()
        async throws
    {
        try await withLunch { lunch in
            try await write(25, lunch.planner)
            let first = try await lunch.world.deliver()
            // The invitation counts too.
            #expect(Self.texts(first, to: "Anna Aalto").count == 20)
            #expect(Self.texts(first, to: "Ben Berg").count == 20)
            let held = try await lunch.planner.ledger(
                states: [.planned], meeting: "Lunch", limit: 100
            ).rows.filter { $0.delivery.kind == .message }
            #expect(held.count == 12)
            #expect(
                Set(held.map(\.delivery.reason))
                    == [
                        "held back until 15:00 (Europe/Helsinki): 20 messages about this meeting "
                            + "in an hour"
                    ])
            #expect(held.allSatisfy { $0.next.text.contains("held back until 15:00") })
            #expect(try await lunch.planner.verifyLedger().faults.map(\.rule) == [])
            lunch.world.clock.advance(bySeconds: 3599)
            #expect(try await lunch.world.deliver().isEmpty)
            lunch.world.clock.advance(bySeconds: 1)
            let later = Self.texts(try await lunch.world.deliver(), to: "Anna Aalto")
            #expect(later.count == 1)
            for number in 20...25 { #expect(later.first?.contains("Text \(number).") == true) }
            #expect(later.first?.contains("Text 19.") == false)
            #expect(try await lunch.planner.verifyLedger().faults.map(\.rule) == [])
            let stories = try await lunch.planner.deliveries(of: "Lunch", to: "Anna").rows
            let told = stories.filter { $0.delivery.reason.hasPrefix("sent together with ") }
            #expect(told.count == 5)
        }
    }

    @Test(arguments: [-4 * 3600, -86_400])
    func `After the clock was set back, messages sent ahead of time do not count`(
        _ seconds: Int64
    ) async throws {
        try await withLunch { lunch in
            try await write(25, lunch.planner)
            #expect(Self.texts(try await lunch.world.deliver(), to: "Anna Aalto").count == 20)
            lunch.world.clock.advance(bySeconds: seconds)
            let engine = try lunch.world.engine(lunch.planner, sinks: [ScriptedSink()])
            try await engine.heedEarlierClock()
            #expect(try await lunch.planner.verifyLedger().faults.map(\.rule) == [])
            // Held messages wait an hour by the new clock, not by the old one, and are sent as one.
            lunch.world.clock.advance(bySeconds: 3600)
            let later = Self.texts(try await lunch.world.deliver(), to: "Anna Aalto")
            #expect(later.count == 1)
            #expect(later.first?.contains("Text 25.") == true)
            #expect(try await lunch.planner.verifyLedger().faults.map(\.rule) == [])
        }
    }

    @Test func `A change that waited is sent for all held messages, with their texts`()
        async throws
    {
        try await withLunch { lunch in
            try await write(21, lunch.planner)
            #expect(Self.texts(try await lunch.world.deliver(), to: "Anna Aalto").count == 20)
            var edit = MeetingEdit()
            edit.start = "2026-12-06T12:00"
            _ = try await lunch.planner.editMeeting("Lunch", edit, saving: true)
            #expect(try await lunch.world.deliver().isEmpty)
            lunch.world.clock.advance(bySeconds: 3600)
            let lines = try await lunch.world.deliver()
            let later = Self.texts(lines, to: "Anna Aalto")
            #expect(later.count == 1)
            #expect(lines.map { $0["kind"] as? String } == ["change", "change"])
            for words in ["Text 20.", "Text 21.", "6 December"] {
                #expect(later.first?.contains(words) == true)
            }
            #expect(try await lunch.states()["planned"] == 6)
            #expect(try await lunch.planner.verifyLedger().faults.map(\.rule) == [])
        }
    }

    @Test(arguments: [
        (19, DeliveryState.accepted, ""),
        (20, DeliveryState.expired, "it would come too late: held back "),
    ])
    func `A reminder is among the last messages of the hour, or expires at once`(
        _ messages: Int, _ state: DeliveryState, _ reason: String
    ) async throws {
        try await withLunch { lunch in
            let planner = lunch.planner
            lunch.world.clock.set(try Moment.parse("2026-12-05T09:30:00Z"))
            _ = try await planner.snooze(
                "Lunch", .until(try planner.moment("in 20 minutes")), who: "Anna", saving: true)
            try await write(25, planner)
            var count = Self.texts(try await lunch.world.deliver(), to: "Anna Aalto").count
            #expect(16...17 ~= count)
            while count < messages {
                var edit = MeetingEdit()
                edit.place = "Room \(count)"
                _ = try await planner.editMeeting("Lunch", edit, saving: true)
                count += Self.texts(try await lunch.world.deliver(), to: "Anna Aalto").count
            }
            lunch.world.clock.advance(bySeconds: 1200)
            _ = try await lunch.world.deliver()
            let stories = try await planner.deliveries(of: "Lunch", to: "Anna").rows
            let snooze = try #require(stories.first { $0.which == "after a snooze" })
            #expect(snooze.delivery.state == state)
            #expect(snooze.delivery.reason.hasPrefix(reason))
            #expect(try await planner.verifyLedger().faults.map(\.rule) == [])
        }
    }

    @Test func `Frequent changes are sent twenty times an hour, and then as the latest state`()
        async throws
    {
        try await withLunch { lunch in
            var texts: [String] = []
            for number in 0..<30 {
                var edit = MeetingEdit()
                edit.start = "2026-12-0\(5 + number % 2)T12:\(10 + number)"
                _ = try await lunch.planner.editMeeting("Lunch", edit, saving: true)
                texts += Self.texts(try await lunch.world.deliver(), to: "Anna Aalto")
                lunch.world.clock.advance(bySeconds: 10)
            }
            #expect(texts.count == 20)
            lunch.world.clock.advance(bySeconds: 3600)
            let later = Self.texts(try await lunch.world.deliver(), to: "Anna Aalto")
            #expect(later.count == 1)
            #expect(later.first?.contains("12:39") == true)
            #expect(try await lunch.planner.verifyLedger().faults.map(\.rule) == [])
        }
    }

    @Test func `Messages to a merged person are counted together`() async throws {
        try await withLunch { lunch in
            try await write(12, lunch.planner)
            _ = try await lunch.world.deliver()
            _ = try await lunch.planner.mergePeople("Anna", "Ben")
            try await write(6, from: 13, lunch.planner)
            #expect(try await lunch.world.deliver().isEmpty)
            lunch.world.clock.advance(bySeconds: 3600)
            #expect(try await lunch.world.deliver().count == 1)
            #expect(try await lunch.planner.verifyLedger().faults.map(\.rule) == [])
        }
    }
}
