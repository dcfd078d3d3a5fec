import Agenda
import Calendars
import Ledger
import NIOHTTP1
import Planning
import Wording

/// The page that says what an act on a circle means, and asks for it: deleting the circle, and
/// removing somebody from it.
struct CircleConfirmPage: PageModel {
    static let template = "circle-confirm"
    static let names = TemplateNames(
        ["segment", "action", "confirm", "who"], lists: ["explanations": ["explanation"]])

    /// An act.
    enum Act: Sendable {
        /// The circle is deleted, with channels of these names and a number of feeds.
        case delete(channels: [String], feedCount: Int, meetings: [String])
        /// A person leaves the circle, and stays invited to meetings.
        case remove(PersonLine, meetings: [CircleInvitation])
    }

    private static let namesMax = 5

    let circle: Circle
    let act: Act

    var section: Section? { .people }

    func title(_ words: PageWords) -> String {
        switch act {
        case .delete: words("Delete the circle “%title%”?", ["title": circle.name])
        case .remove(let person, _):
            words(
                "Remove %name% from the circle “%title%”?",
                ["name": person.name, "title": circle.name])
        }
    }

    func values(_ words: PageWords) -> TemplateValues {
        var values: TemplateValues = [
            "segment": .text(Link.segment(circle.name)),
            "explanations": .list(explanations(words).map { ["explanation": .text($0)] }),
        ]
        switch act {
        case .delete:
            values["action"] = "delete"
            values["confirm"] = .text(words("Delete the circle"))
        case .remove(let person, _):
            values["action"] = "remove"
            values["confirm"] = .text(words("Remove from the circle"))
            values["who"] = .text(person.id)
        }
        return values
    }

    private func explanations(_ words: PageWords) -> [String] {
        switch act {
        case .delete(let channels, let feedCount, let meetings):
            let people = words(
                circle.count, "The person in it stays in your address book.",
                "The %n% people in it stay in your address book.")
            return [
                circle.count == 0 ? nil : people,
                stay(
                    meetings,
                    words(
                        "Meetings stay as they are. Nobody is uninvited from: %titles%.",
                        ["titles": listed(meetings)])),
                feedCount == 0
                    ? nil
                    : words(
                        feedCount, "Its feed ends. The address no longer works.",
                        "Its %n% feeds end. The addresses no longer work."),
                stay(
                    channels,
                    words(
                        "These channels are deleted, too: %names%.",
                        ["names": channels.joined(separator: ", ")])),
                words("The quiet hours of the circle no longer hold for the people in it."),
            ].compactMap(\.self)
        case .remove(let person, let meetings):
            let titles = meetings.map(\.meeting.title)
            return [
                words("%name% stays in your address book.", ["name": person.name]),
                stay(
                    titles,
                    words(
                        "They stay invited to coming meetings and get messages about them: "
                            + "%titles%.", ["titles": listed(titles)])),
            ].compactMap(\.self)
        }
    }

    /// A sentence about names; `nil` without names.
    private func stay(_ names: [String], _ sentence: String) -> String? {
        names.isEmpty ? nil : sentence
    }

    private func listed(_ titles: [String]) -> String {
        let more = titles.count > Self.namesMax ? ", …" : ""
        return titles.prefix(Self.namesMax).joined(separator: ", ") + more
    }
}

extension Site {
    /// Deleting circles, and removing people from them.
    var circleConfirmRoutes: [Route] {
        [
            route(.get, "/circles/:circle/delete", showDeletion),
            route(.post, "/circles/:circle/delete", deleteCircle),
            route(.get, "/circles/:circle/remove") { request, visitor in
                try await showLeaving(request, who: request.query["person"], visitor)
            }, route(.post, "/circles/:circle/remove", removeFromCircle),
        ]
    }

    /// The most coming meetings of which the page of a deletion knows.
    private static let deletionMeetingsMax = 6

    private func showDeletion(
        _ request: PageRequest, _ visitor: Visitor
    ) async throws -> PageAnswer {
        let planner = visitor.planner
        let circle = try await planner.circle(named: request["circle"])
        var query = MeetingQuery(.coming)
        (query.circle, query.countMax) = (circle.name, Self.deletionMeetingsMax)
        let planned = try await planner.deleteCircle(circle, saving: false)
        let act = CircleConfirmPage.Act.delete(
            channels: planned.channels,
            feedCount: try await planner.feeds(of: circle).count,
            meetings: try await planner.meetings(query).meetings.map(\.title))
        return show(CircleConfirmPage(circle: circle, act: act), in: Frame(visitor: visitor))
    }

    private func deleteCircle(
        _ request: PageRequest, _ visitor: Visitor
    ) async throws -> PageAnswer {
        let circle = try await visitor.planner.circle(named: request["circle"])
        guard request.form["do"] == "delete" else {
            return try await showDeletion(request, visitor)
        }
        try await visitor.planner.deleteCircle(circle)
        return redirect(to: .circles(saved: "circle-deleted"))
    }

    private func showLeaving(
        _ request: PageRequest, who id: String, _ visitor: Visitor
    ) async throws -> PageAnswer {
        let planner = visitor.planner
        let circle = try await planner.circle(named: request["circle"])
        guard let person = try await planner.person(id, in: circle) else {
            return redirect(to: .circle(circle.name))
        }
        let meetings = try await planner.remainingInvitations(
            of: [PersonID(text: person.id)], with: circle)
        let page = CircleConfirmPage(
            circle: circle, act: .remove(person, meetings: meetings))
        return show(page, in: Frame(visitor: visitor))
    }

    private func removeFromCircle(
        _ request: PageRequest, _ visitor: Visitor
    ) async throws -> PageAnswer {
        let planner = visitor.planner
        let circle = try await planner.circle(named: request["circle"])
        let id = request.form["person"]
        guard request.form["do"] == "remove" else {
            return try await showLeaving(request, who: id, visitor)
        }
        // Pressed twice, the person has left already.
        if try await planner.person(id, in: circle) != nil {
            _ = try await planner.removeMembers([PersonID(text: id)], from: circle)
        }
        return redirect(to: .circle(circle.name, saved: "member-removed"))
    }
}
