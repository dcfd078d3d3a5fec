import Agenda
import Ledger
import Planning
import Storage
import Timekeeping
import Wording

/// The meetings of one day, and what waits for an answer.
struct TodayPage: PageModel {
    static let template = "today"

    /// A day of the strip.
    struct Day: Sendable {
        let date: CivilDate
        /// The meetings.
        let lines: [MeetingLine]
        /// True if there are more meetings than these.
        let isTruncated: Bool
    }

    let day: CivilDate
    let today: CivilDate
    let days: [Day]
    let meetings: [MeetingCard]
    /// The number of meetings of the day that are not shown; `nil` if it is not known.
    let hiddenCount: Int?
    let birthdays: [BirthdayLine]
    let asked: [MeetingCard]
    let reminders: [OutboxLine]
    let others: OtherInvitations
    /// The meetings of the day that the reader can join.
    let open: [OpenLine]
    let panels: TodayPanels
    let zone: Zone
    /// The path to come back to.
    let here: String

    var section: Section? { .today }
    var topics: [String] {
        [ChangeTopic.meetings, ChangeTopic.people, ChangeTopic.pecks, ChangeTopic.circles]
    }

    func title(_ words: PageWords) -> String {
        day == today ? words("Today") : TimeWords.date(day, in: words.language)
    }

    func values(_ words: PageWords) -> TemplateValues {
        var all: TemplateValues = [
            "heading": .text(title(words)), "date": .text(subtitle(words)),
            "days": .list(days.map { values(of: $0, words) }),
            "meetings": .list(meetings.map { $0.values(words) }),
            "birthdays": .list(birthdays.map { ["birthday": .text(text(of: $0, words))] }),
            "hasBirthdays": .flag(!birthdays.isEmpty),
            "asked": .list(asked.map { $0.values(words) }), "hasAsked": .flag(!asked.isEmpty),
            "reminders": .list(reminders.map { values(of: $0, words) }),
            "hasReminders": .flag(!reminders.isEmpty), "here": .text(here),
            "newQuery": .text(day > today ? "?date=\(day)" : ""),
            "open": .list(open.map { values(of: $0, words) }), "hasOpen": .flag(!open.isEmpty),
        ]
        all.merge(panels.values(words)) { $1 }
        all[text: "more"] = more(words)
        all.merge(others.values(words)) { $1 }
        return all
    }

    /// A sentence about the meetings of the day that are not shown; `nil` if there are none.
    private func more(_ words: PageWords) -> String? {
        guard let hiddenCount else { return words("There are more. Search for them.") }
        return hiddenCount > 0 ? words(hiddenCount, "and 1 more", "and %n% more") : nil
    }

    /// The date below "Today"; the distance below another date.
    private func subtitle(_ words: PageWords) -> String {
        guard day != today else { return TimeWords.date(day, in: words.language) }
        let days = day.daysSince1970 - today.daysSince1970
        switch days {
        case 1: return words("Tomorrow")
        case -1: return words("Yesterday")
        case let days where days > 0: return words("In %n% days", ["n": "\(days)"])
        default: return words("%n% days ago", ["n": "\(-days)"])
        }
    }

    /// "Anna Virtanen turns 36", or only the name if the year of birth is unknown.
    private func text(of birthday: BirthdayLine, _ words: PageWords) -> String {
        guard let age = birthday.age else { return birthday.name }
        return words("%name% turns %n%", ["name": birthday.name, "n": "\(age)"])
    }

    private func values(of line: OpenLine, _ words: PageWords) -> TemplateValues {
        var values: TemplateValues = [
            "openId": .text(line.id), "openName": .text(line.title),
            "openWho": .text(line.organizerName), "openProfile": .text(line.organizer),
            "openWhen": .text(
                words.plainRange(
                    from: line.start.moment, to: line.end.moment, in: zone, at: line.start.zone)),
            "openAsks": .flag(line.approve),
        ]
        values[text: "openPlace"] = line.place
        values[text: "openSeats"] = words.freeSeats(of: line)
        return values
    }

    private func values(of reminder: OutboxLine, _ words: PageWords) -> TemplateValues {
        [
            "text": .text(
                "\(words.moment(reminder.due.moment, in: zone)): \(reminder.title ?? "")"),
            "reminderMeeting": .text(
                (reminder.meeting ?? "") + (reminder.occurrence.map { "?date=\($0)" } ?? "")),
        ]
    }

