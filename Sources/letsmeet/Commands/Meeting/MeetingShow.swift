import Agenda
import ArgumentParser
import Ledger
import Planning
import Programs
import TextUI
import Timekeeping

struct MeetingShow: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Show a meeting and its people.",
        discussion: """
            A title means a past meeting only if no coming meeting has it. Open meetings that you \
            may join are found, too.

            EXAMPLE: letsmeet meeting show next --json
            """)

    @Argument(
        help: "The meeting: an id, part of its title, next, or last.", completion: Offers.meetings)
    var meeting: String
    @Option(help: DateOptions.help) var on: String?
    @OptionGroup var common: CommonOptions

    func run() async throws {
        let planner = try await common.planner()
        let view = try await view(planner)
        let mayDecide = planner.mayDecide(on: view)
        let seats = SeatingText(view, isOrganizer: view.organizer.id == planner.actor.id.text)
        try common.answer(view) { Self.text(view, seats, decidingOnProposals: mayDecide) }
    }

    /// The meeting: one of the reader's own, or else an open one that they may join.
    private func view(_ planner: Planner) async throws -> MeetingView {
        do {
            return try await planner.meeting(
                try await planner.meetingID(named: meeting, on: on, pastToo: true), on: on)
        } catch let refusal as Refusal where refusal.code == "unknown_meeting" {
            guard let id = try await planner.openMeetingID(named: meeting, on: on) else {
                throw refusal
            }
            return try await planner.visibleMeeting(id, on: on)
        }
    }

    private static func text(
        _ view: MeetingView, _ seats: SeatingText, decidingOnProposals mayDecide: Bool
    ) -> String {
        var lines = [
            "\(Style.bold(view.title))  \(Style.faint(view.id))",
            "When       \(view.when)",
        ]
        if let there = view.whenThere { lines.append("Time there \(there)") }
        lines += repetition(view)
        if let place = view.place {
            lines.append("Where      \(place.text)\(map(of: place))")
        }
        if !view.link.isEmpty { lines.append("Join       \(view.link)") }
        if view.status == .cancelled { lines.append("Status     cancelled") }
        lines.append("Organizer  \(view.organizer.name)")
        let reminders =
            view.allDay ? SpanWords.evenings(view.reminders) : SpanWords.before(view.reminders)
        lines.append("Reminders  \(reminders)")
        if let deadline = view.answerBy { lines.append("Answer by  \(deadline.wordsOfDeadline)") }
        lines += seats.lines
        if !view.note.isEmpty { lines.append("\n\(view.note)") }
        lines += people(view)
        let advice = mayDecide ? advice(onUnreached: view) : []
        return (lines + advice + proposals(view, mayDecide) + seats.advice).joined(separator: "\n")
    }

    /// An empty line and the people whom the reader sees, one per line.
    private static func people(_ view: MeetingView) -> [String] {
        guard !view.participants.isEmpty else { return [] }
        var table = Table()
        for guest in view.participants {
            let plus = guest.plus > 0 ? " +\(guest.plus)" : ""
            table.add(
                "  \(guest.name)", guest.address ?? "",
                "\(guest.answer)\(plus)\(oldTime(guest.answeredFor))\(source(of: guest))",
                Table.line(
                    [guest.note, guest.unreached ?? ""].filter { !$0.isEmpty }
                        .joined(separator: "; ")))
        }
        return ["", table.text]
    }

    /// The advice for participants whom nothing reaches.
    private static func advice(onUnreached view: MeetingView) -> [String] {
        let guests = view.participants.filter {
            $0.unreached != nil && $0.id != view.organizer.id
        }
        guard let first = guests.first else { return [] }
        let who = guests.count == 1 ? first.address ?? first.name : nil
        return ["", AdviceText.sentence(.people(.setAddress(of: who)))]
    }

    /// A link to a map after the text of a place; empty if a map would only search for this text.
    /// A Foursquare place without words of the organizer is shown by its page alone.
    private static func map(of place: MeetingView.Place) -> String {
        let isKnown = place.id != nil || place.latitude != nil
        return isKnown && place.map != place.text ? "  \(place.map)" : ""
    }

    /// The origin of an answer that the guest did not enter; empty for other answers.
    private static func source(of guest: MeetingView.Guest) -> String {
        if guest.byReader { return " (entered by you)" }
        if guest.byOther { return " (entered by somebody else)" }
        return guest.unsigned ? " (by mail, unsigned)" : ""
    }

    /// The time for which an answer was given; empty if it holds for the present time.
    private static func oldTime(_ start: Timestamp?) -> String {
        start.map { ", for the old time: \($0.wordsOfStart)" } ?? ""
    }

    private static func repetition(_ view: MeetingView) -> [String] {
        guard let words = view.repetition else { return [] }
        let dates = view.dates.filter(\.isOtherwise).map { date in
            "Exception  \(date.when)\(Self.what(isOtherwiseOn: date))"
        }
        let isWhole = view.occurrence == nil
        return ["Repeats    \(words)"] + (isWhole ? next(view) : []) + dates
    }

    /// The start of the next date, with its place if it is not the usual one.
    private static func next(_ view: MeetingView) -> [String] {
        guard let start = view.nextOccurrence, let when = view.nextWords else { return [] }
        let date = view.dates.first { $0.start.moment == start.moment }
        let isUsual = date == nil || date?.place == view.place?.text
        let place = isUsual ? nil : date?.place ?? "no place yet"
        let words = [when, place].compactMap(\.self)
        return ["Next       \(words.joined(separator: ", "))"]
    }

    private static func what(isOtherwiseOn date: MeetingView.Date) -> String {
        guard date.status != .cancelled else { return "  cancelled" }
        let place = date.place.map { ", \($0)" } ?? ""
        let regular = date.regularStart.map { " (moved from \($0.words))" } ?? ""
        let people = date.others.map {
            $0.isAsked
                ? "\($0.name) \($0.answer)\(oldTime($0.answeredFor))" : "without \($0.name)"
        }
        return place + regular + (people.isEmpty ? "" : ": \(people.joined(separator: ", "))")
    }

    private static func proposals(_ view: MeetingView, _ mayDecide: Bool) -> [String] {
        let proposed = view.participants.compactMap { guest in
            guest.proposed.map { "\(guest.name) proposes another time: \($0.words)" }
        }
        guard !proposed.isEmpty else { return [] }
        guard mayDecide else { return [""] + proposed }
        let meeting = String(decoding: view.id.utf8.prefix(6), as: UTF8.self)
        let who = proposed.count == 1 ? "" : " WHO"
        return [""] + proposed + [
            "To accept it: letsmeet meeting accept \(meeting)\(who)\n"
                + "To keep the current time: letsmeet meeting refuse \(meeting)\(who)"
        ]
    }
}
