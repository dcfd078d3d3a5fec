import Foundation
import Glibc
import Ledger
import TestKit
import Testing
import Timekeeping
import Wording

@Suite struct TemplateCatalogTests {
    private static func catalog(own: String = "/nowhere") throws -> TemplateCatalog {
        try TemplateCatalog(
            shipped: Checkout.root + "/templates", own: own, zones: ZoneDirectory())
    }

    @Test func `The catalog has every built-in template`() throws {
        let catalog = try Self.catalog()
        let files = Files.all(in: Checkout.root + "/templates").filter { !$0.hasPrefix("demo/") }
        #expect(files.count > 30)
        #expect(
            catalog.items.map { $0.file.replacing(Checkout.root + "/templates/", with: "") }
                == files)
        #expect(catalog.unused.isEmpty)
        #expect(catalog.items.allSatisfy { !$0.isOwn && $0.fault == nil })
    }

    @Test func `Each template renders a sample or is a part of others`() throws {
        let catalog = try Self.catalog()
        // The pages for people who sign in are filled by the module Web.
        let parts = catalog.items.map(\.name).filter {
            !$0.hasPrefix("web/") && catalog.rendered($0) == nil
        }
        let translated = parts.filter { $0.hasPrefix("de/") }
        #expect(translated.map { String($0.dropFirst(3)) } == parts.filter { !$0.hasPrefix("de/") })
        #expect(
            parts.filter { !$0.hasPrefix("de/") } == [
                "chat/facts", "html/buttons", "html/facts", "html/foot", "html/head",
                "html/note", "html/quote", "page/foot", "page/head", "text/buttons", "text/facts",
                "text/stop",
            ])
        for item in catalog.items
        where !parts.contains(item.name) && !item.name.hasPrefix("web/") {
            let text = try #require(catalog.rendered(item.name))
            #expect(!text.isEmpty && !text.contains("{{"), "\(item.name)")
        }
        for name in ["", "text", "text/", "text/none", "html/alarm", "/text/reminder", "a/b/c"] {
            #expect(catalog.rendered(name) == nil)
        }
    }

    @Test func `A sample shows times in the reader's time zone`() throws {
        let catalog = try Self.catalog()
        let tokyo = try ZoneDirectory().zone("Asia/Tokyo")
        #expect(catalog.rendered("text/invitation")?.contains("08:00") == true)
        let text = try #require(catalog.rendered("text/invitation", in: tokyo))
        #expect(text.contains("17:00") && text.contains("(Asia/Tokyo)"))
    }

    @Test func `A part that includes itself is ignored`() async throws {
        try await withTemporaryFolder { folder in
            for part in ["text/facts", "html/head", "page/head"] {
                let name = part.split(separator: "/")[1]
                try Files.write("{{> \(name)}}", to: "\(folder)/\(part).mustache")
            }
            let catalog = try Self.catalog(own: folder)
            #expect(catalog.items.compactMap(\.fault).count == 3)
            #expect(catalog.rendered("text/reminder")?.contains("When:") == true)
        }
    }

    @Test func `A byte order mark before a template is no part of it`() async throws {
        try await withTemporaryFolder { folder in
            try Files.write("\u{FEFF}Come!\n\nSoon.\n", to: folder + "/text/reminder.mustache")
            let catalog = try Self.catalog(own: folder)
            #expect(catalog.items.compactMap(\.fault).isEmpty)
            let text = try #require(catalog.rendered("text/reminder"))
            #expect(text.hasPrefix("Come!"))
        }
    }

    @Test func `A template in UTF-16 is reported with the reason`() async throws {
        try await withTemporaryFolder { folder in
            let path = folder + "/text/reminder.mustache"
            try Files.write("x", to: path)
            try Data([0xFF, 0xFE, 0x43, 0]).write(to: URL(filePath: path))
            let faults = try Self.catalog(own: folder).items.compactMap(\.fault)
            #expect(faults.count == 1 && "\(faults[0])".contains("is UTF-16 text"))
        }
    }

    @Test func `A template that is not a regular file is reported without blocking`() async throws {
        try await withTemporaryFolder { folder in
            try Files.write("x", to: folder + "/text/x")
            try FileManager.default.createSymbolicLink(
                atPath: folder + "/text/nudge.mustache", withDestinationPath: "/nowhere/at/all")
            #expect(mkfifo(folder + "/text/reminder.mustache", 0o600) == 0)
            try FileManager.default.createDirectory(
                atPath: folder + "/html/reminder.mustache", withIntermediateDirectories: true)
            try FileManager.default.createSymbolicLink(
                atPath: folder + "/text/link.mustache",
                withDestinationPath: Checkout.root + "/templates/text/link.mustache")
            let catalog = try Self.catalog(own: folder)
            let faults = catalog.items.compactMap(\.fault)
            #expect(
                faults.map(\.reason) == Array(repeating: "the template cannot be read.", count: 3))
            #expect(catalog.rendered("text/reminder")?.contains("When:") == true)
        }
    }

    @Test func `Broken custom templates and unused files are reported`() async throws {
        try await withTemporaryFolder { folder in
            try Files.write("Ours\n\nCome to {{title}}.\n", to: folder + "/text/nudge.mustache")
            try Files.write("Ours\n\n{{titel}}\n", to: folder + "/text/reminder.mustache")
            try Files.write("x", to: folder + "/text/reminders.mustache")
            try Files.write("x", to: folder + "/invitation.mustache")
            try Files.write("x", to: folder + "/text/.reminder.swp")
            let catalog = try Self.catalog(own: folder)
            #expect(catalog.unused == ["invitation.mustache", "text/reminders.mustache"])
            let own = catalog.items.filter(\.isOwn)
            #expect(own.map(\.name) == ["text/nudge", "text/reminder"])
            #expect(own.map { $0.fault?.line } == [nil, 3])
            #expect(catalog.rendered("text/nudge")?.contains("Come to Sample meeting") == true)
            #expect(catalog.rendered("text/reminder")?.contains("Reminder: ") == true)
        }
    }
}
