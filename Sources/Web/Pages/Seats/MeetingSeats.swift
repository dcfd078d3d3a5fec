import Agenda
import Planning
import Timekeeping
import Wording

/// The seats of a meeting on its page: how many are free, the reader's own, and for the organizer
/// the requests to join.
struct MeetingSeats: Sendable {
    /// The variables of the part of the template.
    static let names = [
        "seatLine", "waitingLine", "minimumLine", "approvalLine", "canJoin", "joinLabel",
        "joinHint", "standing", "leaveLabel", "plusMax", "hasRequests", "mayConfirm", "openLink",
        "isForLink", "repeatsOpen",
    ]
    static let lists = [
        "requests": [
            "requester", "requesterId", "requestPlus", "requestNote", "requestWhen",
            "requestQuery", "isRefusedRequest",
        ] + Face.names
    ]

    let meeting: MeetingView
    let seating: MeetingView.Seating
    /// True if the reader takes part by an invitation, or organizes the meeting.
    let isInvited: Bool
    /// True if people can still join and leave.
    let isCurrent: Bool
    /// True if the reader may decide on requests.
    let mayDecide: Bool
    /// The requests to join, for those who decide on them.
    var requests: [SeatRequestLine] = []
    /// The link with which everybody sees the meeting; `nil` for none.
    var shareLink: String?
    let zone: Zone

    func values(_ words: PageWords) -> TemplateValues {
        let lines = requests.filter {
            meeting.occurrence == nil || $0.occurrence == meeting.occurrence
        }
        var values: TemplateValues = [
            "canJoin": .flag(canJoin), "joinLabel": .text(joinLabel(words)),
            "plusMax": .text("\(Participant.plusMax)"), "hasRequests": .flag(!lines.isEmpty),
            "requests": .list(lines.map { self.values(of: $0, words) }),
            "mayConfirm": .flag(mayConfirm),
            "isForLink": .flag(
                mayDecide && isCurrent && seating.audience == OpenAudience.link.word),
            "repeatsOpen": .flag(canJoin && meeting.repeat != nil && meeting.occurrence == nil),
        ]
        values[text: "seatLine"] = seatLine(words)
        values[text: "waitingLine"] =
            seating.waiting == 0
            ? nil
            : words(
                seating.waiting, "1 party is on the waiting list",
                "%n% parties are on the waiting list")
        values[text: "minimumLine"] = seating.minimum.flatMap { line(of: $0, words) }
        values[text: "approvalLine"] =
            seating.audience != nil && seating.approve && isCurrent
            ? words("The organizer decides who joins.") : nil
        values[text: "joinHint"] = joinHint(words)
        values[text: "standing"] = isCurrent ? standing(words) : nil
        values[text: "leaveLabel"] = isCurrent ? leaveLabel(words) : nil
        values[text: "openLink"] = shareLink
        return values
    }

    // MARK: Sentences

    /// As in "3 of 10 seats are free".
    private func seatLine(_ words: PageWords) -> String? {
        guard let seats = seating.seats else { return nil }
        let free = max(seating.free ?? seats - seating.taken, 0)
        return free == 0
            ? words(seats, "The one seat is taken", "All %n% seats are taken")
            : words("%free% of %n% seats are free", ["free": "\(free)", "n": "\(seats)"])
    }

    /// As in "2 more needed until Thu 10 December 2026, 18:00".
    private func line(of minimum: MeetingView.Minimum, _ words: PageWords) -> String? {
        switch minimum.outcome.flatMap(Quorum.Outcome.init) {
        case .confirmed?: return words("It takes place: enough people have joined.")
        case .cancelled?: return words("It is cancelled, because too few people have joined.")
        case nil: break
        }
        guard isCurrent else { return nil }
        let time = TimeWords.deadline(minimum.by.moment, in: zone, words.language)
        return minimum.needed == 0
            ? words("Enough people have joined. It is confirmed on %when%.", ["when": time])
            : words(
                minimum.needed, "1 more needed until %when%", "%n% more needed until %when%",
                ["when": time])
    }

    private func standing(_ words: PageWords) -> String? {
        switch seating.standing {
        case .going? where isJoiner: words("You have a seat.")
        case .waiting? where isJoiner:
            seating.position.map {
                words("You are number %n% on the waiting list.", ["n": "\($0)"])
            } ?? words("You're on the waiting list")
        case .requested?: words("You have asked to join. The organizer has not decided yet.")
        case .refused?: words("The organizer has not admitted you.")
        case .going?, .waiting?, nil: nil
        }
    }

    private func leaveLabel(_ words: PageWords) -> String? {
        switch seating.standing {
        case .going? where isJoiner: words("Leave")
        case .waiting? where isJoiner: words("Leave the waiting list")
        case .requested?: words("Take the request back")
        case .going?, .waiting?, .refused?, nil: nil
        }
    }

    /// True if the reader has a seat, or waits for one, in a meeting that they can join themselves:
    /// they leave it with one press, and do not answer.
    var isJoiner: Bool {
        guard seating.audience != nil, !isInvited else { return false }
        return [.going, .waiting].contains(seating.standing)
    }

    private var isFull: Bool { seating.seats.map { seating.taken >= $0 } ?? false }

    private var canJoin: Bool {
        isCurrent && seating.audience != nil && seating.standing == nil && !isInvited
            && (!isFull || seating.waitingList)
    }

    private func joinLabel(_ words: PageWords) -> String {
        if seating.approve { return words("Ask to join") }
        if isFull { return words("Join the waiting list") }
        return meeting.repeat != nil && meeting.occurrence == nil
            ? words("Join all dates") : words("Join")
    }

    private func joinHint(_ words: PageWords) -> String? {
        guard canJoin, isFull else { return nil }
        return words("You are told as soon as a seat is free for you.")
    }

    private var mayConfirm: Bool {
        guard mayDecide, isCurrent, let minimum = seating.minimum else { return false }
        return minimum.outcome == nil && minimum.needed == 0
    }

    private func values(of request: SeatRequestLine, _ words: PageWords) -> TemplateValues {
        var values: TemplateValues = [
            "requester": .text(request.name), "requesterId": .text(request.id),
            "requestQuery": .text(request.occurrence.map { "?date=\($0)" } ?? ""),
            "isRefusedRequest": .flag(request.refused),
        ]
        values[text: "requestPlus"] = request.plus > 0 ? "\(request.plus)" : nil
        values[text: "requestNote"] = request.note.isEmpty ? nil : request.note
        values[text: "requestWhen"] = request.occurrence.flatMap { name in
            meeting.dates.first { $0.occurrence == name }.map { words.start($0.start, in: zone) }
        }
        return values.merging(Face(of: request.name, request.id, nil).values) { $1 }
    }
}
