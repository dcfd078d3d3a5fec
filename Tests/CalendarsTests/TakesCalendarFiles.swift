import Calendars
import Foundation
import Planning
import Settings
import TestKit

/// A test suite that imports calendar files and reads exported ones.
protocol TakesCalendarFiles {}

extension TakesCalendarFiles {
    func file(_ events: String..., head: String...) -> String {
        (["BEGIN:VCALENDAR", "VERSION:2.0"] + head + events + ["END:VCALENDAR", ""])
            .joined(separator: "\n")
    }

    /// Imports a file with the given text.
    func take(
        _ text: String, _ planner: Planner, in world: TestWorld
    ) async throws -> CalendarImportReport {
        let path = world.home.path + "/calendar.ics"
        try text.write(toFile: path, atomically: true, encoding: .utf8)
        return try await planner.importCalendars([path])
    }

    /// Imports a file with the given text for a person in a time zone.
    func withImport(
        of text: String, in zone: String,
        _ check: (Planner, CalendarImportReport) async throws -> Void
    ) async throws {
        try await withTemporaryHome { world in
            let planner = try await world.planner(tz: zone)
            try await check(planner, try await take(text, planner, in: world))
        }
    }

    func exported(_ planner: Planner) async throws -> [String] {
        String(decoding: try await planner.exportCalendar(), as: UTF8.self)
            .replacingOccurrences(of: "\r\n ", with: "")
            .split(separator: "\r\n").map(String.init)
    }

    func event(_ uid: String, _ lines: String...) -> String {
        (["BEGIN:VEVENT", "UID:\(uid)", "SUMMARY:\(uid)"] + lines + ["END:VEVENT"])
            .joined(separator: "\n")
    }
}
