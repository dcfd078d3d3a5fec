import Agenda
import Planning
import Programs

/// The seats of a meeting and the people who can join it, as lines of `meeting show`.
struct SeatingText {
    private let meeting: MeetingView
    private let isOrganizer: Bool

    /// Creates the text.
    ///
    /// - Parameters:
    ///   - meeting: the meeting.
    ///   - isOrganizer: true if its organizer reads the text.
    init(_ meeting: MeetingView, isOrganizer: Bool) {
        self.meeting = meeting
        self.isOrganizer = isOrganizer
    }

    /// A line for each fact; empty for a meeting without seats that nobody can join.
    var lines: [String] {
        guard let seating = meeting.seating else { return [] }
        return [
            audience(seating).map { "Open to    \($0)" },
            seats(seating).map { "Seats      \($0)" },
            own(seating).map { "You        \($0)" },
            requests(seating).map { "Requests   \($0)" },
            seating.minimum.map { "Minimum    \(Self.words(of: $0))" },
        ].compactMap(\.self)
    }

    /// The commands that help the reader; empty if there are none.
    var advice: [String] {
        guard let seating = meeting.seating, meeting.status == .confirmed else { return [] }
        let id = String(decoding: meeting.id.utf8.prefix(6), as: UTF8.self)
        var lines: [String] = []
        if let count = seating.requests, count > 0 {
            lines.append(AdviceText.sentence(.meetings(.requests(id))))
        }
        if isOrganizer, let minimum = seating.minimum, minimum.outcome == nil, minimum.needed == 0 {
            lines.append("To confirm it now: letsmeet meeting confirm \(id)")
        }
        if !isOrganizer, seating.audience != nil, seating.standing == nil {
            lines.append("To join: letsmeet join \(id)")
        }
        return lines.isEmpty ? [] : [""] + lines
    }

    private var organizer: String { meeting.organizer.name }

    private func audience(_ seating: MeetingView.Seating) -> String? {
        guard let audience = seating.audience else { return nil }
        let people =
            switch audience {
            case OpenAudience.followers.word:
                isOrganizer ? "your followers" : "the followers of \(organizer)"
            case OpenAudience.link.word: "everybody with the link"
            case OpenAudience.everyone.word: "everybody with an account here"
            default: circle(seating)
            }
        guard seating.approve else { return people }
        return "\(people); \(isOrganizer ? "you decide" : "\(organizer) decides") on each request"
    }

    private func circle(_ seating: MeetingView.Seating) -> String {
        if let name = seating.circle { return "the circle \(name)" }
        return isOrganizer
            ? "nobody, because its circle was deleted" : "a circle of \(organizer)"
    }

    /// "10 of 10 taken, 2 on the waiting list".
    private func seats(_ seating: MeetingView.Seating) -> String? {
        guard let seats = seating.seats else {
            return seating.audience == nil ? nil : "\(seating.taken) taken, without limit"
        }
        let free = seating.free ?? 0
        let waiting = seating.waiting > 0 ? "\(seating.waiting) on the waiting list" : nil
        let parts = [
            "\(seating.taken) of \(seats) taken", free > 0 ? "\(free) free" : nil, waiting,
            seating.waitingList || waiting != nil ? nil : "no waiting list",
        ]
        return parts.compactMap(\.self).joined(separator: ", ")
    }

    private func own(_ seating: MeetingView.Seating) -> String? {
        switch seating.standing {
        case .going: isOrganizer ? nil : "have a seat"
        case .waiting:
            "wait for a seat" + (seating.position.map { ", at place \($0)" } ?? "")
        case .requested: "asked to join; \(organizer) decides"
        case .refused: "asked to join; \(organizer) did not admit you"
        case nil: nil
        }
    }

    private func requests(_ seating: MeetingView.Seating) -> String? {
        guard let count = seating.requests, count > 0 else { return nil }
        return count == 1 ? "1 person asks to join" : "\(count) people ask to join"
    }

    /// "2 more needed until Thu 3 December 2026, 18:00".
    private static func words(of minimum: MeetingView.Minimum) -> String {
        let joined = "\(minimum.joined) of \(minimum.people) joined"
        switch minimum.outcome {
        case "confirmed": return "\(joined), the meeting takes place"
        case "cancelled": return "\(joined), the meeting was cancelled"
        default: break
        }
        let deadline = minimum.by.wordsOfDeadline
        guard minimum.needed > 0 else { return "\(joined); it is decided on \(deadline)" }
        let early = minimum.early ? ", and confirmed as soon as they join" : ""
        return "\(joined); \(minimum.needed) more needed until \(deadline)\(early)"
    }
}

extension SeatOutcome: Readable {
    var heading: [String] {
        ["\(Style.bold(sentence))."] + (meeting.whenThere.map { ["local time \($0)"] } ?? [])
    }
    var times: [String] { [] }
    var deed: String { sentence }

    /// "You are on the waiting list for Lunch on Sat 5 December 2026, 12:00–13:00
    /// (Europe/Helsinki), at place 2".
    private var sentence: String {
        let when = AnswerText.titleAndTime(of: meeting)
        return switch result {
        case "joined": "You are going to \(when)"
        case "waiting":
            "You are on the waiting list for \(when)"
                + (position.map { ", at place \($0)" } ?? "")
        case "requested": "You asked to join \(when). \(meeting.organizer.name) decides"
        default: "You are no longer in \(when)"
        }
    }
}
