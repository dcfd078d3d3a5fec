import Agenda
import Foundation
import Ledger
import Planning
import Settings
import Timekeeping
import Wording

/// The sample people and meetings of a demo: a past, a running and coming meetings, a series, a
/// cancelled meeting, an invitation for the owner, and answers in every state.
struct DemoScenario {
    /// The planner of the owner.
    let planner: Planner
    /// The time at which the demo begins for its visitor.
    let end: Moment

    /// The number of days that the scenario takes.
    static let days = 9

    private typealias Step = @Sendable (DemoScenario) async throws -> Void

    /// Does everything, each step on its day.
    ///
    /// - Parameter play: lets time pass until a moment.
    /// - Throws: an error of the planner.
    func tell(playing play: (Moment) async throws -> Void) async throws {
        for (daysBefore, step) in Self.steps {
            try await play(end.advanced(bySeconds: -Int64(daysBefore) * 86_400))
            try await step(self)
        }
        try await play(end)
    }

    private static let steps: [(daysBefore: Int, Step)] = [
        (9, { try await $0.meetPeople() }),
        (8, { try await $0.planPastMeeting() }),
        (6, { try await $0.planGames() }),
        (5, { try await $0.planChoir() }),
        (4, { try await $0.moveGames() }),
        (3, { try await $0.planPicnic() }),
        (2, { try await $0.cancelPicnic() }),
        (1, { try await $0.planLastDay() }),
    ]

    // MARK: Steps

    private func meetPeople() async throws {
        let file = planner.surroundings.shipped.templates + "/demo/people.vcf"
        _ = try await planner.importPeople([file], selection: ImportSelection())
        _ = try await planner.addPlace("My kitchen", near: nil, address: "Pursimiehenkatu 2")
    }

    private func planPastMeeting() async throws {
        let meeting = try await plan(
            "Book club: The Summer Book", with: ["circle:Book club"], on: -2, at: "19:00",
            place: Self.library, note: "We talk about the first half. Tea is there.")
        try await answer(meeting, "Aino Lehtonen", .going, note: "I bring a cake.")
        try await answer(meeting, "Bruno Carvalho", .maybe)
    }

    private func planGames() async throws {
        let meeting = try await plan(
            "Board games", with: ["circle:Neighbours", "circle:Book club", "Dmitri Sokolov"], on: 1,
            at: "18:00",
            place: Self.museum, note: "Bring your favourite game. I make soup.")
        try await answer(meeting, "Aino Lehtonen", .going, plus: 1)
        try await answer(meeting, "Bruno Carvalho", .declined, note: "I'm in Lisbon that week.")
        try await answer(meeting, "Dmitri Sokolov", .maybe)
    }

    private func planChoir() async throws {
        let meeting = try await plan(
            "Choir", with: ["circle:Neighbours"], on: 2, at: "18:00", place: "The small hall",
            repeats: "every week")
        try await answer(meeting, "Eva Müller", .going)
        let dates = try await planner.meeting(meeting).dates
        guard dates.count > 1 else { return }
        _ = try await planner.cancelMeeting(meeting, on: dates[1].occurrence, saving: true)
    }

    private func moveGames() async throws {
        let found = try await planner.meetings(.coming).meetings
        guard let games = found.first(where: { $0.title == "Board games" }) else { return }
        var edit = MeetingEdit()
        edit.start = wall(1, "19:00")
        _ = try await planner.editMeeting(MeetingID(text: games.id), edit, saving: true)
    }

    private func planPicnic() async throws {
        try await plan("Picnic", with: ["Eva Müller", "Aino Lehtonen"], on: 5, at: "13:00")
    }

    private func cancelPicnic() async throws {
        let found = try await planner.meetings(.coming).meetings
        guard let picnic = found.first(where: { $0.title == "Picnic" }) else { return }
        _ = try await planner.cancelMeeting(MeetingID(text: picnic.id), saving: true)
    }

    private func planLastDay() async throws {
        let lunch = try await plan(
            "Lunch with Bruno", with: ["Bruno Carvalho"], on: 1, at: "12:00", place: Self.cafe)
        try await answer(lunch, "Bruno Carvalho", .going)
        var running = request("Open house", with: ["circle:Neighbours"])
        running.start = planner.zone.wallTime(at: begun).description
        running.duration = try TimeSpan.parse("3h")
        running.place = "My kitchen"
        let open = MeetingID(
            text: try await planner.createMeeting(running, saving: true).meeting.id)
        try await answer(open, "Eva Müller", .going)
        try await inviteOwner()
    }

    /// Somebody else's meeting, which waits for the owner's answer.
    private func inviteOwner() async throws {
        let aino = try await planner.knownPerson(named: "Aino Lehtonen")
        var birthday = MeetingRequest()
        birthday.title = "Aino's birthday"
        birthday.with = [planner.owner.address]
        birthday.start = wall(4, "17:00")
        birthday.place = Self.restaurant
        _ = try await planner.acting(as: aino).createMeeting(birthday, saving: true)
    }

    // MARK: Parts

    private static let library = "osm:node/1380779190"
    private static let museum = "osm:way/8042215"
    private static let cafe = "osm:node/4518279089"
    private static let restaurant = "osm:node/59631978"

    @discardableResult
    private func plan(
        _ title: String, with guests: [String], on day: Int, at time: String,
        place: String? = nil, note: String = "", repeats: String? = nil
    ) async throws -> MeetingID {
        var request = request(title, with: guests)
        request.start = wall(day, time)
        (request.place, request.note, request.repetition) = (place, note, repeats)
        let outcome = try await planner.createMeeting(request, saving: true)
        return MeetingID(text: outcome.meeting.id)
    }

    private func request(_ title: String, with guests: [String]) -> MeetingRequest {
        var request = MeetingRequest()
        request.title = title
        request.with = guests
        return request
    }

    private func answer(
        _ meeting: MeetingID, _ name: String, _ answer: Answer, plus: Int? = nil,
        note: String? = nil
    ) async throws {
        let person = try await planner.knownPerson(named: name)
        _ = try await planner.acting(as: person).answer(
            meeting, answer, of: person, plus: plus, note: note, saving: true)
    }

    /// The start of the meeting that runs at the end: the last full hour but one.
    private var begun: Moment {
        Moment(seconds: end.seconds / 3600 * 3600).advanced(bySeconds: -3600)
    }

    /// A time on a day counted from the day of the end.
    private func wall(_ day: Int, _ time: String) -> String {
        "\(planner.zone.wallTime(at: end).adding(days: day).date)T\(time)"
    }
}
