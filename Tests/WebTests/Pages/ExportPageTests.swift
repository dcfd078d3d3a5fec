import Agenda
import Foundation
import Ledger
import NIOHTTP1
import Planning
import Settings
import Storage
import TestKit
import Testing

@testable import Web

/// The download of everything that belongs to an account.
@Suite(.timeLimit(.minutes(5))) struct ExportPageTests {
    private func files(_ page: PageAnswer) throws -> [String: String] {
        let files = try ZipArchiveTests.files(in: page.body)
        return Dictionary(files.map { ($0.name, $0.text) }) { first, _ in first }
    }

    @Test func `An account downloads its own address book, calendar and meetings`() async throws {
        try await TestSite.with { site in
            try await site.planner.add("Anna", "anna@example.org")
            try await site.plan("Chess", with: ["Anna", "ben@example.org"])
            let browser = try await site.browser()
            let me = await browser.open("/me").text
            #expect(me.contains("action=\"/me/export.zip\"") && me.contains("Download everything"))
            let page = await browser.submit("/me/export.zip", "")
            #expect(page.status == .ok && page.mediaType == "application/zip")
            #expect(page.field("Cache-Control") == "no-store")
            #expect(
                page.field("Content-Disposition")
                    == "attachment; filename=\"letsmeet-2026-12-01.zip\"")
            let files: [String: String] = try files(page)
            #expect(
                files.keys.sorted() == [
                    "calendar.ics", "circles.json", "deliveries.json", "follows.json",
                    "meetings.json", "people.json", "people.vcf", "places.json", "profile.json",
                ])
            #expect(files["people.vcf"]?.contains("FN:Anna") == true)
            #expect(files["calendar.ics"]?.contains("SUMMARY:Chess") == true)
            #expect(files["meetings.json"]?.contains("\"title\":\"Chess\"") == true)
            #expect(files["deliveries.json"]?.contains("invitation") == true)
            #expect(files["circles.json"] == "[\n]\n")
        }
    }

    @Test func `A download holds nothing of meetings and people of others`() async throws {
        try await TestSite.with { site in
            try await site.planner.add("Mia", "mia@example.org")
            try await site.planner.add("Anna", "anna@example.org")
            try await site.planner.add("Ben", "ben@example.org")
            try await site.plan("Secret", with: ["Mia"])
            try await site.plan("Chess", with: ["Anna", "Ben"])
            let anna = try await site.browser(of: "Anna")
            let page = await anna.submit("/me/export.zip", "")
            let files: [String: String] = try files(page)
            let all = files.values.joined()
            #expect(all.contains("Chess") && !all.contains("Secret"))
            #expect(!all.contains("mia@example.org") && !all.contains("ben@example.org"))
        }
    }

    @Test func `The owner downloads only meetings of their own`() async throws {
        let settings: [SettingName: String] = [
            .sinks: "stdout", .ownerAddress: "olga@example.org",
        ]
        try await TestSite.with(settings: settings) { site in
            try await site.planner.add("Anna", "anna@example.org")
            try await site.planner.add("Ben", "ben@example.org")
            let anna = site.planner.acting(as: try await site.planner.knownPerson(named: "Anna"))
            for (title, guests) in [
                ("Private", ["mia@example.org"]),
                ("Shared", ["olga@example.org", "kim@example.org"]),
            ] {
                var request = MeetingRequest()
                (request.title, request.with, request.start) = (title, guests, "2026-12-05T18:00")
                _ = try await anna.createMeeting(request, saving: true)
            }
            let browser = try await site.browser()
            let page = await browser.submit("/me/export.zip", "")
            let files: [String: String] = try files(page)
            let meetings = try #require(files["meetings.json"])
            #expect(meetings.contains("Shared") && !meetings.contains("Private"))
            // What others were told about a meeting of somebody else is not the owner's own.
            #expect(files["deliveries.json"]?.contains("kim@example.org") == false)
        }
    }

    @Test func `Who signed in long ago signs in again before the download`() async throws {
        try await TestSite.with { site in
            let browser = try await site.browser()
            site.world.clock.advance(bySeconds: 3600)
            let page = await browser.submit("/me/export.zip", "")
            #expect(page.field("Location") == "/sign-in?next=%2Fme&again=1")
            let forged = await browser.submit(
                "/me/export.zip", "", [("Sec-Fetch-Site", "cross-site")])
            #expect(forged.status == .forbidden)
        }
    }

    @Test func `A download has the pictures of contacts`() async throws {
        try await TestSite.with { site in
            let person = try await site.planner.add("Anna", "anna@example.org").id
            let picture = ContactPicture(small: Data("small".utf8), large: Data("large".utf8))
            _ = try await site.planner.store.setPicture(
                picture, of: PersonID(text: person), owner: site.planner.owner.id)
            let page = try await site.browser().submit("/me/export.zip", "")
            let files: [String: String] = try files(page)
            #expect(files["picture-\(person).jpg"] == "large")
            #expect(files["people.json"]?.contains("\"id\":\"\(person)\"") == true)
        }
    }
}
