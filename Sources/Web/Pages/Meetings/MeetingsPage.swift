import Planning
import Timekeeping
import Wording

/// Lists of meetings, by month.
struct MeetingsPage: PageModel {
    static let template = "meetings"
    static let names = TemplateNames(
        ["q", "empty", "more", "scopeName"] + OtherInvitations.names,
        lists: [
            "tabs": ["tab", "isCurrent", "tabQuery"],
            "months": ["month", "meetings"] + MeetingCard.names,
        ].merging(OtherInvitations.lists) { $1 })

    /// The lists.
    enum Scope: String, CaseIterable, Sendable {
        case coming, mine, invited, past, cancelled

        var scope: MeetingScope {
            switch self {
            case .coming: .coming
            case .mine: .mine
            case .invited: .invited
            case .past: .past
            case .cancelled: .cancelled
            }
        }

        func name(_ words: PageWords) -> String {
            switch self {
            case .coming: words("Coming")
            case .mine: words("I organize")
            case .invited: words("I am invited")
            case .past: words("Past")
            case .cancelled: words("Cancelled")
            }
        }
    }

    let scope: Scope
    let query: String
    let cards: [MeetingCard]
    let isTruncated: Bool
    let others: OtherInvitations

    var section: Section? { .meetings }
    var topic: String? { "m/" }

    func title(_ words: PageWords) -> String { words("Meetings") }

    func values(_ words: PageWords) -> TemplateValues {
        var values: TemplateValues = [
            "q": .text(query),
            "tabs": .list(
                Scope.allCases.map { other in
                    [
                        "tab": .text(other.name(words)), "isCurrent": .flag(other == scope),
                        "tabQuery": .text(tabQuery(other)),
                    ]
                }), "months": .list(months(words)), "empty": .text(empty(words)),
        ]
        values.merge(others.values(words)) { $1 }
        values[text: "scopeName"] = scope == .coming ? nil : scope.rawValue
        values[text: "more"] = isTruncated ? words("There are more. Search for them.") : nil
        return values
    }

    /// The query of another list, with the same search.
    private func tabQuery(_ other: Scope) -> String {
        let parts =
            (other == .coming ? [] : [other.rawValue])
            + (query.isEmpty ? [] : ["q=\(Link.segment(query))"])
        return parts.isEmpty ? "" : "?" + parts.joined(separator: "&")
    }

    private func empty(_ words: PageWords) -> String {
        if !query.isEmpty {
            return words("No meeting or place is called “%name%”.", ["name": query])
        }
        return switch scope {
        case .past: words("There are no past meetings yet.")
        case .cancelled: words("No meeting is cancelled.")
        case .coming, .mine, .invited: words("No meetings yet.")
        }
    }

    private func months(_ words: PageWords) -> [TemplateValues] {
        var months: [(name: String, cards: [MeetingCard])] = []
        for card in cards {
            let name = words.month(card.day)
            if months.last?.name != name { months.append((name, [])) }
            months[months.count - 1].cards.append(card)
        }
        return months.map { month in
            [
                "month": .text(month.name),
                "meetings": .list(month.cards.map { $0.values(words) }),
            ]
        }
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
        let scope =
            MeetingsPage.Scope.allCases.first { request.query.has($0.rawValue) } ?? .coming
        let query = request.query["q"]
        var wanted = MeetingQuery(scope.scope)
        wanted.text = query
        // A text may be that of a later meeting.
        if query.isEmpty { wanted.countMax = Self.cardsMax }
        let found = try await visitor.planner.meetings(wanted)
        let lines = found.meetings
        let hasOthers = [.coming, .invited].contains(scope) && query.isEmpty
        let page = MeetingsPage(
            scope: scope, query: query,
            cards: lines.prefix(Self.cardsMax).map { MeetingCard($0, visitor) },
            isTruncated: found.truncated || lines.count > Self.cardsMax,
            others: hasOthers
                ? try await otherInvitations(visitor, limit: Self.cardsMax)
                : OtherInvitations(zone: visitor.planner.zone))
        return show(page, in: Frame(visitor: visitor))
    }

    private static let cardsMax = 100
}
