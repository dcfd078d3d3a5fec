import Agenda
import Foundation
import Ledger
import Operations
import Planning
import Settings
import Storage
import TestKit
import Testing

@Suite("Erasing a person from texts")
struct EraseTextTests {
    private static func contact(
        _ name: String, phones: [String] = [], nicknames: [String] = [], emails: [String] = []
    ) -> ContactEdit {
        var edit = ContactEdit()
        edit.name = name
        edit.emails = emails
        edit.phones = phones
        edit.nicknames = nicknames
        return edit
    }

    /// Erases by id, and returns the pseudonym.
    private static func erase(_ id: String, in planner: Planner) async throws -> String {
        let report = try await planner.erasePerson(id)
        #expect(try await planner.brokenRules() == [])
        return report.pseudonym
    }

    @Test func `A name, address and phone number from before an edit are erased`() async throws {
        try await withHome { home in
            let planner = try await home.planner()
            let old = Self.contact(
                "Zelda Quixote", phones: ["+358 40 7654321"], emails: ["zelda@example.org"])
            let zelda = try await planner.addPerson(old)
            let id = try await planner.meet(
                "Dinner of Zelda Quixote", with: "zelda",
                note: "zelda@example.org, or call +358 40 765-43-21")
            let edit = Self.contact("Dulcinea Toboso", emails: ["d@example.org"])
            _ = try await planner.editPerson(zelda.id, edit)
            let name = try await Self.erase(zelda.id, in: planner)
            let meeting = try await planner.meeting(id)
            #expect(meeting.title == "Dinner of \(name)")
            #expect(meeting.note == "\(name), or call \(name)")
        }
    }

    @Test func `A name and an address in a draft are erased`() async throws {
        try await withHome { home in
            let planner = try await home.planner()
            let zelda = try await planner.addPerson(
                Self.contact("Zelda Quixote", emails: ["zelda@example.org"]))
            try await planner.keepOwnersAccount()
            try await planner.keepDraft(
                #"{"title":"Dinner of Zelda Quixote","with":"zelda@example.org"}"#)
            let name = try await Self.erase(zelda.id, in: planner)
            let draft = try await planner.store.draft(of: planner.actor.id)
            #expect(draft?.fields == #"{"title":"Dinner of \#(name)","with":"\#(name)"}"#)
        }
    }

    @Test func `A name from before an import is erased too, and finds nobody`()
        async throws
    {
        try await withHome { home in
            var card = SampleCard(
                name: "Zelda Quixote", emails: ["zelda@example.org"], uid: "zelda-quixote-one")
            try await home.importCards([card])
            let planner = try await home.planner()
            let id = try await planner.meet("Zelda Quixote", with: "zelda")
            (card.name, card.emails) = ("Dulcinea Toboso", ["dulcinea@example.org"])
            #expect(try await home.importCards([card]).counts == [0, 1, 0])
            #expect(
                await refusalCode { _ = try await planner.contact("Zelda") } == "unknown_person")
            let toboso = try await planner.contact("Dulcinea Toboso")
            let name = try await Self.erase(toboso.id, in: planner)
            #expect(try await planner.meeting(id).title == name)
        }
    }

    @Test func `A phone number is erased even if the contact was removed before`() async throws {
        try await withHome { home in
            let planner = try await home.planner()
            let zelda = try await planner.addPerson(
                Self.contact("Zelda Quixote", phones: ["(09) 555 0100"]))
            _ = try await planner.addPerson(Self.contact("Ben Berg", phones: ["555 0199"]))
            let id = try await planner.meet(
                "Call 09-5550100", with: "zelda", note: "(09) 555 0100, 555 0199, 109 5550100")
            _ = try await planner.removePerson("zelda")
            let name = try await Self.erase(zelda.id, in: planner)
            let meeting = try await planner.meeting(id)
            #expect(meeting.title == "Call \(name)")
            #expect(meeting.note == "\(name), 555 0199, 109 5550100")
        }
    }

    @Test func `A phone number that another contact has too is not erased`() async throws {
        try await withHome { home in
            let planner = try await home.planner()
            let zelda = try await planner.addPerson(
                Self.contact("Zelda Quixote", phones: ["09 555 0100"]))
            _ = try await planner.addPerson(Self.contact("Rosa Quixote", phones: ["09-5550100"]))
            let id = try await planner.meet("Tea", with: "zelda", note: "09 555 0100")
            _ = try await Self.erase(zelda.id, in: planner)
            #expect(try await planner.meeting(id).note == "09 555 0100")
        }
    }

