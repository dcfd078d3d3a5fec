import Agenda
import Ledger
import Planning
import Settings
import Wording

extension MeetingPage {
    /// The seats of the meeting; `nil` if it never had rules about them.
    var seats: MeetingSeats? {
        guard let seating = meeting.seating else { return nil }
        return MeetingSeats(
            meeting: meeting, seating: seating,
            isInvited: isOwn || own != nil && seating.standing == nil,
            isCurrent: !isOver && !isOff, mayDecide: mayChange, requests: requests,
            shareLink: shareLink, zone: zone)
    }

    /// Reads what those who decide about the meeting see of its seats.
    ///
    /// - Parameters:
    ///   - planner: acts as the reader.
    ///   - base: the address of the pages if no public one is set.
    /// - Throws: ``Refusal``.
    mutating func addSeats(_ planner: Planner, local base: BaseURL?) async throws {
        guard let seating = meeting.seating, mayChange, !isOver, !isOff else { return }
        if seating.requests ?? 0 > 0 {
            requests = try await planner.seatRequests(of: MeetingID(text: meeting.id))
        }
        if seating.audience == OpenAudience.link.word {
            shareLink = try await planner.knownShareLink(of: meeting, otherwise: base)
        }
    }

    /// The numbers of people who come. If the reader does not see all of them by name, only the
    /// number of taken seats.
    func counts(_ words: PageWords) -> String {
        guard hidesNames, let taken = meeting.seating?.taken else {
            return AnswerWords.counts(turnout, in: words.language)
        }
        return words(taken, "1 person is coming", "%n% people are coming")
    }

    /// True if people have seats whom the reader does not see by name.
    private var hidesNames: Bool {
        let named = meeting.participants.filter { $0.presentAnswer == .going }
        let seats = named.map { 1 + $0.plus }.reduce(0, +)
        return meeting.seating.map { $0.taken > seats } ?? false
    }

    /// True if the reader takes part in the meeting or may change it. Only they see the history,
    /// the calendar file and the pictures that people chose.
    var isMember: Bool { own != nil || isOwn || mayChange }

    /// The variables about the seats.
    func seatValues(_ words: PageWords) -> TemplateValues {
        var values: TemplateValues = [
            "isNew": .flag(isNew), "isMember": .flag(isMember),
            "hasSeats": .flag(seats != nil),
        ]
        if hidesNames {
            values[text: "hiddenNames"] =
                switch meeting.seating?.namesFor {
                case .members?: words("The people who take part see each other's names.")
                default: words("The organizer alone sees who comes.")
                }
        }
        return values.merging(seats?.values(words) ?? [:]) { $1 }
    }
}
