import Agenda
import Foundation
import Ledger
import NIOCore
import NIOHTTP1
import Planning
import Settings
import Storage
import TestKit
import Testing
@testable import Web

/// The pictures of contacts on the pages.
@Suite(.timeLimit(.minutes(5))) struct PersonPictureTests {
    private let picture = ContactPicture(
        small: Data([0xFF, 0xD8, 0xFF, 1]), large: Data([0xFF, 0xD8, 0xFF, 2]))

    private func add(_ name: String, to planner: Planner) async throws -> Person {
        var edit = ContactEdit()
        (edit.name, edit.emails) = (name, ["\(name.lowercased())@example.org"])
        let view: PersonView = try await planner.addPerson(edit)
        return try await planner.contact(withID: view.id).person
    }

    @Test func `A list shows the picture of a contact, and initials of the others`() async throws {
        try await TestSite.with { site in
            let anna: Person = try await add("Anna", to: site.planner)
            _ = try await add("Ben", to: site.planner)
            _ = try await site.planner.store.setPicture(
                picture, of: anna.id, owner: site.planner.owner.id)
            let page: PageAnswer = try await site.browser().open("/people")
            #expect(page.text.contains("people/\(anna.id.text)/picture?size"))
            #expect(page.text.contains(">B</span>"))
        }
    }

    @Test func `A picture is JPEG, kept by the browser alone, and known by its tag`() async throws {
        try await TestSite.with { site in
            let anna: Person = try await add("Anna", to: site.planner)
            _ = try await site.planner.store.setPicture(
                picture, of: anna.id, owner: site.planner.owner.id)
            let path = "/people/\(anna.id.text)/picture"
            let page: PageAnswer = try await site.browser().open(path)
            #expect(page.status == .ok && page.mediaType == "image/jpeg")
            #expect(page.field("Cache-Control") == "private, max-age=3600")
            #expect(page.field("ETag") == "\"\(picture.name)-96\"")
            #expect(Array(page.body.readableBytesView) == Array(picture.small))
            let large: PageAnswer = try await site.browser().open(path + "?size=256")
            #expect(Array(large.body.readableBytesView) == Array(picture.large))
        }
    }

    @Test func `Only the owner of the address book sees a picture`() async throws {
        try await TestSite.with { site in
            let anna: Person = try await add("Anna", to: site.planner)
            _ = try await add("Mia", to: site.planner)
            _ = try await site.planner.store.setPicture(
                picture, of: anna.id, owner: site.planner.owner.id)
            let path = "/people/\(anna.id.text)/picture"
            let mia: PageAnswer = try await site.browser(of: "Mia").open(path)
            #expect(mia.status == .notFound)
            let stranger: PageAnswer = await site.stranger.open(path)
            #expect(stranger.status == .seeOther)
        }
    }

    @Test func `A contact without a picture has no content there`() async throws {
        try await TestSite.with { site in
            let anna: Person = try await add("Anna", to: site.planner)
            let page: PageAnswer = try await site.browser().open(
                "/people/\(anna.id.text)/picture")
            #expect(page.status == .noContent)
        }
    }

    @Test func `A file that is no picture is refused beside the form`() async throws {
        try await TestSite.with { site in
            let anna: Person = try await add("Anna", to: site.planner)
            let path = site.world.home.path + "/upload"
            try "no picture".write(toFile: path, atomically: true, encoding: .utf8)
            var form = ReceivedForm()
            form.files = [UploadedFile(field: "picture", name: "a.jpg", path: path)]
            let cookie = try await site.browser().cookie ?? ""
            let fields = [
                "Host": "localhost:8420", "Accept": "text/html", "Cookie": cookie,
                "Sec-Fetch-Site": "same-origin",
            ]
            let head = HTTPRequestHead(
                version: .http1_1, method: .POST, uri: "/people/\(anna.id.text)/picture",
                headers: HTTPHeaders(fields.map { ($0.key, $0.value) }))
            let page: PageAnswer = await site.responder.answer(to: head, form: form)
            #expect(page.status == .badRequest)
            #expect(page.text.contains("id=\"picture-fault\""))
            let name = try await site.planner.store.pictureName(
                of: anna.id, owner: site.planner.owner.id)
            #expect(name == nil)
        }
    }
}
