import Agenda
import Ledger
import Notifications
import Planning
import Settings
import Sinks
import TestKit
import Testing
import Timekeeping

/// A night with a change to or from daylight saving time, end to end: each reminder is sent once,
/// at its time.
@Suite(.timeLimit(.minutes(5))) struct NightTests {
    /// A night, and the reminders in it, in UTC: for Sam, who has quiet hours from 22:00 to 02:30,
    /// and for Olga, who has none.
    struct Night: Sendable, CustomTestStringConvertible {
        let zone: String
        let day: String
        let from: String
        let olga: [String]
        let sam: [String]

        var testDescription: String { "\(zone) \(day)" }
    }

    /// The reminders are one day, 24 hours, eight hours, and six and a half hours before nine in
    /// the morning. Reminders that waited for the same end of quiet hours are sent as one.
    @Test(arguments: [
        Night(
            zone: "Europe/Berlin", day: "2027-03-28", from: "2027-03-27T06:00:00Z",
            olga: ["27T07:00", "27T08:00", "27T23:00", "28T00:30"],
            sam: ["27T07:00", "27T08:00", "28T01:00"]),
        Night(
            zone: "Europe/Berlin", day: "2027-10-31", from: "2027-10-30T06:00:00Z",
            olga: ["30T07:00", "30T08:00", "31T00:00", "31T01:30"],
            sam: ["30T07:00", "30T08:00", "31T00:30", "31T01:30"]),
        Night(
            zone: "America/New_York", day: "2027-03-14", from: "2027-03-13T12:00:00Z",
            olga: ["13T13:00", "13T14:00", "14T05:00", "14T06:30"],
            sam: ["13T13:00", "13T14:00", "14T07:00"]),
        Night(
            zone: "America/New_York", day: "2027-11-07", from: "2027-11-06T12:00:00Z",
            olga: ["06T13:00", "06T14:00", "07T06:00", "07T07:30"],
            sam: ["06T13:00", "06T14:00", "07T07:30"]),
        Night(
            zone: "Australia/Lord_Howe", day: "2027-10-03", from: "2027-10-01T21:00:00Z",
            olga: ["01T22:00", "01T22:30", "02T14:00", "02T15:30"],
            sam: ["01T22:00", "01T22:30", "02T15:30"]),
        Night(
            zone: "Australia/Lord_Howe", day: "2027-04-04", from: "2027-04-02T21:00:00Z",
            olga: ["02T22:00", "02T22:30", "03T14:30", "03T16:00"],
            sam: ["02T22:00", "02T22:30", "03T16:00"]),
    ])
    func `No reminder is sent twice or lost`(_ night: Night) async throws {
        try await withTemporaryHome(now: night.from) { world in
            let planner = try await world.planner(settings: [.ownerZone: night.zone])
            try await Self.plan(on: night.day, planner)
            let sink = ScriptedSink()
            let engine = try world.engine(planner, sinks: [sink])
            var sent: [String: [String]] = [:]
            for _ in 0...(36 * 6) {
                let before = sink.messages.count
                _ = try await engine.runOnce()
                for outgoing in sink.messages[before...] where outgoing.kind == .reminder {
                    sent[outgoing.name, default: []].append(
                        String(world.clock.now.utcText.dropFirst(8).prefix(8)))
                }
                world.clock.advance(bySeconds: 600)
            }
            #expect(sent["Olga Owner"] == night.olga)
            #expect(sent["Sam Sleeper"] == night.sam)
            #expect(Set(sink.messages.map(\.identity)).count == sink.messages.count)
            #expect(try await planner.verifyLedger().faults.map(\.rule) == [])
        }
    }

    private static func plan(on day: String, _ planner: Planner) async throws {
        var sam = ContactEdit()
        sam.name = "Sam Sleeper"
        _ = try await planner.addPerson(sam)
        var hours = PolicyEdit()
        hours.quietHours = [try WeekSpan.parse("22:00-02:30")]
        _ = try await planner.setPolicy(hours, of: "Sam", saving: true)
        var request = MeetingRequest()
        request.title = "Breakfast"
        request.with = ["Sam"]
        request.start = "\(day)T09:00"
        request.reminders = try ["P1D", "PT24H", "PT8H", "PT6H30M"].map { try TimeSpan.parse($0) }
        _ = try await planner.createMeeting(request, saving: true)
    }
}
