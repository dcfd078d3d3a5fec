import NIOHTTP1
import Planning
import Wording

/// The form that invites more people to a meeting.
struct InvitePage: ChangePage {
    static let template = "invite"
    static let names = TemplateNames(
        ChangeTarget.names + Consequences.names + FieldFault.names + GuestPicker.names
            + ["hasPreview", "shown", "key"],
        lists: ChangeTarget.lists.merging(Consequences.lists) { $1 }
            .merging(FieldFault.lists) { $1 }.merging(GuestPicker.lists) { $1 })

    let target: ChangeTarget
    var guests = GuestPicker()
    /// The key with which this form is carried out once, however often it is sent.
    var key = ""
    var consequences: Consequences?
    var faults: [FieldFault] = []

    var section: Section? { .meetings }

    /// The guests of a preview: only they can be invited.
    var shown: String { guests.who.joined(separator: ",") }

    func title(_ words: PageWords) -> String {
        words("Invite to “%title%”", ["title": target.view.title])
    }

    func values(_ words: PageWords) -> TemplateValues {
        var values: TemplateValues = [
            "hasPreview": .flag(consequences != nil), "shown": .text(shown), "key": .text(key),
        ]
        values.merge(target.values(words)) { $1 }
        values.merge(guests.values(words)) { $1 }
        values.merge(FieldFault.values(faults, words)) { $1 }
        values.merge(consequences?.values(words) ?? [:]) { $1 }
        return values
    }
}

extension Site {
    /// Inviting more people.
    var inviteRoutes: [Route] {
        [
            route(.get, "/m/:id/invite") { request, visitor in
                let target = try await inviteTarget(request, visitor)
                return show(InvitePage(target: target), in: Frame(visitor: visitor))
            }, formRoute(.post, "/m/:id/invite", invite),
        ]
    }

    private func inviteTarget(
        _ request: PageRequest, _ visitor: Visitor
    ) async throws -> ChangeTarget {
        try await changeTarget(request, "invite", [.date, .all], visitor)
    }

    private func invite(_ request: PageRequest, _ visitor: Visitor) async throws -> PageAnswer {
        let target = try await inviteTarget(request, visitor)
        let guests = try await GuestPicker(request.form, visitor.planner)
        var page = InvitePage(target: target, guests: guests, key: visitor.planner.newKey())
        guard !guests.who.isEmpty, guests.fault == nil else {
            return show(page, in: Frame(visitor: visitor))
        }
        let isPressed = request.form["do"] == "save" && request.form["shown"] == page.shown
        let words = Frame(visitor: visitor).words(world)
        if isPressed, let fault = target.faultOfMove(since: request, words) {
            page.faults = [fault]
        }
        let isSaved = isPressed && page.faults.isEmpty
        return try await settle(page, visitor, saving: isSaved) {
            try await visitor.planner.invite(
                guests.who, to: target.id, on: target.date, saving: isSaved,
                checking: target.check)
        }
    }
}
