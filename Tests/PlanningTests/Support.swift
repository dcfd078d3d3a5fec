import Agenda
import Planning
import TestKit

extension TestWorld {
    /// A planner that reads and prints times in this zone.
    func planner(tz: String, actingAs: String? = nil) async throws -> Planner {
        var surroundings = try surroundings(actingAs: actingAs)
        surroundings.zoneOption = tz
        return try await Planner(surroundings)
    }
}

extension MeetingRequest {
    /// A lunch that everything else is said of by the test.
    static func lunch(with names: String..., start: String = "2026-12-05T12:00") -> Self {
        var request = MeetingRequest()
        request.title = "Lunch"
        request.with = names
        request.start = start
        return request
    }
}

extension Planner {
    @discardableResult
    func add(_ name: String, _ emails: String...) async throws -> PersonView {
        var edit = ContactEdit()
        edit.name = name
        edit.emails = emails
        return try await addPerson(edit)
    }

    @discardableResult
    func create(_ request: MeetingRequest) async throws -> MeetingOutcome {
        try await createMeeting(request, saving: true)
    }

    func edit(_ name: String, _ change: (inout MeetingEdit) -> Void) async throws -> MeetingOutcome
    {
        var edit = MeetingEdit()
        change(&edit)
        return try await editMeeting(name, edit, saving: true)
    }
}
