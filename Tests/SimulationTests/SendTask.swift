import Agenda
import Ledger
import Planning
import Storage
import Synchronization
import TestKit
import Timekeeping

@testable import Notifications

/// One life of a meeting, from the invitation to the last word: the scenario in which each call
/// fails once. What fails is done again, as a person would.
struct SendTask {
    let world: TestWorld
    /// What sends, and what writes.
    let parts: DeliveryEngine.Parts

    /// Lives through it, by a planner that is there or by one of its own.
    ///
    /// - Returns: the errors that somebody saw.
    func run(_ planner: Planner?) async throws -> [any Error] {
        var errors: [any Error] = []
        let made = planner == nil ? try await again(&errors) { try await world.planner() } : planner
        guard let planner = made else { return errors }
        for name in ["Anna Aalto", "Ben Berg"] {
            try await tell(&errors) {
                var person = ContactEdit()
                person.name = name
                person.emails = ["\(name.prefix(3).lowercased())@example.org"]
                guard try await planner.people().allSatisfy({ $0.name != name }) else { return }
                _ = try await planner.addPerson(person)
            }
        }
        try await tell(&errors) {
            var request = MeetingRequest()
            request.title = "Lunch"
            request.with = ["Anna", "Ben"]
            request.start = "2026-12-05T12:00"
            request.key = "lunch"
            _ = try await planner.createMeeting(request, saving: true)
        }
        try await deliver(planner, &errors)
        try await tell(&errors) {
            var edit = MeetingEdit()
            edit.start = "2026-12-06T12:00"
            _ = try await planner.editMeeting("Lunch", edit, saving: true)
        }
        try await deliver(planner, &errors)
        try await tell(&errors, unless: ["unknown_meeting", "meeting_cancelled"]) {
            _ = try await planner.cancelMeeting("Lunch", saving: true)
        }
        try await deliver(planner, &errors)
        return errors
    }

    /// Delivers until nothing more is due, with a new engine each time: one that fails is
    /// replaced.
    private func deliver(_ planner: Planner, _ errors: inout [any Error]) async throws {
        for _ in 0..<3 {
            // Who waits for the store to come back does not wait long.
            let engine = DeliveryEngine(
                planner: planner, parts: parts, clock: world.clock,
                waitClock: FixedClock(world.clock.now), chance: world.chance, logger: .silent,
                recordRestMilliseconds: 0)
            _ = try await again(&errors) { try await engine.runOnce() }
            world.clock.advance(bySeconds: 90)
        }
    }

    private func again<Value>(
        _ errors: inout [any Error], _ body: () async throws -> Value
    ) async throws -> Value {
        for _ in 0..<3 {
            do {
                return try await body()
            } catch let error as StoreError {
                errors.append(error)
            }
        }
        return try await body()
    }

    /// Does something again that failed; a refusal which says that it was done is an answer.
    private func tell(
        _ errors: inout [any Error], unless codes: Set<String> = [], _ body: () async throws -> Void
    ) async throws {
        do {
            try await again(&errors, body)
        } catch let refusal as Refusal where !errors.isEmpty && codes.contains(refusal.code) {
            // It had been done, and only the answer was lost.
        }
    }
}
