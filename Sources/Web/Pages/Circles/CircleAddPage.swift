import Agenda
import NIOHTTP1
import Planning
import Wording

/// The form that adds people to a circle. If the circle is invited to coming meetings in which they
/// do not take part, it asks whether they are invited to these, too, and shows what they are told.
struct CircleAddPage: PageModel {
    static let template = "circle-add"
    static let names = TemplateNames(
        Consequences.names + FieldFault.names + GuestPicker.names
            + ["segment", "isAsking", "canInvite", "shown", "key"],
        lists: ["joins": ["joinTitle", "joinWhen", "joinWho"]]
            .merging(Consequences.lists) { $1 }.merging(FieldFault.lists) { $1 }
            .merging(GuestPicker.lists) { $1 })

    let circle: Circle
    var guests: GuestPicker
    /// The key with which this form is carried out once, however often it is sent.
    var key = ""
    /// The coming meetings in which people who are added do not take part.
    var missing: [CircleInvitation] = []
    /// The messages that the invitations cause; `nil` if they are not asked for, or refused.
    var consequences: Consequences?
    var faults: [FieldFault] = []

    var section: Section? { .people }

    init(circle: Circle, guests: GuestPicker, key: String) {
        self.circle = circle
        self.guests = guests
        self.guests.isOfContacts = true
        self.key = key
    }

    /// The people and meetings that the question shows: only these invitations can be sent.
    var shown: String {
        missing.map { invitation in
            ([invitation.meeting.id] + invitation.people.map(\.id)).joined(separator: ",")
        }.joined(separator: ";")
    }

    func title(_ words: PageWords) -> String {
        words("Add people to “%title%”", ["title": circle.name])
    }

    func values(_ words: PageWords) -> TemplateValues {
        var values: TemplateValues = [
            "segment": .text(Link.segment(circle.name)), "key": .text(key),
            "isAsking": .flag(!missing.isEmpty), "canInvite": .flag(consequences != nil),
            "shown": .text(shown), "joins": .list(missing.map { self.values(of: $0, words) }),
        ]
        values.merge(guests.values(words)) { $1 }
        values.merge(FieldFault.values(faults, words)) { $1 }
        values.merge(consequences?.values(words) ?? [:]) { $1 }
        return values
    }

    private func values(of invitation: CircleInvitation, _ words: PageWords) -> TemplateValues {
        [
            "joinTitle": .text(invitation.meeting.title),
            "joinWhen": .text(words.time(of: invitation.meeting)),
            "joinWho": .text(invitation.people.map(\.name).joined(separator: ", ")),
        ]
    }
}

extension PageWords {
    /// The time of a meeting to which a circle is invited. A series is named by its first date.
    func time(of meeting: CircleMeetingView) -> String {
        let when = TimeWords.range(
            from: meeting.start.moment, to: meeting.end.moment, in: meeting.start.reader,
            at: meeting.start.zone, language)
        return meeting.repeats ? self("repeats, first on %when%", ["when": when]) : when
    }
}

extension Site {
    /// Adding people to circles.
    var circleAddRoutes: [Route] {
        [
            route(.get, "/circles/:circle/add") { request, visitor in
                let circle = try await visitor.planner.circle(named: request["circle"])
                let page = CircleAddPage(
                    circle: circle, guests: GuestPicker(), key: visitor.planner.newKey())
                return show(page, in: Frame(visitor: visitor))
            }, formRoute(.post, "/circles/:circle/add", addToCircle),
            route(.post, "/people/:person/circle", addPersonToCircle),
        ]
    }

    private func addToCircle(
        _ request: PageRequest, _ visitor: Visitor
    ) async throws -> PageAnswer {
        let planner = visitor.planner
        let circle = try await planner.circle(named: request["circle"])
        let guests = try await GuestPicker(request.form, planner)
        let page = CircleAddPage(circle: circle, guests: guests, key: planner.newKey())
        guard ["add", "join", "invite"].contains(request.form["do"]), !guests.who.isEmpty,
            guests.fault == nil
        else { return show(page, in: Frame(visitor: visitor)) }
        return try await settle(page, request, visitor) { .circle(circle.name, saved: $0) }
    }

    /// Puts a contact into a circle, from the page of the contact.
    private func addPersonToCircle(
        _ request: PageRequest, _ visitor: Visitor
    ) async throws -> PageAnswer {
        let planner = visitor.planner
        let contact = try await planner.contact(withID: request["person"]).view
        guard request.form.has("circle") else { return redirect(to: .person(contact.id)) }
        let circle = try await planner.circle(named: request.form["circle"])
        let guests = try await GuestPicker(chosen: [contact.id], planner)
        let page = CircleAddPage(circle: circle, guests: guests, key: planner.newKey())
        return try await settle(page, request, visitor) { .person(contact.id, saved: $0) }
    }

    /// Adds the chosen people to the circle. If meetings are missing, it asks first. If an
    /// invitation would be refused, nobody is added with invitations.
    ///
    /// - Parameters:
    ///   - page: the form with the chosen people.
    ///   - request: the request with the pressed button: `join` adds without invitations, `invite`
    ///     with those that were shown.
    ///   - visitor: the owner of the circle.
    ///   - target: the page that says what was done.
    /// - Returns: the question, the form with faults, or a redirect.
    /// - Throws: an error that is a bug.
    private func settle(
        _ page: CircleAddPage, _ request: PageRequest, _ visitor: Visitor,
        target: (_ saved: String) -> Link
    ) async throws -> PageAnswer {
        let planner = visitor.planner
        var page = page
        do {
            let people = try await planner.people(named: page.guests.who)
            page.missing = try await planner.missingInvitations(of: people, in: page.circle)
            let isWithout = page.missing.isEmpty || request.form["do"] == "join"
            if !isWithout {
                let outcomes = try await planner.invite(page.missing, saving: false)
                page.consequences = Consequences(
                    outcomes, now: planner.now, zone: planner.zone)
                let isPressed = request.form["do"] == "invite"
                guard isPressed, request.form["shown"] == page.shown else {
                    return show(page, in: Frame(visitor: visitor))
                }
            }
            _ = try await planner.addMembers(people, to: page.circle)
            guard !isWithout else { return redirect(to: target("members")) }
            _ = try await planner.invite(page.missing, saving: true)
            return redirect(to: target("members-invited"))
        } catch {
            page.faults = [try FieldFault(error, field: "who")]
            return show(page, in: Frame(visitor: visitor), .badRequest)
        }
    }
}
