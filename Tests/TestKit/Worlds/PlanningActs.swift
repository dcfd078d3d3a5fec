import Agenda
import Foundation
public import Planning
import Settings

/// Runs a test in a home that exists already, weeks before the meetings of these tests.
public func withHome(_ body: (TestWorld) async throws -> Void) async throws {
    try await withTemporaryHome(now: "2026-09-21T14:13:20Z") { home in
        try home.home.make()
        try await body(home)
    }
}

extension TestWorld {
    /// A planner that reads and prints times in this zone.
    public func planner(tz: String, actingAs: String? = nil) async throws -> Planner {
        var surroundings = try surroundings(actingAs: actingAs)
        surroundings.zoneOption = tz
        return try await Planner(surroundings)
    }
}

extension TestWorld {
    /// Each contact as "name address,address phone,phone note", sorted.
    public func addressBook() async throws -> [String] {
        try await planner().people().map { person in
            let ways = [
                person.emails.map { $0.address.lowercased() }.sorted(),
                person.phones.map(\.number).sorted(),
            ]
            return ([person.name] + ways.map { $0.joined(separator: ",") } + [person.note])
                .joined(separator: " ").trimmingCharacters(in: .whitespaces)
        }.sorted()
    }
}

extension MeetingRequest {
    /// A request for a lunch of one hour.
    public static func lunch(with names: String..., start: String = "2026-12-05T12:00") -> Self {
        var request = MeetingRequest()
        request.title = "Lunch"
        request.with = names
        request.start = start
        return request
    }
}

extension Planner {
    /// Adds a contact to the actor's address book.
    @discardableResult
    public func add(_ name: String, _ emails: String...) async throws -> PersonView {
        var edit = ContactEdit()
        edit.name = name
        edit.emails = emails
        return try await addPerson(edit)
    }

    /// Makes a meeting.
    @discardableResult
    public func create(_ request: MeetingRequest) async throws -> MeetingOutcome {
        try await createMeeting(request, saving: true)
    }

    /// Makes a meeting on 1 December 2026 at 18:00.
    ///
    /// - Returns: its id.
    public func meet(
        _ title: String, with names: String..., note: String = ""
    ) async throws -> String {
        var request = MeetingRequest()
        request.title = title
        request.with = names
        request.start = "2026-12-01T18:00"
        request.note = note
        return try await createMeeting(request, saving: true).meeting.id
    }

    /// The rows that break a rule of the ledger, with the rule; empty when it holds.
    public func brokenRules() async throws -> [String] {
        try await verifyLedger().faults.map { "\($0.key): \($0.rule)" }
    }

    /// Edits a meeting.
    public func edit(
        _ name: String, _ change: (inout MeetingEdit) -> Void
    ) async throws -> MeetingOutcome {
        var edit = MeetingEdit()
        change(&edit)
        return try await editMeeting(name, edit, saving: true)
    }
}

/// The code of the refusal with which an action ends; `nil` when it succeeds.
public func refusalCode(_ action: () async throws -> Void) async -> String? {
    await refusal(action)?.code
}
