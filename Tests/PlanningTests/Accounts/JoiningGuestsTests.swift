import Agenda
import Ledger
import Secrets
import Storage
import TestKit
import Testing
import Timekeeping
@testable import Planning

/// People who have proven an address see the meetings to which that address is invited.
@Suite(.timeLimit(.minutes(5))) struct JoiningGuestsTests {
    /// A home with the members Ben and Dan.
    private func withMembers(
        _ body: (_ owner: Planner, _ ben: Planner, _ dan: Planner) async throws -> Void
    ) async throws {
        try await withTemporaryHome { world in
            let owner = try await world.planner(settings: Planner.openSettings)
            try await owner.add("Ben", "ben@example.org")
            try await owner.add("Dan", "dan@example.org")
            let ben = owner.acting(as: try await owner.person(named: "Ben"))
            let dan = owner.acting(as: try await owner.person(named: "Dan"))
            try await body(owner, ben, dan)
        }
    }

    private func titles(_ planner: Planner, _ person: Person) async throws -> [String] {
        try await planner.acting(as: person).meetings(.coming).meetings.map(\.title).sorted()
    }

    private func request(_ title: String, with guest: String) -> MeetingRequest {
        var request = MeetingRequest.lunch(with: guest)
        request.title = title
        return request
    }

    @Test func `Guests whom several organizers typed become the person who proves the address`()
        async throws
    {
        try await withMembers { owner, ben, dan in
            try await ben.create(request("Lunch", with: "Evi <eva@example.org>"))
            let dinner = try await dan.create(request("Dinner", with: "Eve X <eva@example.org>"))
            try await owner.create(request("Tea", with: "Lady Eva <eva@example.org>"))
            let eva = try await owner.register(at: "eva@example.org")
            let seen = try await titles(owner, eva)
            #expect(seen == ["Dinner", "Lunch", "Tea"])
            // The organizers see what they typed, and nobody is invited twice.
            let meetings = try await [
                ben.meeting("Lunch"), dan.meeting("Dinner"), owner.meeting("Tea"),
            ]
            #expect(meetings.map { $0.participants.last?.name } == ["Evi", "Eve X", "Lady Eva"])
            var filter = LedgerFilter(limit: 100)
            filter.kind = .invitation
            let invitations = try await owner.store.stories(filter)
            #expect(invitations.count == 3)
            let faults = try await owner.brokenRules()
            #expect(faults == [])
            let id = MeetingID(text: dinner.meeting.id)
            let asEva = owner.acting(as: eva)
            _ = try await asEva.answer(id, .going, of: eva, plus: nil, note: nil, saving: true)
            let answers = try await dan.meeting("Dinner").participants.map(\.answer)
            #expect(answers == [.going, .going])
        }
    }

    @Test func `The meetings of a member's contact are seen, and the card stays as it is`()
        async throws
    {
        try await withMembers { owner, ben, _ in
            var card = ContactEdit()
            card.name = "Carla Card"
            card.emails = ["carla@example.org", "mallory@evil.example"]
            card.zone = "Asia/Tokyo"
            _ = try await ben.addPerson(card)
            try await ben.addCircle("Friends", members: ["Carla Card"])
            try await ben.create(request("Lunch", with: "Carla Card"))
            let carla = try await owner.register(at: "carla@example.org")
            let seen = try await titles(owner, carla)
            #expect(seen == ["Lunch"])
            // What the card says beyond the address is not the account's.
            let person = try #require(try await owner.store.person(carla.id))
            #expect(person.zone == nil && person.name == "carla@example.org")
            let others = try await owner.store.lookUp {
                try $0.persons(withAddress: "mallory@evil.example", limit: 9).map(\.id)
            }
            #expect(!others.contains(carla.id))
            let contact = try await ben.contact("Carla Card")
            #expect(contact.id != carla.id.text && contact.emails.count == 2)
            let members = try await ben.circle("Friends").1
            #expect(members.map(\.id) == [contact.id])
            let name = try await ben.meeting("Lunch").participants.last?.name
            #expect(name == "Carla Card")
            // The circle and the guest are the same person.
            _ = try await ben.invite(["Friends"], to: "Lunch", saving: true)
            let count = try await ben.meeting("Lunch").participants.count
            #expect(count == 2)
            _ = try await ben.uninvite(["Carla Card"], from: "Lunch", saving: true)
            let rest = try await ben.meeting("Lunch").participants.count
            #expect(rest == 1)
        }
    }

    @Test func `A contact with a proven address is invited as the account, with its quiet hours`()
        async throws
    {
        try await withMembers { owner, ben, _ in
            let carla = try await owner.register(at: "carla@example.org")
            var edit = PolicyEdit()
            edit.quietHours = [try WeekSpan.parse("00:00-23:00")]
            _ = try await owner.acting(as: carla).setPolicy(edit, of: carla, saving: true)
            try await ben.add("Carla Card", "carla@example.org")
            let lunch = try await ben.create(request("Lunch", with: "Carla Card"))
            let guest = try #require(lunch.meeting.participants.last)
            #expect(guest.id == carla.id.text && guest.name == "Carla Card")
            let stored = try await ben.meeting("Lunch").participants.last
            #expect(stored?.id == guest.id && stored?.name == guest.name)
            let seen = try await titles(owner, carla)
            #expect(seen == ["Lunch"])
            let invitation = try #require(
                lunch.notifications.added.first { $0.kind == .invitation })
            #expect(invitation.due.moment > ben.now)
            // A card that is corrected means somebody else.
            var correction = ContactEdit()
            correction.emails = ["carlotta@example.org"]
            _ = try await ben.editPerson("Carla Card", correction)
            let dinner = try await ben.create(request("Dinner", with: "Carla Card"))
            #expect(dinner.meeting.participants.last?.address == "carlotta@example.org")
        }
    }

    @Test func `An address that only a card says to be somebody's shows them no meeting`()
        async throws
    {
        try await withMembers { owner, ben, _ in
            try await owner.add("Nils", "nils@a.example", "nils@b.example")
            try await ben.create(request("Lunch", with: "Olaf <nils@b.example>"))
            let nils = try await owner.register(at: "nils@a.example")
            let seen = try await titles(owner, nils)
            #expect(nils.name == "Nils" && seen == [])
        }
    }

    @Test func `Who shares an address with the account stays somebody else`() async throws {
        try await withMembers { owner, _, _ in
            try await owner.add("Carl Holm", "home@example.org")
            try await owner.add("Dora Holm", "home@example.org")
            var lunch = MeetingRequest.lunch(with: "Carl Holm", "Dora Holm")
            lunch.title = "Lunch"
            try await owner.create(lunch)
            try await owner.create(request("Dinner", with: "Dora Holm"))
            let carl = try await owner.person(named: "Carl Holm")
            let token = try await owner.openTicket(for: carl)
            _ = try await owner.enter(by: token.text, device: "Test")
            let seen = try await titles(owner, carl)
            #expect(seen == ["Lunch"])
            let tea = try await owner.create(request("Tea", with: "Dora Holm"))
            #expect(tea.meeting.participants.last?.name == "Dora Holm")
            let dora = try await owner.person(named: "Dora Holm")
            #expect(tea.meeting.participants.last?.id == dora.id.text)
        }
    }
}
