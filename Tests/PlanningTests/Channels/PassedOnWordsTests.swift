import Agenda
import Ledger
import Notifications
import Planning
import Sinks
import TestKit
import Testing

/// The organizer's words about a change that is replaced before it was sent.
@Suite(.timeLimit(.minutes(5))) struct PassedOnWordsTests {
    private static let rain = "It rains."

    private static func channel(
        _ kind: String, _ name: String, of readers: ChannelRequest.Readers
    ) -> ChannelRequest {
        var request = ChannelRequest()
        (request.kind, request.name) = (kind, name)
        (request.url, request.readers) = ("https://chat.example/\(name)", readers)
        return request
    }

    /// Makes a meeting with a circle that reads it in two rooms, which got the invitation.
    private func withRooms(
        _ body: (TestWorld, Planner, String) async throws -> Void
    ) async throws {
        try await withTemporaryHome { world in
            let olga = try await world.planner()
            try await olga.add("Anna", "anna@example.org")
            try await olga.addCircle("Chess", members: ["Anna"])
            for room in ["hall", "yard"] {
                let readers = try await olga.readers(circle: "Chess")
                _ = try await olga.addChannel(Self.channel("slack", room, of: readers))
            }
            let id = try await olga.create(.lunch(with: "circle:Chess")).meeting.id
            let invitations = try await sent(world, olga)
            #expect(invitations.map(\.channel).sorted() == ["hall", "yard"])
            try await body(world, olga, id)
        }
    }

    /// The messages to the rooms that are sent now.
    ///
    /// - Parameters:
    ///   - world: the world.
    ///   - olga: the planner.
    ///   - room: a room to which nothing can be sent now; `nil` for none.
    /// - Returns: the messages.
    /// - Throws: an error of the engine.
    private func sent(
        _ world: TestWorld, _ olga: Planner, butNotTo room: String? = nil
    ) async throws -> [OutgoingMessage] {
        let slack = ScriptedSink(name: "slack") { outgoing, _ in
            AttemptReport(outgoing.channel == room ? .retry : .accepted, reply: "busy")
        }
        _ = try await world.engine(olga, sinks: [slack, ScriptedSink()]).runOnce()
        return slack.messages
    }

    private func move(
        _ olga: Planner, _ id: String, to start: String, saying words: String = ""
    ) async throws {
        _ = try await olga.edit(id) { ($0.start, $0.message) = (start, words) }
        let faults = try await olga.brokenRules()
        #expect(faults == [])
    }

    @Test func `Each room reads the words about a move that another move replaced`() async throws {
        try await withRooms { world, olga, id in
            try await move(olga, id, to: "2026-12-06T12:00", saying: Self.rain)
            try await move(olga, id, to: "2026-12-07T12:00")
            let told = try await sent(world, olga)
            #expect(told.map(\.channel).sorted() == ["hall", "yard"])
            #expect(told.allSatisfy { $0.text.contains(Self.rain) })
        }
    }

    @Test func `A room does not read words that still waited for another room`() async throws {
        try await withRooms { world, olga, id in
            try await move(olga, id, to: "2026-12-06T12:00", saying: Self.rain)
            let tried = try await sent(world, olga, butNotTo: "yard")
            #expect(tried.count == 2)
            try await move(olga, id, to: "2026-12-05T12:00")
            let told = try await sent(world, olga).filter { $0.channel == "hall" }
            #expect(told.map(\.kind) == [.change])
            #expect(told.first?.text.contains(Self.rain) == false)
        }
    }

    @Test func `Words follow their reader to a channel that is added, and back`() async throws {
        try await withTemporaryHome { world in
            let olga = try await world.planner()
            try await olga.add("Anna", "anna@example.org")
            let id = try await olga.create(.lunch(with: "Anna")).meeting.id
            _ = try await world.told(olga)
            try await move(olga, id, to: "2026-12-06T12:00", saying: Self.rain)
            let readers = try await olga.readers(who: "Anna")
            _ = try await olga.addChannel(Self.channel("ntfy", "bell", of: readers))
            let ntfy = ScriptedSink(name: "ntfy") { _, _ in
                AttemptReport(.retry, reply: "busy")
            }
            _ = try await world.engine(olga, sinks: [ntfy, ScriptedSink()]).runOnce()
            #expect(ntfy.messages.map(\.kind) == [.change])
            #expect(ntfy.messages.first?.text.contains(Self.rain) == true)
            _ = try await olga.removeChannel("bell")
            let faults = try await olga.brokenRules()
            #expect(faults == [])
            let stdout = ScriptedSink()
            _ = try await world.engine(olga, sinks: [stdout]).runOnce()
            #expect(stdout.messages.map(\.kind) == [.change])
            #expect(stdout.messages.first?.text.contains(Self.rain) == true)
        }
    }

    @Test func `Words about all dates do not go with a change of one date`() async throws {
        try await withTemporaryHome { world in
            let olga = try await world.planner()
            try await olga.add("Anna", "anna@example.org")
            var weekly = MeetingRequest.lunch(with: "Anna")
            weekly.repetition = "FREQ=WEEKLY;COUNT=5"
            let id = try await olga.create(weekly).meeting.id
            _ = try await world.told(olga)
            _ = try await olga.edit(id) { ($0.place, $0.message) = ("Park", Self.rain) }
            _ = try await olga.cancelMeeting(id, on: "20261212T120000", saving: true)
            _ = try await olga.edit(id) { $0.place = "" }
            let faults = try await olga.brokenRules()
            #expect(faults == [])
            let stdout = ScriptedSink()
            _ = try await world.engine(olga, sinks: [stdout]).runOnce()
            #expect(stdout.messages.map(\.kind) == [.cancellation])
            #expect(stdout.messages.first?.text.contains(Self.rain) == false)
        }
    }
}
