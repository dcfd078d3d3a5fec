import Agenda
import NIOHTTP1
import Planning
import Wording

/// The page that shows the consequences of an act and asks for it: cancelling a meeting or taking
/// that back, removing a guest, asking again for answers.
struct ConfirmPage: PageModel {
    static let template = "confirm"
    static let names = TemplateNames(
        ChangeTarget.names + Consequences.names + [
            "question", "explanation", "noteValue", "guest", "confirm", "isDanger",
            "hasPreview", "refusal", "key",
        ],
        lists: ChangeTarget.lists.merging(Consequences.lists) { $1 })

    /// An act.
    enum Act: Sendable {
        case cancel
        case uncancel
        case nudge
        case uninvite(MeetingView.Guest)
    }

    let target: ChangeTarget
    let act: Act
    /// The words for the people who are told of it.
    let note: String
    /// The key with which this form is carried out once, however often it is sent.
    var key = ""
    var consequences: Consequences?
    /// The reason why it cannot be done; `nil` if it can.
    var refusal: String?

    var section: Section? { .meetings }

    func title(_ words: PageWords) -> String {
        switch act {
        case .cancel: words("Cancel “%title%”?", ["title": target.view.title])
        case .uncancel:
            words("Let “%title%” take place after all?", ["title": target.view.title])
        case .nudge: words("Ask again for answers?")
        case .uninvite(let guest): words("Remove %name%?", ["name": guest.name])
        }
    }

    private func explanation(_ words: PageWords) -> String {
        switch act {
        case .cancel: words("The meeting stays in the lists, marked as cancelled.")
        case .uncancel: words("The guests are invited again. Their answers are as they were.")
        case .nudge:
            words("Everybody who has not answered is asked once more, at most once a day.")
        case .uninvite: words("They can no longer see the meeting or answer.")
        }
    }

    private func confirm(_ words: PageWords) -> String {
        switch act {
        case .cancel: words("Cancel the meeting")
        case .uncancel: words("Take the cancellation back")
        case .nudge: words("Ask again")
        case .uninvite: words("Remove from the meeting")
        }
    }

    private var isDanger: Bool {
        switch act {
        case .cancel, .uninvite: true
        case .uncancel, .nudge: false
        }
    }

    func values(_ words: PageWords) -> TemplateValues {
        var values: TemplateValues = [
            "explanation": .text(explanation(words)), "confirm": .text(confirm(words)),
            "hasPreview": .flag(consequences != nil), "noteValue": .text(note),
            "isDanger": .flag(isDanger), "key": .text(key),
        ]
        if case .uninvite(let guest) = act { values["guest"] = .text(guest.id) }
        values[text: "refusal"] = refusal
        values.merge(target.values(words)) { $1 }
        values.merge(consequences?.values(words) ?? [:]) { $1 }
        return values
    }
}

extension Site {
    /// Cancelling a meeting and taking that back, removing guests, and asking again.
    var confirmRoutes: [Route] {
        [
            route(.get, "/m/:id/cancel") { try await cancel($0, $1, saving: false) },
            formRoute(.post, "/m/:id/cancel") { try await cancel($0, $1, saving: true) },
            route(.get, "/m/:id/uncancel") { try await uncancel($0, $1, saving: false) },
            formRoute(.post, "/m/:id/uncancel") { try await uncancel($0, $1, saving: true) },
            route(.get, "/m/:id/nudge") { try await nudge($0, $1, saving: false) },
            formRoute(.post, "/m/:id/nudge") { try await nudge($0, $1, saving: true) },
            route(.get, "/m/:id/uninvite") { try await uninvite($0, $1, saving: false) },
            formRoute(.post, "/m/:id/uninvite") { try await uninvite($0, $1, saving: true) },
        ]
    }

    private func cancel(
        _ request: PageRequest, _ visitor: Visitor, saving: Bool
    ) async throws -> PageAnswer {
        let target = try await ChangeTarget(
            request, "cancel", [.date, .later, .all], visitor.planner)
        let page = ConfirmPage(target: target, act: .cancel, note: request.form["note"])
        return try await confirm(page, request, visitor, saving) { saving in
            try await visitor.planner.cancelMeeting(
                target.id, on: target.date, from: target.from, message: page.note, saving: saving,
                checking: target.check)
        }
    }

    private func uncancel(
        _ request: PageRequest, _ visitor: Visitor, saving: Bool
    ) async throws -> PageAnswer {
        let target = try await ChangeTarget(request, "uncancel", [.date], visitor.planner)
        let page = ConfirmPage(target: target, act: .uncancel, note: request.form["note"])
        return try await confirm(page, request, visitor, saving) { saving in
            try await visitor.planner.uncancelMeeting(
                target.id, on: target.date, message: page.note, saving: saving,
                checking: target.check)
        }
    }

    private func nudge(
        _ request: PageRequest, _ visitor: Visitor, saving: Bool
    ) async throws -> PageAnswer {
        let target = try await ChangeTarget(request, "nudge", [.date, .all], visitor.planner)
        let page = ConfirmPage(target: target, act: .nudge, note: request.form["note"])
        return try await confirm(page, request, visitor, saving) { saving in
            try await visitor.planner.nudge(
                target.id, on: target.date, note: page.note, saving: saving,
                checking: target.check)
        }
    }

    private func uninvite(
        _ request: PageRequest, _ visitor: Visitor, saving: Bool
    ) async throws -> PageAnswer {
        let target = try await ChangeTarget(request, "uninvite", [.date, .all], visitor.planner)
        let id = saving ? request.form["guest"] : request.query["guest"]
        guard let guest = target.view.participants.first(where: { $0.id == id }) else {
            return redirect(to: target.page())
        }
        let page = ConfirmPage(
            target: target, act: .uninvite(guest), note: request.form["note"])
        return try await confirm(page, request, visitor, saving) { saving in
            let people = try await visitor.planner.participants(
                named: [guest.id], of: target.id, on: target.date)
            return try await visitor.planner.uninvite(
                people, from: target.id, on: target.date, message: page.note, saving: saving,
                checking: target.check)
        }
    }

    /// Shows the consequences of an act, or carries it out. If the meeting was moved since the form
    /// was opened, the consequences are shown once more.
    private func confirm(
        _ page: ConfirmPage, _ request: PageRequest, _ visitor: Visitor, _ isPressed: Bool,
        _ change: (_ saving: Bool) async throws -> MeetingOutcome
    ) async throws -> PageAnswer {
        let (planner, frame) = (visitor.planner, Frame(visitor: visitor))
        try planner.checkMayChange(page.target.view)
        var page = page
        let fault = isPressed ? page.target.faultOfMove(since: request, frame.words(world)) : nil
        page.key = planner.newKey()
        page.refusal = fault?.text(frame.words(world))
        do {
            let isSaved = isPressed && fault == nil
            let outcome = try await change(isSaved)
            guard !isSaved else {
                return redirect(to: page.target.page(saved: page.target.action))
            }
            page.consequences = Consequences(outcome, now: planner.now, zone: planner.zone)
        } catch {
            page.refusal = try sentence(error, visitor)
        }
        return show(page, in: frame, isPressed ? .conflict : .ok)
    }
}
