import Agenda
import Ledger
import Planning
import Storage
import Synchronization
import TestKit
import Timekeeping

@testable import Notifications

/// The whole life of a meeting, from the invitation to the cancellation: the scenario in which each
/// call fails once. A failed step is repeated, as a person would do.
struct SendTask {
    let world: TestWorld
    /// The sinks and the renderer.
    let parts: DeliveryEngine.Parts

    /// Runs the scenario, with an existing planner or a new one.
    ///
    /// - Returns: the errors that were reported.
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

    /// Delivers until nothing more is due, with a new engine each time, which replaces one that
    /// failed.
    private func deliver(_ planner: Planner, _ errors: inout [any Error]) async throws {
        for _ in 0..<3 {
            // A fixed clock, so that waiting for the store takes no time.
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

    /// Repeats a step that failed. A refusal with one of these codes means that the step was
    /// already done.
    private func tell(
        _ errors: inout [any Error], unless codes: Set<String> = [], _ body: () async throws -> Void
    ) async throws {
        do {
            try await again(&errors, body)
        } catch let refusal as Refusal where !errors.isEmpty && codes.contains(refusal.code) {
            // The step was done, and only the reply was lost.
        }
    }
}
