import Planning
import Settings
import TestKit

/// Runs a test in a home that is made already, weeks before the meetings of these tests.
func withHome(_ body: (TestWorld) async throws -> Void) async throws {
    try await withTemporaryHome(now: "2026-09-21T14:13:20Z") { home in
        try home.home.make()
        try await body(home)
    }
}

extension Planner {
    func add(_ name: String, _ emails: String...) async throws -> PersonView {
        var edit = ContactEdit()
        edit.name = name
        edit.emails = emails
        return try await addPerson(edit)
    }

    func meet(_ title: String, with names: String..., note: String = "") async throws -> String {
        var request = MeetingRequest()
        request.title = title
        request.with = names
        request.start = "2026-12-01T18:00"
        request.note = note
        return try await createMeeting(request, saving: true).meeting.id
    }

    /// Fails the test with the rows when a rule of the ledger is broken.
    func brokenRules() async throws -> [String] {
        try await verifyLedger().faults.map { "\($0.key): \($0.rule)" }
    }
}

/// The code of the refusal with which an action ends; `nil` when it succeeds.
func refusalCode(_ action: () async throws -> Void) async -> String? {
    await refusal(action)?.code
}
