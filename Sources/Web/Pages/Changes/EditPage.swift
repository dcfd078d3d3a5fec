import Agenda
import Ledger
import NIOHTTP1
import Planning
import Secrets
import Timekeeping
import Wording

/// The form that changes a meeting.
struct EditPage: ChangePage {
    static let template = "edit"
    static let names = TemplateNames(
        ChangeTarget.names + Consequences.names + FieldFault.names + FieldFault.besideNames + [
            "titleValue", "placeValue", "dateValue", "timeValue", "repeatValue", "remindersValue",
            "linkValue", "noteValue", "isWhole", "hasConflicts", "hasPreview", "shown", "zoneName",
            "asksAgain", "message", "isAllDay", "lastDayValue",
            "answerByValue", "asksAboutSeats", "keepsGoing",
        ] + FreeSlots.names + SeatingFields.names,
        lists: [
            "was": ["wasName", "wasValue"], "seatingKept": ["name", "value"],
            "conflicts": ["conflict"],
            "durations": ["value", "isChosen", "text"],
            "repeatChoices": ["value", "isChosen", "text"],
            "notifyChoices": ["value", "isChosen", "text"],
        ].merging(FreeSlots.lists) { $1 }.merging(ChangeTarget.lists) { $1 }.merging(
            Consequences.lists
        ) { $1 }
        .merging(FieldFault.lists) { $1 }.merging(SeatingFields.lists) { $1 })

    /// The people who are notified of the change.
    enum Notify: String, CaseIterable, Sendable {
        case usual, all, none
    }

    let target: ChangeTarget
    let merge: EditMerge
    var notify = Notify.usual
    /// True to ask for new answers even if the meeting moves only a little.
    var asksAgain = false
    /// The words for the people who are told of the change.
    var message = ""
    var consequences: Consequences?
    var faults: [FieldFault] = []
    var slots: FreeSlots?
    /// The names of the reader's circles.
    var circles: [String] = []
    /// True if the organizer confirmed fewer seats than people who are going.
    var keepsGoing = false

    var section: Section? { .meetings }

    func title(_ words: PageWords) -> String {
        words("Change “%title%”", ["title": target.view.title])
    }

    /// The current fields, which the form keeps to notice changes of others.
    private var theirs: EditFields { EditFields(target.view) }

    /// A fingerprint of what a preview showed: only that can be saved.
    var fingerprint: String {
        let fields = EditFields.all.map { merge.fields[keyPath: $0.path] }
        let choices = "\(notify)\(asksAgain)\(keepsGoing)"
        let text = ([choices] + fields + [message]).joined(separator: "\0")
        return String(Hexadecimal.text(SHA256.hash(text.utf8)).prefix(16))
    }

    func values(_ words: PageWords) -> TemplateValues {
        let fields = merge.fields
        var values: TemplateValues = [
            "titleValue": .text(fields.title), "placeValue": .text(fields.place),
            "dateValue": .text(fields.date), "timeValue": .text(fields.time),
            "isAllDay": .flag(fields.isAllDay), "lastDayValue": .text(fields.lastDay),
            "repeatValue": .text(fields.repetition),
            "repeatChoices": .list(Repetitions.values(chosen: fields.repetition, words)),
            "remindersValue": .text(fields.reminders), "answerByValue": .text(fields.answerBy),
            "linkValue": .text(fields.link), "noteValue": .text(fields.note),
            "isWhole": .flag(target.reach != .date), "zoneName": .text(target.view.tz),
            "was": .list(
                EditFields.all.map { name, path in
                    ["wasName": .text(name), "wasValue": .text(theirs[keyPath: path])]
                }), "hasConflicts": .flag(!merge.conflicts.isEmpty),
            "conflicts": .list(merge.conflicts.map { ["conflict": .text(words.conflict($0))] }),
            "seatingKept": .list(
                SeatingFields.fields.map { name, path in
                    ["name": .text(name), "value": .text(fields.seating[keyPath: path])]
                }),
            "asksAgain": .flag(asksAgain), "message": .text(message),
            "hasPreview": .flag(consequences != nil), "shown": .text(fingerprint),
            "durations": .list(words.durations(chosen: fields.duration)),
            "notifyChoices": .list(
                Notify.allCases.map { choice in
                    [
                        "value": .text(choice.rawValue), "text": .text(words.notify(choice)),
                        "isChosen": .flag(choice == notify),
                    ]
                }),
        ]
        values.merge(target.values(words)) { $1 }
        values.merge(FieldFault.values(faults, words)) { $1 }
        values.merge(FieldFault.besideValues(faults, words)) { $1 }
        values.merge(slots?.values(words) ?? [:]) { $1 }
        values.merge(fields.seating.values(circles: circles, faults: faults, words)) { $1 }
        values["asksAboutSeats"] = .flag(keepsGoing || faults.contains(where: \.isAboutGoing))
        values["keepsGoing"] = .flag(keepsGoing)
        values.merge(consequences?.values(words) ?? [:]) { $1 }
        return values
    }
}

extension PageWords {
    fileprivate func conflict(_ conflict: (name: String, theirs: String)) -> String {
        let field: String =
            switch conflict.name {
            case "title": self("title")
            case "place": self("place")
            case "date": self("date")
            case "time": self("time")
            case "allDay": self("whole days")
            case "lastDay": self("last day")
            case "duration": self("length")
            case "repeat": self("repetition")
            case "answerBy": self("answer-by time")
            case "reminders": self("reminders")
            case "link": self("link")
            case "note": self("note")
            default: self("seats")
            }
        return self(
            "Meanwhile the %field% was changed to “%value%”. Saving replaces it with your text.",
            ["field": field, "value": conflict.theirs])
    }

