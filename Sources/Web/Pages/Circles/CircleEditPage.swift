import Agenda
import NIOHTTP1
import Planning
import Wording

/// The settings of a circle: its name, its quiet hours and its channels.
struct CircleEditPage: PageModel {
    static let template = "circle-edit"
    static let names = TemplateNames(
        ["segment", "nameValue", "hoursValue", "isOwner", "nameFault", "hoursFault"],
        lists: ["channels": ["channelName", "channelKind"]])

    let circle: Circle
    var name: String
    /// The quiet hours, separated by semicolons.
    var hours = ""
    var channels: [ChannelView] = []
    /// True if the reader may set quiet hours of circles, and has channels for them.
    let isOwner: Bool
    var nameFault: String?
    var hoursFault: String?

    var section: Section? { .people }

    func title(_ words: PageWords) -> String {
        words("Change “%title%”", ["title": circle.name])
    }

    func values(_ words: PageWords) -> TemplateValues {
        var values: TemplateValues = [
            "segment": .text(Link.segment(circle.name)), "nameValue": .text(name),
            "hoursValue": .text(hours), "isOwner": .flag(isOwner),
            "channels": .list(
                channels.map {
                    ["channelName": .text($0.name), "channelKind": .text($0.kind)]
                }),
        ]
        values[text: "nameFault"] = nameFault
        values[text: "hoursFault"] = hoursFault
        return values
    }

    /// Reads quiet hours as they are typed, separated by semicolons.
    ///
    /// - Throws: ``Refusal`` with `bad_hours`.
    static func spans(in text: String) throws(Refusal) -> [WeekSpan] {
        var spans: [WeekSpan] = []
        // Commas separate the days of one part, as in "mon,wed 20:00-22:00".
        for part in text.split(separator: ";") where part.contains(where: { !$0.isWhitespace }) {
            do throws(WeekSpanError) {
                spans.append(try WeekSpan.parse(part.trimmingSpaces))
            } catch {
                throw Refusal(.invalid, code: "bad_hours", "\(error)")
            }
        }
        return spans
    }
}

extension Site {
    /// Changing the settings of circles.
    var circleEditRoutes: [Route] {
        [
            route(.get, "/circles/:circle/edit") { request, visitor in
                let circle = try await visitor.planner.circle(named: request["circle"])
                return show(
                    try await circleEditPage(circle, visitor.planner),
                    in: Frame(visitor: visitor))
            }, route(.post, "/circles/:circle/edit", editCircle),
        ]
    }

    /// The form with the settings as they are.
    private func circleEditPage(
        _ circle: Circle, _ planner: Planner
    ) async throws -> CircleEditPage {
        var page = CircleEditPage(
            circle: circle, name: circle.name, isOwner: planner.actsAsOwner)
        guard planner.actsAsOwner else { return page }
        page.hours = try await planner.quietHours(of: circle).quietHours.joined(separator: "; ")
        page.channels = try await planner.channels(of: circle)
        return page
    }

    private func editCircle(
        _ request: PageRequest, _ visitor: Visitor
    ) async throws -> PageAnswer {
        let planner = visitor.planner
        let circle = try await planner.circle(named: request["circle"])
        let form = request.form
        var page = try await circleEditPage(circle, planner)
        let before = page.hours
        page.name = form["name"]
        if form.has("hours") { page.hours = form["hours"] }
        do {
            if page.hours != before {
                let spans = try CircleEditPage.spans(in: page.hours)
                _ = try await planner.setQuietHours(spans, of: circle, saving: true)
            }
        } catch {
            page.hoursFault = try sentence(error, visitor)
            return show(page, in: Frame(visitor: visitor), .badRequest)
        }
        do {
            let name =
                page.name == circle.name
                ? circle.name : try await planner.renameCircle(circle, to: page.name).0.name
            return redirect(to: .circle(name, saved: "person"))
        } catch {
            page.nameFault = try sentence(error, visitor)
            return show(page, in: Frame(visitor: visitor), .badRequest)
        }
    }
}
