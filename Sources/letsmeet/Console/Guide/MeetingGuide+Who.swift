import Agenda
import Ledger
import Planning
import TextUI

extension MeetingGuide {
    /// Asks for people until an empty line.
    func askPeople() async throws {
        var names: [String] = []
        var problem: Refusal?
        while true {
            switch try await questioner.ask(peopleQuestion(problem), hints: guestHints) {
            case .takeBack: _ = form.guests.popLast()
            case .choice(let choice): names.insert(choice.value, at: 0)
            case .text(let text):
                let typed = try await planner.names([text])
                guard !typed.isEmpty || problem != nil else { return }
                names = typed + names
            }
            problem = nil
            while problem == nil, !names.isEmpty {
                let name = names.removeFirst()
                do { try await invite(name) } catch { problem = try Refusal(answering: error) }
            }
        }
    }

    private func peopleQuestion(_ problem: Refusal?) -> Question {
        let invited = form.guests.isEmpty ? [] : ["With \(GuestWords.list(form.guests))"]
        return Question(
            label: "Who to invite", offers: problem?.candidates.map(Choice.init) ?? [],
            notes: invited + (problem.map { [$0.message] } ?? []),
            help: "An empty line ends the list", isCollecting: true)
    }

    private func invite(_ name: String) async throws {
        let guest = try await planner.guest(name)
        guard guest.who != planner.actor.id.text else {
            throw Refusal(.refused, code: "is_organizer", "You already take part as the organizer.")
        }
        guard !form.guests.contains(where: { $0.isSame(as: guest) }) else {
            throw Refusal(.refused, code: "person_twice", "\(guest.name) is already invited.")
        }
        form.guests.append(guest)
    }

    private func guestHints(_ text: String) async throws -> Hints {
        let name = text.split(separator: ",", omittingEmptySubsequences: false).last ?? ""
        guard name.count == text.count, !name.isEmpty else { return Hints() }
        let taken = form.guests
        let found = try await planner.guestSuggestions(
            text, limit: PromptView.choicesMax + taken.count)
        let free = found.filter { guest in !taken.contains { $0.isSame(as: guest) } }
            .prefix(PromptView.choicesMax)
        let choices = zip(free, GuestWords.lines(Array(free))).map {
            Choice(value: $0.who, label: $1)
        }
        let notes = free.isEmpty && text.contains("@") ? ["Press Enter to invite this address"] : []
        return Hints(choices: choices, notes: notes)
    }
}

extension GuestView {
    fileprivate func isSame(as other: GuestView) -> Bool {
        switch kind {
        case .person, .circle: kind == other.kind && who == other.who
        case .stranger:
            kind == other.kind && address.lowercased() == other.address.lowercased()
        }
    }
}