    @Test func `A one-word name and a nickname are erased only from the person's own meetings`()
        async throws
    {
        try await withHome { home in
            let planner = try await home.planner()
            let zebedee = try await planner.addPerson(
                Self.contact("Zebedee", nicknames: ["Zeb"]))
            _ = try await planner.addPerson(Self.contact("Ben Berg"))
            let own = try await planner.meet(
                "Zebedee's cake", with: "zebedee", "ben",
                note: "Zeb, ZEB, zebedee, Zebedees, Zebedee-Anne and (Zeb).")
            let other = try await planner.meet("Zebedee on film", with: "ben", note: "Zeb")
            _ = try await planner.message(own, "Zebedee is ill", to: [], saving: true)
            let name = try await Self.erase(zebedee.id, in: planner)
            let meeting = try await planner.meeting(own)
            #expect(meeting.title == "\(name)'s cake")
            #expect(
                meeting.note == "\(name), ZEB, zebedee, Zebedees, Zebedee-Anne and (\(name)).")
            #expect(try await planner.meeting(other).title == "Zebedee on film")
            #expect(try await planner.meeting(other).note == "Zeb")
            let lines = try await home.later(minutes: 1).deliver()
            #expect(lines.contains { ($0["text"] as? String)?.contains("\(name) is ill") == true })
        }
    }

    @Test func `A word that is also a name of another participant stays and is reported`()
        async throws
    {
        try await withHome { home in
            let planner = try await home.planner()
            let anna = try await planner.add("Anna", "anna@example.org")
            _ = try await planner.add("Anna Berg", "berg@example.org")
            let id = try await planner.meet("Anna's tea", with: anna.id, "berg")
            let report = try await planner.erasePerson(anna.id)
            #expect(try await planner.meeting(id).title == "Anna's tea")
            #expect(report.remaining.map(\.word) == ["Anna"])
        }
    }

    @Test func `The given name alone stays, and the report counts the texts that contain it`()
        async throws
    {
        try await withHome { home in
            let planner = try await home.planner()
            let anna = try await planner.add("Anna Korhonen", "anna@example.org")
            _ = try await planner.meet("Anna and Anna Korhonen", with: "anna", note: "Ask Anna.")
            _ = try await planner.meet("Annas", with: "anna", note: "anna")
            let report = try await planner.erasePerson(anna.id)
            #expect(report.remaining.map(\.word) == ["Anna"])
            #expect(report.remaining.map(\.texts) == [2])
            #expect(report.name == "Anna Korhonen")
        }
    }

    @Test func `Request keys lose the person's name and stay unique`() async throws {
        try await withHome { home in
            let planner = try await home.planner()
            let zelda = try await planner.addPerson(
                Self.contact(
                    "Zelda Quixote", phones: ["040 7654321"], emails: ["zelda@example.org"]))
            let keys = [
                "lunch-zelda@example.org-1", "lunch-ZELDA@example.org-1", "zelda-quixote_2",
                "call-0407654321", "not-joezelda@example.org", "other",
                "zelda4quixote-zelda-quixote",
            ]
            for key in keys { try await Self.meet(key: key, in: planner) }
            let name = try await Self.erase(zelda.id, in: planner)
            let left = [
                "call-\(name)", "\(name)_2", "lunch-\(name)-1", "lunch-\(name)-1 2",
                "not-joezelda@example.org", "other", "zelda4quixote-\(name)",
            ]
            for key in left {
                let made = try await planner.store.madeMeeting(
                    requestKey: key, organizer: planner.owner.id)
                #expect(made != nil, "\(key)")
            }
        }
    }

    @Test(arguments: [". .", "..", "-- --", "((_))"])
    func `Erasing a person whose name has only punctuation changes no texts`(name: String)
        async throws
    {
        try await withHome { home in
            let planner = try await home.planner()
            _ = try await planner.add("Zelda Quixote", "zelda@example.org")
            let marks = try await planner.add(name, "marks@example.org")
            try await Self.meet(key: "one. two", in: planner)
            _ = try await Self.erase(marks.id, in: planner)
            let made = try #require(
                try await planner.store.madeMeeting(
                    requestKey: "one. two", organizer: planner.owner.id))
            let meeting = try await planner.meeting(made.meeting.id.text)
            #expect(meeting.title == "Games. .. -- (_)")
            #expect(meeting.link == "https://example.org/a-b?c=d..e")
        }
    }

    private static func meet(key: String, in planner: Planner) async throws {
        var request = MeetingRequest()
        request.title = "Games. .. -- (_)"
        request.link = "https://example.org/a-b?c=d..e"
        request.with = ["zelda"]
        request.start = "2026-12-01T18:00"
        request.key = key
        _ = try await planner.createMeeting(request, saving: true)
    }

    @Test func `Erasing needs a whole name, an address or an id, and a part of a name is refused`()
        async throws
    {
        try await withHome { home in
            let planner = try await home.planner()
            for who in ["zelda QUIXOTE", "Quixote, Zelda", "zelda@example.org", nil] {
                let zelda = try await planner.add("Zelda Quixote", "zelda@example.org")
                for part in ["zelda", "Quixote", "zq", "eld", "person:zelda"] {
                    let refused = await refusal {
                        _ = try await planner.erasePerson(part)
                    }
                    #expect(refused?.code == "partial_name")
                    #expect(refused?.category == .refused)
                    #expect(
                        refused?.candidates.map(\.label)
                            == ["Zelda Quixote · zelda@example.org  (\(zelda.id))"])
                }
                let report = try await planner.erasePerson(who ?? zelda.id)
                #expect(report.id == zelda.id)
            }
        }
    }

    @Test func `The report names databases that restores set aside`() async throws {
        try await withHome { home in
            let planner = try await home.planner()
            let anna = try await planner.add("Anna Korhonen", "anna@example.org")
            let file = home.home.path + "/copy.backup"
            _ = try await planner.backup(to: file, overwriting: false)
            try planner.store.close()
            let restored = try await Planner.restore(try home.surroundings(), from: file)
            let previous = try #require(restored.previous)
            let report = try await home.planner().erasePerson(anna.id)
            #expect(report.copies == [previous])
        }
    }
}
