import Agenda
import Calendars
import Planning

/// The use cases with names in place of people, as the command line resolves them.
extension Planner {
    func addFeed(
        of who: String?, hasAlarms: Bool, isBusyOnly: Bool = false
    ) async throws -> FeedOutcome {
        let subject =
            if let who { try await feedSubject(named: who) } else { FeedSubject.person(actor) }
        return try await addFeed(of: subject, hasAlarms: hasAlarms, isBusyOnly: isBusyOnly)
    }

    func addBusyCalendar(at address: String, of who: String?) async throws -> BusyCalendarView {
        try await addBusyCalendar(at: address, of: try await holder(who))
    }

    func importBusyCalendar(_ path: String, of who: String?) async throws -> BusyCalendarView {
        try await importBusyCalendar(path, of: try await holder(who))
    }

    private func holder(_ who: String?) async throws -> Person {
        guard let who else { return actor }
        return try await person(named: who)
    }
}
