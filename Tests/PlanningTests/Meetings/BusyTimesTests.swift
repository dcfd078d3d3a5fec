import Storage
import Agenda
import Foundation
import Ledger
import Planning
import Settings
import TestKit
import Testing
import Timekeeping

/// The busy times that an organizer sees: those of people who answered them.
@Suite struct BusyTimesTests {
    /// A home folder in which Ben is busy on the evening of 6 December, and Anna can make links.
    private func withDinner(
        _ body: (TestWorld, [SettingName: String], _ owner: Planner, _ anna: Planner) async throws
            -> Void
    ) async throws {
        try await withTemporaryHome { world in
            let settings: [SettingName: String] = [.baseURL: "https://meet.example.org"]
            let owner = try await world.planner(settings: settings)
            try await owner.add("Anna", "anna@example.org")
            try await owner.add("Ben", "ben@example.org")
            var dinner = MeetingRequest.lunch(with: "Ben", start: "2026-12-06T19:00")
            dinner.title = "Dinner"
            try await owner.create(dinner)
            let anna = try await world.planner(settings: settings, actingAs: "Anna")
            try await body(world, settings, owner, anna)
        }
    }

    @Test func `Only people who answered are known to be busy, and only to whom they meet`()
        async throws
    {
        try await withTemporaryHome { world in
            let owner = try await world.planner()
            try await owner.add("Anna", "anna@example.org")
            try await owner.add("Ben", "ben@example.org")
            let anna = try await world.planner(actingAs: "Anna")
            let ben = try await world.planner(actingAs: "Ben")
            let id = try await owner.create(.lunch(with: "Anna", "Ben")).meeting.id
            var dinner = MeetingRequest.lunch(with: "Ben", start: "2026-12-06T19:00")
            dinner.title = "Dinner"
            try await owner.create(dinner)
            let person = try await anna.participant(named: "Ben", of: MeetingID(text: id))
            #expect(try await anna.knowsBusy(person) == false)
            // An answer that somebody else entered makes nobody an acquaintance.
            _ = try await owner.answer(
                id, .going, who: "Ben", plus: nil, note: nil, saving: true)
            #expect(try await anna.knowsBusy(person) == false)
            _ = try await ben.answer(id, .maybe, who: nil, plus: nil, note: nil, saving: true)
            #expect(try await anna.knowsBusy(person))
        }
    }

    @Test func `An answer that the organizer could have given shows nobody's busy times`()
        async throws
    {
        try await withDinner { world, settings, owner, anna in
            let id = try await anna.create(.lunch()).meeting.id
            let meeting = MeetingID(text: id)
            _ = try await owner.invite(["Ben"], to: id, saving: true)
            let person = try await anna.participant(named: "Ben", of: meeting)
            let links = try await anna.guestLinks(of: meeting, change: .none)
            let token = try #require(links.links.first?.url).suffix(32)
            let visit = try #require(try await anna.visit(by: token))
            #expect(!visit.mayStopReminders)
            try await visit.answer(GuestReply(word: "yes", plus: "", note: ""))
            #expect(try await anna.knowsBusy(person) == false)
            // A new link that only Ben has seen proves his answer.
            let ben = try await world.planner(settings: settings, actingAs: "Ben")
            _ = try await anna.guestLinks(of: meeting, to: [person], change: .revoked)
            let own = try await ben.guestLinks(of: meeting, change: .none)
            let secret = try #require(own.links.first?.url).suffix(32)
            world.clock.advance(bySeconds: 60)
            let honest = try #require(try await ben.visit(by: secret))
            #expect(honest.mayStopReminders)
            try await honest.answer(GuestReply(word: "maybe", plus: "", note: ""))
            #expect(try await anna.knowsBusy(person))
        }
    }

    @Test func `A copy of an answer in the rest of a series shows nobody's busy times`()
        async throws
    {
        try await withDinner { world, settings, owner, anna in
            var weekly = MeetingRequest.lunch(start: "2026-12-04T12:00")
            weekly.repetition = "every friday"
            let id = try await anna.create(weekly).meeting.id
            let meeting = MeetingID(text: id)
            _ = try await owner.invite(["Ben"], to: id, saving: true)
            let person = try await anna.participant(named: "Ben", of: meeting)
            let links = try await anna.guestLinks(of: meeting, change: .none)
            let token = try #require(links.links.first?.url).suffix(32)
            let visit = try #require(try await anna.visit(by: token))
            try await visit.answer(GuestReply(word: "yes", plus: "", note: ""))
            world.clock.advance(bySeconds: 60)
            let split = try await anna.edit(id) {
                $0.from = "2026-12-18"
                $0.title = "Late lunch"
            }
            #expect(split.meeting.participants.map(\.answer) == [.going, .going])
            world.clock.advance(bySeconds: 60)
            #expect(try await anna.knowsBusy(person) == false)
            // Ben's own answer to the new meeting counts.
            let ben = try await world.planner(settings: settings, actingAs: "Ben")
            _ = try await ben.answer(
                split.meeting.id, .maybe, who: nil, plus: nil, note: nil, saving: true)
            #expect(try await anna.knowsBusy(person))
        }
    }
}

extension Planner {
    /// True if busy times of a person on 6 December 2026 are shown.
    fileprivate func knowsBusy(_ person: Person) async throws -> Bool {
        let time = try Moment.parse("2026-12-06T00:00:00Z")
        let known = try await knownTimes(
            of: [person], within: time..<time.advanced(bySeconds: 86_400))
        return known.spans[person.id]?.isEmpty == false
    }
}
