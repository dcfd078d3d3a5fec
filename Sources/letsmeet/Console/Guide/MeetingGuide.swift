import Agenda
import Planning
import Settings
import TextUI

/// Asks for a meeting, question by question, until the person chooses to create it.
///
/// Each answer is checked by the same methods of ``Planner`` as an option of `meeting new`. Nothing
/// is saved here.
final class MeetingGuide {
    let planner: Planner
    var questioner: any Questioner
    var form: MeetingForm
    var open = MeetingForm.Field.asked

    init(_ planner: Planner, asking questioner: any Questioner) {
        self.planner = planner
        self.questioner = questioner
        form = MeetingForm(area: planner.surroundings.configuration[.area] ?? "")
    }

    /// Asks until the person chooses to create the meeting.
    ///
    /// - Parameter problem: the reason why the last request was refused.
    /// - Returns: the request for the planner.
    /// - Throws: ``Leaving``, or an error that only a bug can cause.
    func request(after problem: String? = nil) async throws -> MeetingRequest {
        var problem = problem
        while true {
            while !open.isEmpty { try await ask(open.removeFirst()) }
            let (time, effect, isReady) = try await preview()
            let notes = [""] + form.lines(time: time) + effect
            let question = Question(
                label: isReady ? "Next step" : "Line to change",
                notes: notes + (problem.map { [$0] } ?? []),
                help: (isReady ? "c creates the meeting, " : "")
                    + "a number changes that line, l leaves without saving")
            switch Self.wish(try await questioner.ask(question)) {
            case .create where isReady: return form.request
            case .change(let field):
                let isWithoutCity = field == .interest && form.city == nil
                let first = isWithoutCity ? .city : field
                open = [first] + first.followers
                problem = nil
            case .leave: throw Leaving.ended
            case .create, nil:
                problem = isReady ? "Type c, the number of a line, or l." : nil
            }
        }
    }

    /// The effect of creating the meeting as it is, or the reason why it cannot be created.
    private func preview() async throws -> (time: String?, effect: [String], isReady: Bool) {
        do {
            let outcome = try await planner.createMeeting(form.request, saving: false)
            let effect = [OutcomeText(outcome: outcome).effect] + outcome.remarks.map(\.shown)
            return (outcome.times.joined(separator: ", "), effect, true)
        } catch {
            return (nil, [try Refusal(answering: error).message], false)
        }
    }

    /// An answer to the summary of the form.
    enum Wish: Equatable {
        case create
        case change(MeetingForm.Field)
        case leave
    }

    static func wish(_ reply: Reply) -> Wish? {
        guard case .text(let text) = reply else { return nil }
        switch text.lowercased().filter({ !$0.isWhitespace }) {
        case "c", "create", "y", "yes": return .create
        case "l", "leave", "q", "quit", "n", "no": return .leave
        case let word:
            return Int(word).flatMap { MeetingForm.Field(rawValue: $0 - 1) }.map(Wish.change)
        }
    }

    private func ask(_ field: MeetingForm.Field) async throws {
        switch field {
        case .title: try await askTitle()
        case .people: try await askPeople()
        case .city: try await askCity()
        case .interest:
            form.interest = ""
            guard form.city != nil else { return }
            try await askInterest()
        case .place:
            try await askPlace()
            if zoneChange != nil, !open.contains(.start) { open.insert(.start, at: 0) }
        case .start: try await askStart()
        case .duration: try await askDuration()
        case .reminders: try await askReminders()
        case .repetition: try await askRepetition()
        case .seating: try await askSeating()
        }
        questioner.say("\(field.name): \(form.words(of: field))")
    }

    private func askTitle() async throws {
        let question = Question(label: "Title", text: form.title)
        form.title = try await questioner.settle(question) { reply in
            let title = reply.words
            try MeetingRules.checkLine(
                title, named: "title", charactersMax: MeetingRules.titleCharactersMax)
            return title
        }
    }
}
