import Agenda
import Ledger
import Planning
import TestKit
import Testing

/// The words of the organizer for those who are told of a change.
@Suite struct ChangeNoteTests {
    /// The texts that are delivered for a change of a lunch, of which two people were told.
    private func texts(
        of change: (Planner, MeetingID) async throws -> Void
    ) async throws -> [String] {
        try await withTemporaryHome { world in
            let planner = try await world.planner()
            let lunch = try await planner.create(
                .lunch(with: "anna@example.org", "ben@example.org"))
            _ = try await world.deliver()
            world.clock.advance(bySeconds: 60)
            try await change(planner, MeetingID(text: lunch.meeting.id))
            return try await world.deliver().compactMap { $0["text"] as? String }
        }
    }

    private static let words = "Message from Olga Owner:\n\nThe café is closed."

    @Test func `News of a series names the place of its next date`() async throws {
        try await withTemporaryHome { world in
            let planner = try await world.planner()
            var choir = MeetingRequest.lunch(start: "2026-12-05 19:30")
            (choir.title, choir.repetition, choir.place) = ("Choir", "weekly", "Hall")
            let id = try await planner.create(choir).meeting.id
            _ = try await planner.edit(id) { ($0.date, $0.place) = ("5 dec", "Chapel") }
            _ = try await planner.invite(["anna@example.org"], to: id, saving: true)
            let texts = try await world.deliver().compactMap { $0["text"] as? String }
            let invitation = try #require(texts.first { $0.contains("invites you") })
            #expect(invitation.contains("Chapel (usually Hall)"), "\(invitation)")
        }
    }

    @Test func `A cancellation brings the reason`() async throws {
        let texts = try await texts { planner, id in
            _ = try await planner.cancelMeeting(id, message: "The café is closed.", saving: true)
        }
        #expect(texts.count == 2)
        #expect(texts.allSatisfy { $0.contains("is off") && $0.contains(Self.words) }, "\(texts)")
    }

    @Test func `A move brings the reason, and blank words bring nothing`() async throws {
        for (message, isShown) in [("The café is closed.", true), (" \n", false)] {
            let texts = try await texts { planner, id in
                var edit = MeetingEdit()
                edit.start = "2026-12-06T15:00"
                edit.message = message
                _ = try await planner.editMeeting(id, edit, saving: true)
            }
            #expect(texts.count == 2)
            #expect(texts.allSatisfy { $0.contains("Message from") == isShown }, "\(texts)")
        }
    }

    @Test func `Only the person who was removed reads why`() async throws {
        let texts = try await texts { planner, id in
            let anna = try await planner.participants(named: ["anna@example.org"], of: id)
            _ = try await planner.uninvite(
                anna, from: id, message: "The café is closed.", saving: true)
        }
        #expect(texts.count == 1)
        #expect(texts.first?.contains(Self.words) == true, "\(texts)")
    }

    @Test func `Words to a person who is removed announce nothing to the others`() async throws {
        let texts = try await texts { planner, id in
            // A change that was taken back: only words about it would announce it.
            for place in ["Park", ""] {
                _ = try await planner.edit(id.text) { $0.place = place }
            }
            let anna = try await planner.participants(named: ["anna@example.org"], of: id)
            _ = try await planner.uninvite(
                anna, from: id, message: "The café is closed.", saving: true)
            // The next act plans by what the history says of the one before.
            _ = try await planner.answer(
                id.text, .maybe, who: "ben@example.org", plus: nil, note: nil, saving: true)
        }
        #expect(texts.count == 1)
        #expect(texts.first?.contains(Self.words) == true, "\(texts)")
    }

    @Test func `A change that was not sent yet is replaced with its newer words`() async throws {
        let texts = try await texts { planner, id in
            for (day, words) in [("06", "Too loud."), ("07", "The café is closed.")] {
                var edit = MeetingEdit()
                edit.start = "2026-12-\(day)T15:00"
                edit.message = words
                _ = try await planner.editMeeting(id, edit, saving: true)
            }
        }
        #expect(texts.count == 2)
        #expect(texts.allSatisfy { $0.contains(Self.words) }, "\(texts)")
    }

    @Test func `A note that is too long is refused`() async throws {
        let refused = try await withTemporaryHome { world in
            let planner = try await world.planner()
            let lunch = try await planner.create(.lunch(with: "anna@example.org"))
            let id = MeetingID(text: lunch.meeting.id)
            let long = String(repeating: "x", count: 5001)
            return await refusal {
                _ = try await planner.cancelMeeting(id, message: long, saving: true)
            }
        }
        #expect(refused?.code == "long_note")
    }
}
