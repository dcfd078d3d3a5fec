import Agenda
import Ledger
import Planning
import Timekeeping
import Wording

/// The part of a meeting that a change is about.
struct ChangeTarget: Sendable {
    /// The names of its variables.
    static let names = ["id", "name", "when", "query", "action", "isSeries", "seen"]
    static let lists = ["reaches": ["reachQuery", "reach", "isCurrent"]]

    /// The dates of a series that change.
    enum Reach: String, CaseIterable, Sendable {
        case date, later, all
    }

    let id: MeetingID
    /// The last segment of the path, such as "cancel".
    let action: String
    /// The meeting, or the date of it that changes.
    let view: MeetingView
    /// The date of a series that the page was opened for; `nil` for none.
    let occurrence: String?
    let reach: Reach
    /// The reaches that the action offers.
    private let reaches: [Reach]

    /// The target of a request: the meeting in its path, and the date in its query. Without a date,
    /// it is all dates of a series, and its next one is offered, too.
    init(
        _ request: PageRequest, _ action: String, _ reaches: [Reach], _ planner: Planner
    ) async throws {
        id = MeetingID(text: request["id"])
        self.action = action
        let date = request.query["date"]
        let dated = try await planner.sight(of: id, on: date.isEmpty ? nil : date)
        let isWhole = dated.occurrence == nil
        let next = dated.nextOccurrence?.moment
        occurrence =
            dated.occurrence
            ?? (reaches.contains(.all)
                ? dated.dates.first { $0.start.moment == next }?.occurrence : nil)
        self.reaches = occurrence == nil ? [] : reaches
        let wanted = isWhole ? .all : Reach(rawValue: request.query["reach"]) ?? .date
        reach = self.reaches.isEmpty ? .all : reaches.contains(wanted) ? wanted : reaches[0]
        view = reach == .all && !isWhole ? try await planner.sight(of: id) : dated
    }

    /// The date to change alone; `nil` if more changes.
    var date: String? { reach == .date ? occurrence : nil }
    /// The first date to change; `nil` if one alone or the whole meeting changes.
    var from: String? { reach == .later ? occurrence : nil }

    /// The page of the meeting.
    func page(saved: String? = nil) -> Link {
        .meeting(id.text, date: reach == .all ? nil : occurrence, saved: saved)
    }

    /// The time that a form shows, which it sends along.
    private var seen: String { Self.time(of: view) }

    private static func time(of meeting: MeetingView) -> String {
        [meeting.start.text, meeting.end.text, meeting.repeat ?? ""].joined(separator: " ")
    }

    /// The check, when a form is saved, that the meeting is still at the time that it was found at.
    var check: MeetingCheck {
        { [seen] meeting in
            guard Self.time(of: meeting) == seen else { throw Refusal.changedMeanwhile }
        }
    }

    /// The fault of a form that was opened before the meeting was moved; `nil` if it was not moved.
    func faultOfMove(since request: PageRequest, _ words: PageWords) -> FieldFault? {
        guard request.form.has("seen"), request.form["seen"] != seen else { return nil }
        return FieldFault(
            field: "faults",
            text: words(
                "Meanwhile the meeting was moved. It is now: %when%. Look at it before you go on.",
                ["when": when(words)]))
    }

    func values(_ words: PageWords) -> TemplateValues {
        [
            "id": .text(id.text), "name": .text(view.title), "action": .text(action),
            "seen": .text(seen),
            "when": .text(when(words)), "query": .text(query(reach)),
            "isSeries": .flag(!reaches.isEmpty),
            "reaches": .list(
                reaches.map { other in
                    [
                        "reachQuery": .text(query(other)), "reach": .text(words.reach(other)),
                        "isCurrent": .flag(other == reach),
                    ]
                }),
        ]
    }

    /// The time and, if all dates change, the repetition.
    private func when(_ words: PageWords) -> String {
        let rule = reach == .all ? view.repeat.flatMap { try? RecurrenceRule($0) } : nil
        let repetition = rule.map { TimeWords.repetition($0, in: words.language) }
        return ([words.when(view)] + [repetition].compactMap(\.self)).joined(separator: " · ")
    }

    private func query(_ reach: Reach) -> String {
        guard let occurrence else { return "" }
        return reach == .date ? "?date=\(occurrence)" : "?date=\(occurrence)&reach=\(reach)"
    }
}

extension Refusal {
    static let changedMeanwhile = Refusal(
        .refused, code: "changed_meanwhile",
        "Somebody else has just changed the meeting. Look at it again before you save.")
}

extension PageWords {
    /// The time of a meeting for its reader.
    func when(_ meeting: MeetingView) -> String { when(meeting, in: meeting.start.reader) }

    /// The time of a meeting in a time zone.
    func when(_ meeting: MeetingView, in zone: Zone) -> String {
        TimeWords.range(
            from: meeting.start.moment, to: meeting.end.moment, in: zone, at: meeting.start.zone,
            language)
    }

    /// The time of a meeting where it takes place.
    func whenThere(_ meeting: MeetingView) -> String {
        whenThere(from: meeting.start, to: meeting.end)
    }

    /// A period where it takes place.
    func whenThere(from start: Timestamp, to end: Timestamp) -> String {
        let zone = start.zone ?? start.reader
        return self(
            "There: %when%",
            [
                "when": TimeWords.range(
                    from: start.moment, to: end.moment, in: zone, at: zone, language)
            ])
    }

    fileprivate func reach(_ reach: ChangeTarget.Reach) -> String {
        switch reach {
        case .date: self("Only this date")
        case .later: self("This date and all later ones")
        case .all: self("All dates")
        }
    }
}
