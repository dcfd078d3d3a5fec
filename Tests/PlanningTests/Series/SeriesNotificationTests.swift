import Agenda
import Ledger
import Planning
import TestKit
import Testing
import Timekeeping

/// The texts of notifications about a series and about single dates.
@Suite struct SeriesNotificationTests {
    /// The notifications that Anna gets for lunches on Fridays: the invitation, and those that
    /// follow from `body`.
    private func told(
        language: String? = nil, _ body: (Planner) async throws -> Void
    ) async throws -> [String] {
        try await withTemporaryHome { world in
            let planner = try await world.planner()
            var contact = ContactEdit()
            contact.name = "Anna"
            contact.emails = ["anna@example.org"]
            contact.language = language
            _ = try await planner.addPerson(contact)
            var request = MeetingRequest.lunch(with: "Anna", start: "2026-12-04T12:00")
            request.repetition = "weekly, 4 times"
            request.reminders = []
            try await planner.create(request)
            let first = try await world.deliver()
            try await body(planner)
            let then = try await world.deliver()
            return (first + then).compactMap { line in
                guard let subject = line["subject"] as? String, let text = line["text"] as? String
                else { return nil }
                return "\(subject)\n\(text)"
            }
        }
    }

    @Test func `The invitation shows the repetition, and a change also the old one`() async throws {
        let told = try await told { planner in
            _ = try await planner.edit("Lunch") { $0.repetition = "daily, 3 times" }
        }
        try #require(told.count == 2)
        #expect(told[0].contains("\nRepeats:    every week, 4 times\n"))
        #expect(told[1].contains("Repeats\n  Was: every week, 4 times\n"))
        #expect(told[1].contains("  Now: every day, 3 times\n"))
        #expect(!told[1].contains("When\n"))
    }

    @Test func `A change of one date names that date`() async throws {
        let told = try await told { planner in
            _ = try await planner.cancelMeeting("Lunch", on: "2026-12-11", saving: true)
            _ = try await planner.edit("Lunch") {
                $0.date = "2026-12-18"
                $0.start = "2026-12-19T15:00"
            }
        }.dropFirst().sorted()
        try #require(told.count == 2)
        #expect(told[0].hasPrefix("Cancelled: Lunch, Fri 11 December 2026\n"))
        #expect(told[0].contains("cancelled Lunch on Fri 11 December 2026."))
        #expect(!told[0].contains("Repeats:"))
        #expect(told[1].hasPrefix("Changed: Lunch, Fri 18 December 2026\n"))
        #expect(told[1].contains("When\n  Was: Fri 18 December 2026, 12:00"))
        #expect(told[1].contains("  Now: Sat 19 December 2026, 15:00"))
    }

    @Test func `The texts are translated into German`() async throws {
        let told = try await told(language: "de") { planner in
            _ = try await planner.cancelMeeting("Lunch", on: "2026-12-11", saving: true)
        }
        try #require(told.count == 2)
        #expect(told[0].contains("\nWiederholung: jede Woche, 4 Mal\n"))
        #expect(told[1].hasPrefix("Abgesagt: Lunch, Fr, 11. Dezember 2026\n"))
    }

    @Test(arguments: [
        (
            "en",
            [
                "  Now: every Friday, 3 times",
                "Exception:  Fri 11 December 2026 → cancelled",
                "Exception:  Fri 18 December 2026 → Sat 19 December 2026, 15:00–16:00 "
                    + "(Europe/Helsinki), Park",
            ]
        ),
        (
            "de",
            [
                "  Jetzt:  jeden Freitag, 3 Mal",
                "Ausnahme:     Fr, 11. Dezember 2026 → fällt aus",
                "Ausnahme:     Fr, 18. Dezember 2026 → Sa, 19. Dezember 2026, 15:00–16:00 "
                    + "(Europe/Helsinki), Park",
            ]
        ),
    ])
    func `A change of the whole series lists the exceptions`(
        _ language: String, _ lines: [String]
    ) async throws {
        let told = try await told(language: language) { planner in
            _ = try await planner.cancelMeeting("Lunch", on: "2026-12-11", saving: true)
            _ = try await planner.edit("Lunch") {
                $0.date = "2026-12-18"
                $0.start = "2026-12-19T15:00"
                $0.place = "Park"
            }
            _ = try await planner.edit("Lunch") { $0.repetition = "every friday, 3 times" }
        }
        try #require(told.count == 2)
        for line in lines { #expect("\(told[1])\n".contains("\n\(line)\n")) }
    }
}
