import Agenda
import Foundation
import Ledger
import NIOCore
import NIOHTTP1
import Planning
import Secrets
import Settings
import Storage
import TestKit
import Testing

@testable import Web

/// The picture that people with accounts choose for themselves, and pictures on other pages.
@Suite(.timeLimit(.minutes(5))) struct OwnPicturePageTests {
    private let picture = ContactPicture(
        small: Data([0xFF, 0xD8, 0xFF, 1]), large: Data([0xFF, 0xD8, 0xFF, 2]))

    /// A site on which Anna, Ben and Mia have accounts. Anna and Ben are invited to a meeting, and
    /// Anna has a picture.
    private func withAnna(
        _ body: (_ site: TestSite, _ anna: Person, _ meeting: String) async throws -> Void
    ) async throws {
        try await TestSite.with { site in
            for name in ["Anna", "Ben", "Mia"] {
                _ = try await site.planner.add(name, "\(name.lowercased())@example.org")
                _ = try await site.browser(of: name)
            }
            let anna: Person = try await site.planner.knownPerson(named: "Anna")
            _ = try await site.planner.store.setOwnPicture(picture, of: anna.id)
            let id: String = try await site.plan(with: ["Anna", "Ben"]).id
            try await body(site, anna, id)
        }
    }

    @Test func `The page of the account shows the picture, and removes it`() async throws {
        try await withAnna { site, anna, _ in
            let browser = try await site.browser(of: "Anna")
            let page: String = await browser.open("/me").text
            #expect(page.contains("src=\"/me/picture?size=256"))
            #expect(page.contains("action=\"/me/picture\"") && page.contains("Your picture"))
            #expect(page.contains("value=\"remove\">Remove the picture"))
            let shown: PageAnswer = await browser.open("/me/picture?size=256")
            #expect(shown.status == .ok && shown.mediaType == "image/jpeg")
            #expect(shown.field("Cache-Control") == "private, max-age=3600")
            #expect(Array(shown.body.readableBytesView) == Array(picture.large))
            let known: PageAnswer = await browser.open(
                "/me/picture?size=256", [("If-None-Match", shown.field("ETag"))])
            #expect(known.status == .notModified)
            let removed: PageAnswer = await browser.submit("/me/picture", "do=remove")
            #expect(removed.field("Location") == "/me?saved=me")
            let after: String = await browser.open("/me").text
            #expect(!after.contains("<img") && after.contains(">A</span>"))
            #expect(site.planner.store.ownPictures(of: [anna.id]).isEmpty)
        }
    }

    @Test func `A form without a file, or with one that is no picture, changes nothing`()
        async throws
    {
        try await withAnna { site, anna, _ in
            let browser = try await site.browser(of: "Anna")
            let empty: PageAnswer = await browser.submit("/me/picture", "do=save")
            #expect(empty.field("Location") == "/me?saved=nofile")
            let path = site.world.home.path + "/upload"
            try "no picture".write(toFile: path, atomically: true, encoding: .utf8)
            var form = ReceivedForm()
            form.files = [UploadedFile(field: "picture", name: "a.jpg", path: path)]
            let fields = [
                "Host": "localhost:8420", "Accept": "text/html",
                "Cookie": browser.cookie ?? "", "Sec-Fetch-Site": "same-origin",
            ]
            let head = HTTPRequestHead(
                version: .http1_1, method: .POST, uri: "/me/picture",
                headers: HTTPHeaders(fields.map { ($0.key, $0.value) }))
            let page: PageAnswer = await site.responder.answer(to: head, form: form)
            #expect(page.status == .badRequest && page.text.contains("id=\"picture-fault\""))
            #expect(site.planner.store.ownPictureFile(of: anna.id, .small) == picture.small)
        }
    }

    @Test func `The people in a meeting see the picture, and nobody else`() async throws {
        try await withAnna { site, anna, meeting in
            let path = "/m/\(meeting)/picture?guest=\(anna.id.text)"
            let ben = try await site.browser(of: "Ben")
            let page: String = await ben.open("/m/\(meeting)").text
            #expect(page.contains("src=\"/m/\(meeting)/picture?guest=\(anna.id.text)"))
            #expect(page.contains(">B</span>"))
            let shown: PageAnswer = await ben.open(path)
            #expect(shown.status == .ok)
            #expect(Array(shown.body.readableBytesView) == Array(picture.small))
            let mia = try await site.browser(of: "Mia")
            #expect(await mia.open(path).status == .notFound)
            #expect(await site.stranger.open(path).status == .seeOther)
        }
    }

    @Test func `The page of a meeting shows no picture of somebody who is not in it`()
        async throws
    {
        try await withAnna { site, anna, _ in
            let other: String = try await site.plan("Chess", with: ["Ben"]).id
            let ben = try await site.browser(of: "Ben")
            let path = "/m/\(other)/picture?guest=\(anna.id.text)"
            #expect(await ben.open(path).status == .notFound)
        }
    }

    @Test func `A picture of the reader's address book comes first, and only they see it`()
        async throws
    {
        try await withAnna { site, anna, meeting in
            let ben: Person = try await site.planner.knownPerson(named: "Ben")
            for person in [anna, ben] {
                _ = try await site.planner.store.setPicture(
                    picture, of: person.id, owner: site.planner.owner.id)
            }
            let olga: String = try await site.browser().open("/m/\(meeting)").text
            #expect(olga.contains("src=\"/people/\(anna.id.text)/picture?size=96"))
            #expect(olga.contains("src=\"/people/\(ben.id.text)/picture?size=96"))
            let annas: String = try await site.browser(of: "Anna").open("/m/\(meeting)").text
            #expect(!annas.contains("src=\"/people/"))
            #expect(annas.contains("src=\"/m/\(meeting)/picture?guest=\(anna.id.text)"))
        }
    }

    @Test func `Circles and the comparison of a merge show pictures`() async throws {
        try await withAnna { site, anna, _ in
            _ = try await site.planner.store.setPicture(
                picture, of: anna.id, owner: site.planner.owner.id)
            try await site.planner.addCircle("Choir", members: ["Anna", "Ben"])
            let browser = try await site.browser()
            let source = "src=\"/people/\(anna.id.text)/picture?size=96"
            let circle: String = await browser.open("/circles/Choir").text
            #expect(circle.contains(source) && circle.contains(">B</span>"))
            let zoe: String = try await site.planner.add("Anna Zoe", "zoe@example.org").id
            let merge: String = await browser.open("/people/\(zoe)/merge?with=\(anna.id.text)").text
            #expect(merge.contains(source) && merge.contains(">AZ</span>"))
            #expect(merge.contains("stays") && merge.contains("is merged"))
            let found: String = await browser.open("/people/\(zoe)/merge?q=Anna").text
            #expect(found.contains(source))
        }
    }

    @Test func `The page of a guest without an account shows no pictures`() async throws {
        try await GuestSite.with { site in
            let planner = site.planner
            let ticket = try await planner.openTicket(for: planner.owner)
            _ = try await planner.enter(by: ticket.text, device: "A test")
            let isSet: Bool = try await planner.store.setOwnPicture(picture, of: planner.owner.id)
            #expect(isSet)
            let page: PageAnswer = await site.ask(try await site.link("anna@example.org"))
            #expect(page.status == .ok)
            #expect(!page.text.contains("<img") && !page.text.contains("/picture"))
        }
    }

    @Test func `The download of an account has its own picture`() async throws {
        try await withAnna { site, _, _ in
            let browser = try await site.browser(of: "Anna")
            let page: PageAnswer = await browser.submit("/me/export.zip", "")
            let names: [String] = try ZipArchiveTests.files(in: page.body).map(\.name)
            #expect(names.contains("picture-own.jpg"))
        }
    }
}
