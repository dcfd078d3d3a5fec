import Agenda
import Calendars
import NIOHTTP1
import Planning
import Storage
import Timekeeping
import Wording

/// A circle of the reader: its people, its coming meetings and its feeds.
struct CirclePage: PageModel {
    static let template = "circle"
    static let names = TemplateNames(
        ["segment", "count", "circleWho", "hasMeetings", "moreMeetings", "hasOpenMeetings"]
            + Pager.names + FeedsPage.words,
        lists: [
            "people": ["person", "who", "address", "isContact"] + Face.names,
            "meetings": MeetingCard.names,
            "openMeetings": [
                "openId", "openQuery", "openName", "openWhen", "openPlace", "openSeats",
            ],
        ].merging(FeedsPage.feedLists) { $1 })

    /// The people on a page.
    static let pageRows = 100
    /// The number of coming meetings.
    static let meetingsMax = 20

    let circle: Circle
    /// A WHO that means exactly this circle.
    let who: String
    let people: FirstRows<CirclePerson>
    /// The number of the page of people, from 1.
    let number: Int
    let meetings: [MeetingCard]
    /// True if there are more coming meetings than these.
    let hasMoreMeetings: Bool
    let feeds: FeedsPage
    /// The coming meetings that the people in the circle can join.
    let open: FirstRows<OpenMeetingLine>
    let zone: Zone

    var section: Section? { .people }
    var topics: [String] {
        [ChangeTopic.circles, ChangeTopic.people, ChangeTopic.meetings, ChangeTopic.feeds]
    }

    func title(_ words: PageWords) -> String { circle.name }

    func values(_ words: PageWords) -> TemplateValues {
        let segment = Link.segment(circle.name)
        var values = feeds.values(words)
        values.merge([
            "segment": .text(segment), "circleWho": .text(Link.segment(who)),
            "count": .text(words(circle.count, "1 person", "%n% people")),
            "people": .list(people.map(self.values(of:))),
            "hasMeetings": .flag(!meetings.isEmpty),
            "moreMeetings": .flag(hasMoreMeetings),
            "meetings": .list(meetings.map { $0.values(words) }),
            "hasOpenMeetings": .flag(!open.isEmpty),
            "openMeetings": .list(open.map { $0.values(words, in: zone) }),
        ]) { $1 }
        let pager = Pager(number, hasNext: people.isTruncated) {
            "circles/\(segment)?page=\($0)"
        }
        values.merge(pager.values) { $1 }
        return values
    }

    private func values(of person: CirclePerson) -> TemplateValues {
        let line = person.line
        let face = Face(ofContact: line.id, line.name, picture: person.picture)
        return face.values.merging([
            "person": .text(line.name), "who": .text(line.id),
            "address": .text(line.address == line.name ? "" : line.address),
            "isContact": .flag(person.isContact),
        ]) { $1 }
    }
}

extension OpenMeetingLine {
    /// The variables of a row in a list.
    fileprivate func values(_ words: PageWords, in zone: Zone) -> TemplateValues {
        let seats = seats.map { seats in
            words(
                "%free% of %n% seats are free",
                ["free": "\(max(seats - taken, 0))", "n": "\(seats)"])
        }
        var values: TemplateValues = [
            "openId": .text(id), "openName": .text(title),
            "openQuery": .text(date.map { "?date=\($0)" } ?? ""),
            "openWhen": .text(
                words.plainRange(from: start.moment, to: end.moment, in: zone, at: start.zone)),
            "openSeats": .text(
                seats ?? words(taken, "1 person is coming", "%n% people are coming")),
        ]
        values[text: "openPlace"] = place
        return values
    }
}

extension Site {
    /// Everything about circles.
    var allCircleRoutes: [Route] {
        circlesRoutes + circleRoutes + circleAddRoutes + circleEditRoutes + circleConfirmRoutes
    }

    /// A circle.
    var circleRoutes: [Route] { [route(.get, "/circles/:circle", showCircle)] }

    private static let memberPagesMax = 1_000

    private func showCircle(
        _ request: PageRequest, _ visitor: Visitor
    ) async throws -> PageAnswer {
        let planner = visitor.planner
        let circle = try await planner.circle(named: request["circle"])
        let number = min(max(request.query.count("page"), 1), Self.memberPagesMax)
        let rows = CirclePage.pageRows
        let coming = try await planner.meetings(Self.coming(circle))
        let page = CirclePage(
            circle: circle, who: planner.who(of: circle),
            people: try await planner.people(
                of: circle, from: (number - 1) * rows, limit: rows),
            number: number, meetings: coming.meetings.map { MeetingCard($0, visitor) },
            hasMoreMeetings: coming.truncated,
            feeds: FeedsPage(
                feeds: try await planner.feeds(of: circle), local: localOrigin(request),
                zone: planner.zone, circle: circle.name),
            open: try await planner.openMeetings(
                forCircle: circle, limit: CirclePage.meetingsMax), zone: planner.zone)
        return show(page, in: frame(request, visitor))
    }

    /// The query for the next meetings to which a circle was invited.
    private static func coming(_ circle: Circle) -> MeetingQuery {
        var query = MeetingQuery(.coming)
        query.circle = circle.name
        query.countMax = CirclePage.meetingsMax
        return query
    }
}