    private func values(of other: Day, _ words: PageWords) -> TemplateValues {
        let count = other.lines.count
        let meetings =
            other.isTruncated
            ? words("Very many meetings") : words(count, "1 meeting", "%n% meetings")
        return [
            "dayQuery": .text(other.date == today ? "" : "?day=\(other.date)"),
            "isCurrent": .flag(other.date == day),
            "dayLabel": .text(
                "\(TimeWords.date(other.date, in: words.language)), \(meetings)"),
            "weekday": .text(words.weekday(other.date)), "number": "\(other.date.day)",
            "dots": .text(String(repeating: "●", count: other.isTruncated ? 4 : min(count, 4))),
        ]
    }

    static let names = TemplateNames(
        [
            "heading", "date", "hasAsked", "hasReminders", "hasBirthdays", "here", "newQuery",
            "more", "hasOpen",
        ] + OtherInvitations.names + TodayPanels.names,
        lists: [
            "open": [
                "openId", "openName", "openWho", "openProfile", "openWhen", "openPlace",
                "openSeats", "openAsks",
            ],
            "birthdays": ["birthday"],
            "days": ["dayQuery", "isCurrent", "dayLabel", "weekday", "number", "dots"],
            "meetings": MeetingCard.names, "asked": MeetingCard.names,
            "reminders": ["text", "reminderMeeting"],
        ].merging(OtherInvitations.lists) { $1 }.merging(TodayPanels.lists) { $1 })
}

extension PageWords {
    /// A short name of a day of the week.
    func weekday(_ date: CivilDate) -> String {
        String(TimeWords.date(date, in: language).prefix(language == .german ? 2 : 3))
    }
}

extension Site {
    /// The page of a day.
    var todayRoutes: [Route] { [route(.get, "/", today)] }

    private func today(_ request: PageRequest, _ visitor: Visitor) async throws -> PageAnswer {
        let planner = visitor.planner
        let today = try planner.day(nil)
        let wanted = request.query["day"]
        let day = wanted.isEmpty ? today : (try? planner.day(wanted)) ?? today
        let days = try await planner.meetings(
            onEachOf: day.adding(days: -2)...day.adding(days: 11), onlyOwn: true
        ).map { date, lines in
            TodayPage.Day(
                date: date,
                lines: lines.meetings.filter { line in
                    line.shownDays(in: planner.zone).contains(date)
                },
                isTruncated: lines.truncated)
        }
        let shown = days.first { $0.date == day }
        let lines = shown?.lines ?? []
        let cards = lines.prefix(Self.meetingsMax).map { MeetingCard($0, visitor).on(day) }
        let page = TodayPage(
            day: day, today: today, days: days, meetings: MeetingCard.spaced(cards),
            hiddenCount: shown?.isTruncated == true ? nil : lines.count - cards.count,
            birthdays: try await planner.birthdays(on: day),
            asked: try await planner.meetingsToAnswer(limit: Self.askedMax)
                .map { MeetingCard($0, visitor) },
            reminders: try await nextReminders(planner),
            others: try await otherInvitations(visitor, limit: Self.askedMax),
            open: try await planner.openMeetings(on: day, limit: Self.askedMax),
            panels: try await panels(visitor), zone: planner.zone, here: request.target)
        return show(page, in: Frame(visitor: visitor))
    }

    /// The most meetings of a day that are shown.
    private static let meetingsMax = 200
    private static let askedMax = 5
    private static let remindersMax = 3
    /// The most lines to read: a reminder has one for each way on which it is sent.
    private static let reminderLinesMax = 20

    /// The next reminders of the reader, each once.
    private func nextReminders(_ planner: Planner) async throws -> [OutboxLine] {
        let lines = try await planner.outbox(
            from: planner.now, to: planner.actor.id, kind: .reminder, limit: Self.reminderLinesMax)
        var seen: Set<String> = []
        let once = lines.filter { line in
            seen.insert("\(line.due.moment.milliseconds) \(line.meeting ?? "")").inserted
        }
        return Array(once.prefix(Self.remindersMax))
    }
}
