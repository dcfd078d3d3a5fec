import Agenda
import Foundation
import NIOHTTP1
import Operations
import Planning
import Settings
import Synchronization
import TestKit
import Testing

@testable import Web

/// Making a backup on a page.
@Suite(.timeLimit(.minutes(5))) struct BackupPageTests {
    private static func files(of site: TestSite) -> [String] {
        (try? FileManager.default.contentsOfDirectory(atPath: site.world.home.backups)) ?? []
    }

    @Test func `The owner makes a backup, which is verified, listed and private`() async throws {
        try await TestSite.with { site in
            let browser = try await site.browser()
            #expect(await browser.open("/me").text.contains("href=\"/me/backup\""))
            #expect(await browser.open("/me/backup").text.contains("No backups yet."))
            let answer = await browser.submit("/me/backup", "")
            #expect(answer.field("Location") == "/me/backup")
            await site.site.backups.ended()
            let page = await browser.open("/me/backup")
            let name: String = try #require(Self.files(of: site).first)
            #expect(page.text.contains("The backup was made and verified: \(name), "))
            #expect(page.text.contains("<li><bdi>\(name)</bdi>"))
            #expect(page.text.contains("Whoever has the file can read all of it."))
            #expect(page.field("Cache-Control") == "no-store")
            let path = "\(site.world.home.backups)/\(name)"
            let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions]
            #expect(mode as? Int == 0o600)
        }
    }

    @Test func `A backup shows how far it is, goes on without its page, and can be cancelled`()
        async throws
    {
        try await TestSite.with { site in
            let (planner, backups) = (site.planner, site.site.backups)
            let isOpen = Atomic<Bool>(false)
            backups.start(for: planner.owner.id) { mayGoOn in
                _ = mayGoOn(3 << 20, 40 << 20)
                while !isOpen.load(ordering: .relaxed) { await Task.yield() }
                return try await BackupFolder(of: planner).backUp(planner, mayGoOn: mayGoOn)
            }
            while true {
                if case .running(let done, _, _) = backups.phase, done > 0 { break }
                await Task.yield()
            }
            let browser = try await site.browser()
            let page = await browser.open("/me/backup").text
            #expect(page.contains("3,072 KB of 40 MB are copied."))
            #expect(page.contains("data-topics=\"t/backup me\""))
            #expect(!page.contains("Make a backup now"))
            _ = await browser.submit("/me/backup/cancel", "")
            #expect(await browser.open("/me/backup").text.contains("Stopping."))
            isOpen.store(true, ordering: .relaxed)
            await backups.ended()
            let end = await browser.open("/me/backup").text
            #expect(end.contains("The backup was cancelled. It left no file."))
            #expect(Self.files(of: site).isEmpty)
        }
    }

    @Test func `A backup that fails says why, and the next may succeed`() async throws {
        try await TestSite.with { site in
            let browser = try await site.browser()
            let folder = site.world.home.backups
            try "in the way".write(toFile: folder, atomically: true, encoding: .utf8)
            _ = await browser.submit("/me/backup", "")
            await site.site.backups.ended()
            let page = await browser.open("/me/backup").text
            #expect(page.contains("cannot be created"))
            try FileManager.default.removeItem(atPath: folder)
            _ = await browser.submit("/me/backup", "")
            await site.site.backups.ended()
            #expect(Self.files(of: site).count == 1)
        }
    }

    @Test func `Only the owner makes backups, and signs in again after a while`() async throws {
        try await TestSite.with { site in
            try await site.plan(with: ["anna@example.org"])
            let anna = try await site.browser(of: "anna@example.org")
            #expect(await anna.open("/me/backup").status == .forbidden)
            #expect(await anna.submit("/me/backup", "").status == .forbidden)
            #expect(await anna.submit("/me/backup/cancel", "").status == .forbidden)
            #expect(!(await anna.open("/me")).text.contains("/me/backup"))
            let browser = try await site.browser()
            site.world.clock.advance(bySeconds: 3600)
            let late = await browser.submit("/me/backup", "")
            #expect(late.field("Location") == "/sign-in?next=%2Fme%2Fbackup&again=1")
            #expect(Self.files(of: site).isEmpty)
        }
    }
}
