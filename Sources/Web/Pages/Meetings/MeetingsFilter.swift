import Planning
import Timekeeping
import Wording

/// The conditions for a list of meetings, as the address of its page holds them.
struct MeetingsFilter: Equatable, Sendable {
    /// The most days of a list that is ordered by days, and not by months.
    private static let listedDaysMax = 14

    var scope: MeetingsPage.Scope
    /// True for meetings that the reader organizes only. The list of such coming meetings is a
    /// scope of its own.
    var isMine: Bool
    var text: String
    /// The names of people, separated by commas.
    var who: String
    var circle: String
    var place: String
    /// The first day, as typed or as in `2026-12-01`.
    var from: String
    /// The last day, as typed or as in `2026-12-01`.
    var through: String
    /// The first day, once it is read.
    private var firstDay: CivilDate?
    /// The last day, once it is read.
    private var lastDay: CivilDate?
    /// The number of the page, from 1 to ``pagesMax``.
    var page: Int

    /// The meetings on a page.
    static let pageRows = 35
    /// The last page. It ends where lists end (``Planner/listRowsMax``).
    static let pagesMax = Planner.listRowsMax / pageRows

    /// Reads the conditions from the query of an address.
    init(_ query: FormFields) {
        let scopes: [MeetingsPage.Scope] = [
            .past, .cancelled, .invited, .joined, .friends, .mine,
        ]
        scope = scopes.first { query.has($0.rawValue) } ?? .coming
        isMine = [.past, .cancelled].contains(scope) && query.has("mine")
        text = query["q"]
        (who, circle, place) = (query["who"], query["circle"], query["place"])
        (from, through) = (query["from"], query["to"])
        page = min(max(query.count("page"), 1), Self.pagesMax)
    }

    /// True if it narrows the list of its scope.
    var isNarrow: Bool { self != MeetingsFilter(of: scope, page: page) }

    /// True if only a text is searched for.
    var isTextOnly: Bool {
        var other = MeetingsFilter(of: scope, page: page)
        other.text = text
        return self == other
    }

    private init(of scope: MeetingsPage.Scope, page: Int = 1) {
        self.init(FormFields([(scope.rawValue, "")]))
        self.page = page
    }

    /// The whole list of its scope.
    var withoutConditions: MeetingsFilter { MeetingsFilter(of: scope) }

    /// The same search in another list.
    func `in`(_ other: MeetingsPage.Scope) -> MeetingsFilter {
        var filter = self
        (filter.scope, filter.page) = (other, 1)
        filter.isMine = isMine && [.past, .cancelled].contains(other)
        return filter
    }

    /// The same search in the days from `today` to the sixth after it.
    func inWeek(from today: CivilDate) -> MeetingsFilter {
        var filter = self.in(.coming)
        (filter.from, filter.through) = ("\(today)", "\(today.adding(days: 6))")
        return filter
    }

    /// Another page of the same list.
    func onPage(_ number: Int) -> MeetingsFilter {
        var filter = self
        filter.page = number
        return filter
    }

    /// The query of the address, with `?`; empty for the list of all coming meetings.
    var address: String {
        let fields = [
            ("q", text), ("who", who), ("circle", circle), ("place", place), ("from", from),
            ("to", through), ("page", page > 1 ? "\(page)" : ""),
        ].filter { !$0.1.isEmpty }
        let parts =
            (scope == .coming ? [] : [scope.rawValue]) + (isMine ? ["mine"] : [])
            + fields.map { "\($0)=\(Link.segment($1))" }
        return parts.isEmpty ? "" : "?" + parts.joined(separator: "&")
    }

    /// The conditions for the use case, with the days that were read from the typed ones.
    ///
    /// - Parameter planner: the planner of the reader.
    /// - Returns: the conditions, for one page and the row after it.
    /// - Throws: `TimeTextError` if a day cannot be read.
    mutating func query(_ planner: Planner) throws -> MeetingQuery {
        var query = MeetingQuery(scope.scope)
        query.isMine = isMine
        query.isOfFriends = scope == .friends
        (query.text, query.place) = (text, place)
        query.people = GuestPicker.names(in: who)
        query.circle = circle.isEmpty ? nil : circle
        query.from = from.isEmpty ? nil : try planner.day(from)
        query.through = through.isEmpty ? nil : try planner.day(through, from: query.from)
        (firstDay, lastDay) = (query.from, query.through)
        (from, through) = (firstDay.map { "\($0)" } ?? "", lastDay.map { "\($0)" } ?? "")
        // A text may be that of a later meeting.
        if text.isEmpty, place.isEmpty { query.countMax = page * Self.pageRows }
        return query
    }

    /// The days by which the list is ordered; `nil` to order it by months.
    var listedDays: ClosedRange<CivilDate>? {
        guard scope != .past, let firstDay, let lastDay, firstDay <= lastDay,
            lastDay.daysSince1970 - firstDay.daysSince1970 < Self.listedDaysMax
        else { return nil }
        return firstDay...lastDay
    }

    /// The conditions in words, as in "“games” · with Anna · from Tue 1 December 2026".
    func summary(_ words: PageWords) -> String {
        let first = firstDay.map { TimeWords.date($0, in: words.language) } ?? ""
        let last = lastDay.map { TimeWords.date($0, in: words.language) } ?? ""
        let parts: [String?] = [
            text.isEmpty ? nil : words("“%text%”", ["text": text]),
            who.isEmpty ? nil : words("with %names%", ["names": who]),
            circle.isEmpty ? nil : words("with the circle %name%", ["name": circle]),
            place.isEmpty ? nil : words("place: %place%", ["place": place]),
            first.isEmpty ? nil : words("from %day%", ["day": first]),
            last.isEmpty ? nil : words("until %day%", ["day": last]),
            isMine ? words("organized by me") : nil,
        ]
        return parts.compactMap(\.self).joined(separator: " · ")
    }
}
