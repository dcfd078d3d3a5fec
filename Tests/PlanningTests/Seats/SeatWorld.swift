import Agenda
import Ledger
import Planning
import Storage
import TestKit

/// An organizer with an open meeting, and accounts that can join it.
struct SeatWorld: Sendable {
    let world: TestWorld
    let olga: Planner
    var meeting: MeetingID

    /// The planner of an account with this first name.
    func planner(_ name: String) async throws -> Planner {
        try await world.planner(actingAs: name)
    }

    /// Runs a test with the accounts Anna, Ben and Carl, and a meeting of the owner.
    static func run(
        _ edit: (inout SeatingEdit) -> Void = { _ in }, with invited: [String] = [],
        repeating rule: String? = nil, _ body: (SeatWorld) async throws -> Void
    ) async throws {
        try await withTemporaryHome { world in
            let olga = try await world.planner()
            for name in ["Anna Aalto", "Ben Berg", "Carl Cole"] {
                let first = name.prefix { $0 != " " }.lowercased()
                let person = try await olga.add(name, "\(first)@example.org")
                _ = try await olga.store.addAccount(
                    Account(
                        of: PersonID(text: person.id), as: .member,
                        madeAt: world.clock.now))
            }
            var request = MeetingRequest()
            request.title = "Games"
            request.start = "2026-12-12 18:00"
            request.link = "https://example.org/call"
            request.with = invited
            if let rule { request.repetition = rule }
            var seating = SeatingEdit()
            seating.audience = "public"
            edit(&seating)
            request.seating = seating
            let made = try await olga.create(request)
            try await body(
                SeatWorld(
                    world: world, olga: olga, meeting: MeetingID(text: made.meeting.id)))
        }
    }

    func join(_ name: String, plus: Int = 0, on date: String? = nil) async throws -> SeatOutcome {
        try await planner(name).join(meeting, on: date, plus: plus, saving: true)
    }

    func leave(_ name: String, on date: String? = nil) async throws -> SeatOutcome {
        try await planner(name).leave(meeting, on: date, saving: true)
    }

    /// The code of the refusal of joining; `nil` if it succeeds.
    func refusalToJoin(_ name: String, plus: Int = 0) async -> String? {
        await refusal { _ = try await join(name, plus: plus) }?.code
    }

    /// The rows of the ledger about the meeting, as "kind name mark".
    func told(_ kinds: NotificationKind...) async throws -> [String] {
        let bundle = try await olga.store.meetingBundle(meeting)
        return (bundle?.rows ?? []).filter {
            kinds.contains($0.key.notification.kind) && $0.state != .superseded
        }.map { row in
            let person = row.key.notification.receiver.person.map { PersonID(text: $0) }
            let name = person.flatMap { bundle?.people[$0]?.name } ?? "?"
            return "\(row.key.notification.kind.rawValue) \(name)"
        }.sorted()
    }
}
