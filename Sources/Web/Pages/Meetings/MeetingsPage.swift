import NIOHTTP1
import Planning
import Storage
import Timekeeping
import Wording

/// Lists of meetings, by month.
struct MeetingsPage: PageModel {
    static let template = "meetings"
    static let names = TemplateNames(
        [
            "q", "empty", "more", "scopeName", "withWhom", "placeText", "from", "to", "hasCircles",
            "isFaulty", "hasMine", "isMine", "clearQuery", "searched", "whoFault", "daysFault",
        ] + Pager.names + OtherInvitations.names,
        lists: [
            "tabs": ["tab", "isCurrent", "tabQuery"], "circles": ["circle", "isChosenCircle"],
            "months": ["month", "meetings"] + MeetingCard.names,
        ].merging(OtherInvitations.lists) { $1 })

    /// The lists.
    enum Scope: String, CaseIterable, Sendable {
        case coming, mine, joined, friends, invited, past, cancelled

        var scope: MeetingScope {
            switch self {
            case .coming, .friends: .coming
            case .mine: .mine
            case .joined: .joined
            case .invited: .invited
            case .past: .past
            case .cancelled: .cancelled
            }
        }

        func name(_ words: PageWords) -> String {
            switch self {
            case .coming: words("Coming")
            case .mine: words("I organize")
            case .joined: words("I joined")
            case .friends: words("Of people I follow")
            case .invited: words("I am invited")
            case .past: words("Past")
            case .cancelled: words("Cancelled")
            }
        }
    }

    /// A heading with the meetings below it.
    private struct Group {
        let heading: String
        var cards: [MeetingCard]
    }

    let filter: MeetingsFilter
    /// The meetings of the page.
    let cards: [MeetingCard]
    /// True if there is a page after this one.
    let hasNext: Bool
    /// True if the search stopped at its limit, so that further meetings may match.
    let isTruncated: Bool
    /// The names of the reader's circles.
    let circles: [String]
    let others: OtherInvitations
    let today: CivilDate
    /// The reason why nothing was searched for; `nil` without one.
    var fault: FieldFault?

    var section: Section? { .meetings }
    var topics: [String] { [ChangeTopic.meetings, ChangeTopic.people] }

    func title(_ words: PageWords) -> String { words("Meetings") }

    func values(_ words: PageWords) -> TemplateValues {
        let groups = groups(words)
        var values: TemplateValues = [
            "q": .text(filter.text), "withWhom": .text(filter.who),
            "placeText": .text(filter.place), "from": .text(filter.from),
            "to": .text(filter.through), "hasCircles": .flag(!circles.isEmpty),
            "circles": .list(circles.map(values(of:))), "isFaulty": .flag(fault != nil),
            "hasMine": .flag([.past, .cancelled].contains(filter.scope)),
            "isMine": .flag(filter.isMine), "tabs": .list(tabs(words)),
            "months": .list(
                groups.map { group in
                    [
                        "month": .text(group.heading),
                        "meetings": .list(group.cards.map { $0.values(words) }),
                    ]
                }),
            "empty": .text(empty(words)),
            "clearQuery": .text(filter.withoutConditions.address),
        ]
        values.merge(others.values(words)) { $1 }
        let pager = Pager(filter.page, hasNext: hasNext) { "meetings" + filter.onPage($0).address }
        values.merge(pager.values) { $1 }
        values[text: "scopeName"] = filter.scope == .coming ? nil : filter.scope.rawValue
        values[text: "searched"] = filter.isNarrow && fault == nil ? filter.summary(words) : nil
        values[text: "whoFault"] = fault?.field == "who" ? fault?.text(words) : nil
        values[text: "daysFault"] = fault?.field != "who" ? fault?.text(words) : nil
        values[text: "more"] =
            isTruncated && !hasNext
            ? words("Not all meetings were searched. Narrow the days.") : nil
        return values
    }

    private func values(of circle: String) -> TemplateValues {
        ["circle": .text(circle), "isChosenCircle": .flag(circle == filter.circle)]
    }

    /// The lists, and the days of this week, each with the same search.
    private func tabs(_ words: PageWords) -> [TemplateValues] {
        let week = filter.inWeek(from: today)
        let isWeek = filter.onPage(1).address == week.address
        func tab(_ name: String, _ target: MeetingsFilter, _ isCurrent: Bool) -> TemplateValues {
            [
                "tab": .text(name), "isCurrent": .flag(isCurrent),
                "tabQuery": .text(target.address),
            ]
        }
        var tabs = Scope.allCases.map { other in
            var target = filter.in(other)
            if isWeek { (target.from, target.through) = ("", "") }
            return tab(other.name(words), target, other == filter.scope && !isWeek)
        }
        tabs.insert(tab(words("This week"), week, isWeek), at: 1)
        return tabs
    }