    fileprivate func notify(_ choice: EditPage.Notify) -> String {
        switch choice {
        case .usual: self("Tell people of a new time or place")
        case .all: self("Tell people, whatever changed")
        case .none: self("Tell nobody")
        }
    }

    /// The choices for the length of a meeting.
    func durations(chosen: String) -> [TemplateValues] {
        let table = [
            ("30m", "30 minutes"), ("1h", "1 hour"), ("90m", "1½ hours"), ("2h", "2 hours"),
            ("3h", "3 hours"), ("4h", "4 hours"), ("1d", "1 day"),
        ]
        let wanted = try? TimeSpan.parse(chosen)
        func isWanted(_ text: String) -> Bool {
            text == chosen
                || wanted?.minutes != nil && (try? TimeSpan.parse(text))?.minutes == wanted?.minutes
        }
        let others =
            table.contains { isWanted($0.0) } || chosen.isEmpty
            ? [] : [(chosen, wanted.map { length(Int64($0.minutes)) } ?? chosen)]
        return (table.map { ($0.0, self($0.1)) } + others).map { value, text in
            [
                "value": .text(isWanted(value) ? chosen : value), "text": .text(text),
                "isChosen": .flag(isWanted(value)),
            ]
        }
    }
}

extension TimeSpan {
    /// The length in minutes, with days of 24 hours.
    fileprivate var minutes: Int { days * 24 * 60 + seconds / 60 }
}

extension Site {
    /// Changing a meeting.
    var editRoutes: [Route] {
        [route(.get, "/m/:id/edit", showEdit), route(.post, "/m/:id/edit", edit)]
    }

    private static let editReaches: [ChangeTarget.Reach] = [.date, .later, .all]

    private func showEdit(_ request: PageRequest, _ visitor: Visitor) async throws -> PageAnswer {
        let target = try await changeTarget(request, "edit", Self.editReaches, visitor)
        let fields = EditFields(target.view)
        var page = EditPage(
            target: target, merge: EditMerge(fields, since: fields, theirs: fields))
        page.circles = try await circleNames(of: target, visitor.planner)
        return show(page, in: Frame(visitor: visitor))
    }

    /// The names of the circles to which the meeting can be opened: those of its organizer.
    private func circleNames(
        of target: ChangeTarget, _ planner: Planner
    ) async throws -> [String] {
        target.view.organizer.id == planner.actor.id.text ? try await circleNames(planner) : []
    }

    /// Times to which the meeting can be moved: at which those who have not declined can come.
    private func freeSlots(_ page: EditPage, _ planner: Planner) async throws -> FreeSlots {
        let (target, fields) = (page.target, page.merge.fields)
        let coming = target.view.participants.filter { $0.presentAnswer != .declined }.map(\.id)
        let people = try await planner.participants(named: coming, of: target.id, on: target.date)
        return try await FreeSlots(
            for: people, from: fields.date, lasting: fields.duration, moving: target.id,
            zone: target.view.start.zone ?? planner.zone, planner)
    }

    private func edit(_ request: PageRequest, _ visitor: Visitor) async throws -> PageAnswer {
        let target = try await changeTarget(request, "edit", Self.editReaches, visitor)
        let mine = EditFields(request.form)
        let base = EditFields(request.form, before: EditFields.before)
        var page = EditPage(
            target: target,
            merge: EditMerge(mine, since: base, theirs: EditFields(target.view)),
            notify: EditPage.Notify(rawValue: request.form["notify"]) ?? .usual)
        page.asksAgain = request.form["askAgain"] == "1"
        page.message = request.form["message"].replacing("\r\n", with: "\n")
        page.circles = try await circleNames(of: target, visitor.planner)
        page.keepsGoing = request.form["keepsGoing"] == "1"
        page.faults = try page.merge.faults(visitor.planner)
        if page.merge.changesSeating {
            let zone = target.view.start.zone ?? visitor.planner.zone
            page.faults += page.merge.fields.seating.faults(
                Frame(visitor: visitor).words(world), now: zone.wallTime(at: visitor.planner.now))
        }
        if request.form["do"] == "times", page.faults.isEmpty {
            do {
                page.slots = try await freeSlots(page, visitor.planner)
            } catch {
                page.faults = [try FieldFault(error)]
            }
        }
        guard page.faults.isEmpty, page.slots == nil else {
            return show(
                page, in: Frame(visitor: visitor), page.faults.isEmpty ? .ok : .badRequest)
        }
        let isSaved =
            request.form["do"] == "save" && page.merge.conflicts.isEmpty
            && request.form["shown"] == page.fingerprint
        return try await settle(page, visitor, saving: isSaved) {
            var edit = try page.merge.edit(on: target)
            edit.isNotified = page.notify == .all
            edit.isQuiet = page.notify == .none
            edit.message = page.message
            edit.seating?.isConfirmed = page.keepsGoing
            edit.asksAgain = page.asksAgain && edit.start != nil && !edit.isQuiet
            return try await visitor.planner.editMeeting(target.id, edit, saving: isSaved) { now in
                // Somebody else may save a change after the look above.
                let merge = EditMerge(mine, since: base, theirs: EditFields(now))
                guard merge.conflicts.isEmpty else { throw Refusal.changedMeanwhile }
            }
        }
    }
}
