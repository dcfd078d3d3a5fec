import Agenda
import Ledger
import NIOHTTP1
import Planning
import Wording

/// The form that writes to the people of a meeting.
struct MessagePage: ChangePage {
    static let template = "message"
    static let names = TemplateNames(
        ChangeTarget.names + Consequences.names + FieldFault.names
            + FieldFault.besideNames + ["textValue", "hasPreview", "shown", "key", "people"],
        lists: ["receivers": ["value", "text", "isChosen"]]
            .merging(ChangeTarget.lists) { $1 }.merging(Consequences.lists) { $1 }
            .merging(FieldFault.lists) { $1 })

    /// The people who get the message.
    enum Receivers: String, CaseIterable, Sendable {
        case all, coming, silent

        var answers: Set<Answer> {
            switch self {
            case .all: []
            case .coming: [.going, .maybe]
            case .silent: [.invited]
            }
        }

        /// A digest of the people with these answers.
        func digest(in meeting: MeetingView) -> String {
            let ids = meeting.participants
                .filter { answers.isEmpty || answers.contains($0.presentAnswer) }.map(\.id)
            return SipHash.digest(of: ids.sorted().joined(separator: " "))
        }
    }

    let target: ChangeTarget
    var text = ""
    var receivers = Receivers.all
    /// The key with which this text is sent once, however often the form is sent.
    var key = ""
    var consequences: Consequences?
    var faults: [FieldFault] = []

    var section: Section? { .meetings }

    /// The message of a preview: only that can be sent.
    var shown: String { "\(receivers) \(text)" }

    /// The people who would get the message, which the form sends along.
    var people: String { receivers.digest(in: target.view) }

    /// The check, when the message is saved, that neither the time nor the receivers are others.
    var check: MeetingCheck {
        { [target, receivers, people] meeting in
            try target.check(meeting)
            guard receivers.digest(in: meeting) == people else { throw Refusal.changedMeanwhile }
        }
    }

    func title(_ words: PageWords) -> String {
        words("Write to the people of “%title%”", ["title": target.view.title])
    }

    func values(_ words: PageWords) -> TemplateValues {
        var values: TemplateValues = [
            "textValue": .text(text), "hasPreview": .flag(consequences != nil),
            "shown": .text(shown), "key": .text(key), "people": .text(people),
            "receivers": .list(
                Receivers.allCases.map { choice in
                    [
                        "value": .text(choice.rawValue), "text": .text(words.receivers(choice)),
                        "isChosen": .flag(choice == receivers),
                    ]
                }),
        ]
        values.merge(target.values(words)) { $1 }
        values.merge(FieldFault.values(faults, words)) { $1 }
        values.merge(FieldFault.besideValues(faults, words)) { $1 }
        values.merge(consequences?.values(words) ?? [:]) { $1 }
        return values
    }
}

extension PageWords {
    fileprivate func receivers(_ receivers: MessagePage.Receivers) -> String {
        switch receivers {
        case .all: self("Everybody")
        case .coming: self("Those who come or may come")
        case .silent: self("Those who have not answered")
        }
    }
}

extension Site {
    /// Writing to the people of a meeting.
    var messageRoutes: [Route] {
        [
            route(.get, "/m/:id/message") { request, visitor in
                let target = try await messageTarget(request, visitor)
                return show(MessagePage(target: target), in: Frame(visitor: visitor))
            }, formRoute(.post, "/m/:id/message", message),
        ]
    }

    private func messageTarget(
        _ request: PageRequest, _ visitor: Visitor
    ) async throws -> ChangeTarget {
        try await changeTarget(request, "message", [.date, .all], visitor)
    }

    /// The fault of a form that was opened before the meeting was moved, or before other people
    /// took part in it; `nil` if neither has changed.
    private func faultOfChange(
        of page: MessagePage, since request: PageRequest, _ visitor: Visitor
    ) -> FieldFault? {
        let words = Frame(visitor: visitor).words(world)
        if let fault = page.target.faultOfMove(since: request, words) { return fault }
        guard request.form.has("people"), request.form["people"] != page.people else { return nil }
        return FieldFault(
            field: "to",
            text: words("Meanwhile other people get this message. Look at it before you send it."))
    }

    private func message(_ request: PageRequest, _ visitor: Visitor) async throws -> PageAnswer {
        var page = MessagePage(
            target: try await messageTarget(request, visitor),
            text: request.form["text"].replacing("\r\n", with: "\n"),
            receivers: MessagePage.Receivers(rawValue: request.form["to"]) ?? .all)
        let shown = request.form["shown"].replacing("\r\n", with: "\n")
        let isPressed = request.form["do"] == "save" && shown == page.shown
        if isPressed, let fault = faultOfChange(of: page, since: request, visitor) {
            page.faults = [fault]
        }
        let isSaved = isPressed && page.faults.isEmpty
        let sent = request.form["key"]
        page.key = sent.isEmpty ? visitor.planner.newKey() : sent
        let (target, text, answers) = (page.target, page.text, page.receivers.answers)
        let check = page.check
        return try await settle(page, visitor, saving: isSaved) {
            try await visitor.planner.message(
                target.id, on: target.date, text, to: answers,
                key: sent.isEmpty ? nil : "\(sent) \(page.receivers)", saving: isSaved,
                checking: check)
        }
    }
}
