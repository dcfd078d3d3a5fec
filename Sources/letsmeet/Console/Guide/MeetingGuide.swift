import Agenda
import Planning
import Settings

/// Asks for a meeting, question by question, until whoever answers says that it shall be made.
///
/// Each answer goes through the same methods of ``Planner`` as an option of `meeting new`, and
/// nothing is saved here.
final class MeetingGuide {
    let planner: Planner
    var questioner: any Questioner
    var form: MeetingForm
    private var open = MeetingForm.Field.asked

    init(_ planner: Planner, asking questioner: any Questioner) {
        self.planner = planner
        self.questioner = questioner
        form = MeetingForm(area: planner.surroundings.configuration[.area] ?? "")
    }

    /// Asks until somebody wants the meeting made as it is then.
    ///
    /// - Parameter problem: why the last one could not be made.
    /// - Returns: what to ask the planner for.
    /// - Throws: ``Leaving``, or what only a bug could throw.
    func request(after problem: String? = nil) async throws -> MeetingRequest {
        var problem = problem
        while true {
            while !open.isEmpty { try await ask(open.removeFirst()) }
            let (time, effect, isReady) = try await preview()
            let notes = [""] + form.lines(time: time) + effect
            let question = Question(
                label: isReady ? "Create it" : "Change what",
                notes: notes + (problem.map { [$0] } ?? []),
                help: (isReady ? "c creates it, " : "") + "a number changes that line, l leaves")
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

    /// What would follow from the meeting as it is, or why it cannot be made.
    private func preview() async throws -> (time: String?, effect: [String], isReady: Bool) {
        do {
            let outcome = try await planner.notingConflicts(
                in: planner.createMeeting(form.request, saving: false))
            let effect = [OutcomeText(outcome: outcome).effect] + outcome.remarks
            return (outcome.times.joined(separator: ", "), effect, true)
        } catch {
            return (nil, [try Refusal(answering: error).message], false)
        }
    }

    /// What somebody wants to do with the whole.
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
        }
        questioner.say("\(field.name): \(form.words(of: field))")
    }

    private func askTitle() async throws {
        let question = Question(label: "What is it about", text: form.title)
        form.title = try await questioner.settle(question) { reply in
            let title = reply.words
            try MeetingRules.checkLine(
                title, named: "title", charactersMax: MeetingRules.titleCharactersMax)
            return title
        }
    }
}
