import Agenda
import NIOHTTP1
import Planning
import Storage
import Timekeeping
import Wording

/// The circles of the reader.
struct CirclesPage: PageModel {
    static let template = "circles"
    static let names = TemplateNames(
        ["isEmpty", "newName", "fault"] + Pager.names,
        lists: ["circles": ["circle", "segment", "count", "nextWhen"]])

    /// The circles on a page.
    static let pageRows = 50

    let circles: FirstRows<CircleLine>
    /// The number of the page, from 1.
    let number: Int
    let zone: Zone
    var newName = ""
    /// The reason why a new circle could not be made.
    var fault: String?

    var section: Section? { .people }
    var topics: [String] { [ChangeTopic.circles, ChangeTopic.people] }

    func title(_ words: PageWords) -> String { words("Circles") }

    func values(_ words: PageWords) -> TemplateValues {
        var values: TemplateValues = [
            "isEmpty": .flag(circles.isEmpty && number == 1), "newName": .text(newName),
            "circles": .list(circles.map { self.values(of: $0, words) }),
        ]
        let pager = Pager(number, hasNext: circles.isTruncated) { "circles?page=\($0)" }
        values.merge(pager.values) { $1 }
        values[text: "fault"] = fault
        return values
    }

    private func values(of line: CircleLine, _ words: PageWords) -> TemplateValues {
        var values: TemplateValues = [
            "circle": .text(line.circle.name), "segment": .text(Link.segment(line.circle.name)),
            "count": .text(words(line.circle.count, "1 person", "%n% people")),
        ]
        values[text: "nextWhen"] = line.next.map { next in
            words(
                "next: %title%, %when%",
                [
                    "title": next.title,
                    "when": words.start(next.start, through: next.end, in: zone),
                ])
        }
        return values
    }
}

extension Site {
    /// The list of circles, and making one.
    var circlesRoutes: [Route] {
        [
            route(.get, "/circles") { request, visitor in
                let number = min(max(request.query.count("page"), 1), Self.circlePagesMax)
                return show(
                    try await circlesPage(number, visitor.planner), in: frame(request, visitor))
            }, route(.post, "/circles", makeCircle),
        ]
    }

    private static let circlePagesMax = 1_000

    private func circlesPage(_ number: Int, _ planner: Planner) async throws -> CirclesPage {
        let rows = CirclesPage.pageRows
        let circles = try await planner.circleLines(from: (number - 1) * rows, limit: rows)
        return CirclesPage(circles: circles, number: number, zone: planner.zone)
    }

    private func makeCircle(
        _ request: PageRequest, _ visitor: Visitor
    ) async throws -> PageAnswer {
        do {
            let made = try await visitor.planner.addCircle(request.form["name"], members: []).0
            return redirect(to: .circle(made.name, saved: "circle"))
        } catch {
            var page = try await circlesPage(1, visitor.planner)
            page.newName = request.form["name"]
            page.fault = try sentence(error, visitor)
            return show(page, in: Frame(visitor: visitor), .badRequest)
        }
    }
}