    private func empty(_ words: PageWords) -> String {
        guard fault == nil else { return words("Nothing was searched for.") }
        guard filter.page == 1 else { return words("There are no more meetings.") }
        if filter.isNarrow {
            return filter.isTextOnly
                ? words("No meeting or place is called “%name%”.", ["name": filter.text])
                : words("No meeting fits this search: %value%", ["value": filter.summary(words)])
        }
        return switch filter.scope {
        case .past: words("There are no past meetings yet.")
        case .cancelled: words("No meeting is cancelled.")
        case .joined: words("You have joined no coming meeting.")
        case .friends: words("Nobody whom you follow has an open meeting.")
        case .coming, .mine, .invited: words("No meetings yet.")
        }
    }

    private func groups(_ words: PageWords) -> [Group] {
        guard let days = filter.listedDays else { return months(words) }
        let numbers = days.lowerBound.daysSince1970...days.upperBound.daysSince1970
        return numbers.compactMap(CivilDate.init(daysSince1970:)).compactMap { day in
            // What ends in the first hours of the first day began on the day before.
            let own = cards.filter {
                $0.span.contains(day)
                    || day == days.lowerBound && $0.days == nil && $0.span.last < day
            }
            let heading = TimeWords.date(day, in: words.language)
            return own.isEmpty ? nil : Group(heading: heading, cards: own.map { $0.on(day) })
        }
    }

    private func months(_ words: PageWords) -> [Group] {
        var months: [Group] = []
        for card in cards {
            let name = words.month(card.day)
            if months.last?.heading != name { months.append(Group(heading: name, cards: [])) }
            months[months.count - 1].cards.append(card)
        }
        return months
    }
}

extension PageWords {
    /// The month of a day, as in "December 2026".
    func month(_ date: CivilDate) -> String {
        let words = TimeWords.date(date, in: language).split(separator: " ")
        return words.suffix(2).joined(separator: " ")
    }
}

extension Site {
    /// The lists of meetings.
    var meetingsRoutes: [Route] { [route(.get, "/meetings", meetings)] }

    private func meetings(_ request: PageRequest, _ visitor: Visitor) async throws -> PageAnswer {
        var filter = MeetingsFilter(request.query)
        let frame = frame(request, visitor)
        do {
            let found = try await visitor.planner.meetings(filter.query(visitor.planner))
            return show(try await meetingsPage(filter, found, visitor), in: frame)
        } catch {
            let fault = try FieldFault(error)
            var page = try await meetingsPage(filter, nil, visitor)
            page.fault = fault
            return show(page, in: frame, .badRequest)
        }
    }

    /// The page of a list of meetings; without meetings if they could not be searched for.
    private func meetingsPage(
        _ filter: MeetingsFilter, _ found: MeetingLines?, _ visitor: Visitor
    ) async throws -> MeetingsPage {
        let planner = visitor.planner
        let end = filter.page * MeetingsFilter.pageRows
        let shown = found?.meetings.prefix(end).dropFirst(end - MeetingsFilter.pageRows)
        let isSearch = !filter.text.isEmpty || !filter.place.isEmpty
        let hasMore =
            found.map { $0.meetings.count > end || $0.truncated && !isSearch } ?? false
        let hasOthers =
            [.coming, .invited].contains(filter.scope) && !filter.isNarrow && filter.page == 1
        return MeetingsPage(
            filter: filter, cards: shown?.map { MeetingCard($0, visitor) } ?? [],
            hasNext: hasMore && filter.page < MeetingsFilter.pagesMax,
            isTruncated: found?.truncated ?? false,
            circles: try await circleNames(planner),
            others: hasOthers
                ? try await otherInvitations(visitor, limit: Self.othersMax)
                : OtherInvitations(zone: planner.zone),
            today: planner.zone.wallTime(at: planner.now).date)
    }

    /// The names of the reader's circles, to choose from.
    func circleNames(_ planner: Planner) async throws -> [String] {
        Array(try await planner.circles().map(\.name).prefix(Self.circlesMax))
    }

    /// The most circles to choose from.
    private static let circlesMax = 200
    /// The most invitations of others.
    private static let othersMax = 100
}
