import Agenda
import Planning
import Settings
import TestKit
import Testing
import Timekeeping

@testable import letsmeet

struct OutcomeTextTests {
    @Test func `Sending now is suggested for invitations, not for reminders`() async throws {
        try await withTemporaryHome { world in
            let planner = try await world.planner()
            let made = try await Self.lunch(planner)
            #expect(
                OutcomeText(outcome: made).waiting
                    == "1 invitation is queued, but letsmeetd is not running. "
                    + "Start it, or send now: letsmeetd once")
            var edit = MeetingEdit()
            edit.reminders = [try TimeSpan.parse("3h")]
            let edited = try await planner.editMeeting("Lunch", edit, saving: true)
            #expect(
                OutcomeText(outcome: edited).waiting
                    == "2 reminders are queued, but letsmeetd is not running. "
                    + "Start it: letsmeetd run")
        }
    }

    @Test func `A message that quiet hours hold back is not counted as a reminder`() async throws {
        try await withTemporaryHome { world in
            let planner = try await world.planner()
            _ = try await Self.lunch(planner)
            var policy = PolicyEdit()
            policy.quietHours = [try WeekSpan.parse("00:00-23:59")]
            _ = try await planner.setPolicy(policy, of: "anna@example.org", saving: true)
            let told = try await planner.message("Lunch", "Hello.", to: [], saving: true)
            #expect(
                OutcomeText(outcome: told).waiting
                    == "1 message is queued, but letsmeetd is not running. "
                    + "Start it: letsmeetd run")
            let more = try await planner.message("Lunch", "Bye.", to: [], saving: true)
            #expect(OutcomeText(outcome: more).effect.hasPrefix("1 message held back until "))
        }
    }

    @Test func `An invitation that replaces an unsent one is counted once`() async throws {
        try await withTemporaryHome { world in
            let planner = try await world.planner()
            let made = try await Self.lunch(planner)
            #expect(
                OutcomeText(outcome: made).effect == "1 invitation to send, 4 reminders planned")
            var edit = MeetingEdit()
            edit.start = "2026-12-06T12:00"
            let moved = try await planner.editMeeting("Lunch", edit, saving: true)
            #expect(
                OutcomeText(outcome: moved).effect
                    == "1 invitation to send, replacing an unsent one, 4 reminders moved")
            _ = try await planner.invite(["ben@example.org"], to: "Lunch", saving: true)
            edit.start = "2026-12-07T12:00"
            let both = try await planner.editMeeting("Lunch", edit, saving: true)
            #expect(
                OutcomeText(outcome: both).effect
                    == "2 invitations to send, replacing unsent ones, 6 reminders moved")
            let gone = try await planner.uninvite(["ben@example.org"], from: "Lunch", saving: true)
            #expect(
                OutcomeText(outcome: gone).effect == "1 invitation withdrawn, 2 reminders dropped")
        }
    }

    @Test func `People without an address are named, at most five of them`() async throws {
        try await withTemporaryHome { world in
            let planner = try await world.planner(settings: [
                .sinks: "mail", .smtpURL: "smtp://127.0.0.1:1", .mailFrom: "olga@example.org",
                .ownerAddress: "olga@example.org",
            ])
            let names = ["Ada", "Bea", "Cleo", "Dora", "Edda", "Fanny"]
            for name in names { try await planner.add(name) }
            let two = try await planner.create(.lunch(with: "Ada", "Bea"))
            #expect(OutcomeText(outcome: two).effect.hasSuffix("without an address (Ada, Bea)"))
            var request = MeetingRequest.lunch(with: "Ada", start: "2026-12-06T12:00")
            request.with = names
            let all = try await planner.create(request)
            #expect(
                OutcomeText(outcome: all).effect
                    .hasSuffix("without an address (Ada, Bea, Cleo, Dora, Edda and 1 more)"))
        }
    }

    @Test func `A split series sends two invitations, one of them replaced`() async throws {
        try await withTemporaryHome { world in
            let planner = try await world.planner()
            _ = try await Self.lunch(planner, repetition: "daily, 10 times")
            var edit = MeetingEdit()
            edit.from = "2026-12-08"
            edit.place = "The lake"
            let split = try await planner.editMeeting("Lunch", edit, saving: true)
            #expect(
                OutcomeText(outcome: split).effect.hasPrefix(
                    "2 invitations to send, 1 of them replacing an unsent one"))
        }
    }

    @Test func `The next date of whole days has no time of day`() async throws {
        try await withTemporaryHome { world in
            var request = MeetingRequest.lunch(with: "anna@example.org", start: "2026-12-05")
            request.isAllDay = true
            request.repetition = "weekly"
            _ = try await world.planner().createMeeting(request, saving: true)
            let later = try await world.later(minutes: 6 * 24 * 60).planner()
            var edit = MeetingEdit()
            edit.note = "Bring a tent"
            let id = try await later.meetingID(named: "Lunch")
            let edited = try await later.editMeeting(id, edit, saving: false)
            #expect(edited.times.last == "next Sat 12 Dec 2026")
        }
    }

    @Test func `A new secret ends its line, and each sentence has one full stop`() async throws {
        try await withTemporaryHome { world in
            var request = ChannelRequest()
            request.kind = "webhook"
            request.url = "https://hooks.example.org/lunch"
            let outcome = try await world.planner().addChannel(request, saving: true)
            let secret = try #require(outcome.secret)
            #expect(
                OutcomeText(outcome: outcome).done == """
                    Done: webhook-all is added.
                    Give this secret to the receiver. It is not shown again: \(secret)
                    No one is notified.
                    """)
        }
    }

    private static func lunch(
        _ planner: Planner, repetition: String? = nil
    ) async throws -> MeetingOutcome {
        var request = MeetingRequest()
        request.title = "Lunch"
        request.with = ["anna@example.org"]
        request.start = "2026-12-05T12:00"
        request.repetition = repetition
        return try await planner.createMeeting(request, saving: true)
    }
}
