import Agenda
import Foundation
import Ledger
import TestKit
import Testing
import Timekeeping

@testable import Wording

@Suite struct LanguageTests {
    private static let templates = Checkout.root + "/templates"

    private static func library(standard: Language = .english) throws -> TemplateLibrary {
        try TemplateLibrary(
            shipped: templates, own: "/nonexistent", zones: ZoneDirectory(), standard: standard)
    }

    @Test(arguments: [
        ("de", Language.german), ("de-AT", .german), ("DE_ch", .german), ("en-GB", .english),
    ])
    func `A tag of a known language gives that language`(tag: String, language: Language) {
        #expect(Language(tag: tag) == language)
    }

    @Test(arguments: ["", "fi", "d", "deutsch", "-de", "de "])
    func `A tag of another language gives none`(tag: String) {
        #expect(Language(tag: tag) == nil)
    }

    /// The Mustache tags of a template. A translation must have the same ones.
    private static func tags(_ file: String) throws -> Set<String> {
        let text = try String(contentsOfFile: "\(templates)/\(file)", encoding: .utf8)
        return Set(text.matches(of: /\{\{[^}]*\}\}/).map { String($0.output) })
    }

    @Test func `Each language has the templates and tags of English`() throws {
        let files = TemplateLibrary.files + GuestPages.files
        for language in Language.allCases where language != .english {
            for file in files where file.hasPrefix(language.folder) {
                let english = String(file.dropFirst(language.folder.count))
                #expect(try Self.tags(file) == Self.tags(english), "\(file)")
            }
            #expect(files.filter { $0.hasPrefix(language.folder) }.count == files.count / 2)
        }
    }

    @Test func `A German notification or page has no English words`() throws {
        let catalog = try TemplateCatalog(
            shipped: Self.templates, own: "/nonexistent", zones: ZoneDirectory())
        let english = [
            " the ", " you", "When", "Where", "Guests", " invites", "Friday", "January", "Maybe",
            "Yes", "going", "Your ", "Map:", "Time there",
        ]
        var count = 0
        for item in catalog.items where item.name.hasPrefix("de/") {
            guard let text = catalog.rendered(item.name) else { continue }
            count += 1
            for word in english {
                // The sample itself is in English.
                let sample = GuestPageFacts.sample
                let plain = ["Sample meeting", sample.when, sample.coming]
                    .reduce(text) { $0.replacing($1, with: "") }
                #expect(!plain.contains(word), "\(item.name): \(word)")
            }
        }
        #expect(count == 20 + 16 + 17 + 4)
    }

    @Test(
        arguments: [
            (1, "in 1 Sekunde"), (60, "in 1 Minute"), (120, "in 2 Minuten"),
            (7200, "in 2 Stunden"), (3600 * 30, "in 30 Stunden"), (86_400 * 2, "in 2 Tagen"),
            (0, "jetzt"), (-5, "jetzt"),
        ] as [(Int64, String)])
    func `A time from now is worded in German`(seconds: Int64, words: String) {
        let now = Moment(seconds: 1_800_000_000)
        #expect(
            TimeWords.distance(from: now, to: now.advanced(bySeconds: seconds), in: .german)
                == words)
    }

    @Test func `Times, counts and answers are worded in German`() throws {
        let start = try Moment.parse("2026-12-01T21:00:00Z")
        let zone = try ZoneDirectory().zone("Europe/Berlin")
        #expect(
            TimeWords.range(
                from: start, to: start.advanced(bySeconds: 7200), in: zone, at: zone,
                .german)
                == "Di, 1. Dezember 2026, 22:00–Mi, 2. Dezember 2026, 00:00 (Europe/Berlin)")
        let turnout = Turnout(answers: AnswerCounts(of: [.going, .maybe, .invited, .declined]))
        #expect(
            AnswerWords.counts(turnout, in: .german)
                == "1 dabei · 1 vielleicht · 1 ohne Antwort · 1 abgesagt")
        let answer = GuestAnswer(name: "Anna", answer: .going, plus: 2)
        #expect(AnswerWords.line(answer, in: .german) == "Anna kommt und bringt 2 Personen mit.")
    }

    @Test(arguments: ["chat/facts", "de/chat/facts", "de/text/facts"])
    func `A custom part that is empty does not stop notifications`(name: String) async throws {
        try await withTemporaryFolder { own in
            let file = "\(own)/\(name).mustache"
            try FileManager.default.createDirectory(
                atPath: String(file.prefix(upTo: file.lastIndex(of: "/") ?? file.endIndex)),
                withIntermediateDirectories: true)
            try "{{#place}}{{place}}{{/place}}".write(
                toFile: file, atomically: true, encoding: .utf8)
            let library = try TemplateLibrary(
                shipped: Self.templates, own: own, zones: ZoneDirectory())
            let bare = NotificationFacts.sample(.link, isBare: true)
            #expect(!library.notification(bare, as: .chat).text.isEmpty)
            #expect(library.faults.allSatisfy { $0.file == file })
        }
    }

    @Test(arguments: ["fi", "", "x"])
    func `A tag without texts is refused with the known ones`(tag: String) {
        let known = "Choose one of en (English), de (German)."
        #expect(Language.fault(of: tag)?.hasSuffix(known) == true)
        #expect(Language.fault(of: "de-AT") == nil)
    }

    @Test func `A person without a known language gets the language of the installation`() throws {
        let library = try Self.library(standard: .german)
        let facts = { (language: String?) in
            let reader = Person(id: PersonID(text: "anna"), name: "Anna", language: language)
            let sample = NotificationFacts.sample(.invitation, isBare: false)
            return NotificationFacts(
                kind: .invitation, meeting: sample.meeting, organizer: sample.organizer,
                reader: reader, turnout: sample.turnout, before: nil, body: nil, now: sample.now)
        }
        #expect(library.notification(facts(nil)).subject.hasPrefix("Einladung:"))
        #expect(library.notification(facts("fi")).subject.hasPrefix("Einladung:"))
        #expect(library.notification(facts("en")).subject.hasPrefix("Invitation:"))
        #expect(
            library.page(of: library.notification(facts("en")), facts("en")).contains("lang=\"en\"")
        )
        #expect(
            library.page(of: library.notification(facts(nil)), facts(nil)).contains("lang=\"de\""))
    }
}
