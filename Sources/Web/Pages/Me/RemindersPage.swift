import Agenda
import NIOHTTP1
import Planning
import Storage
import Timekeeping
import Wording

/// When the reader is reminded and gets messages.
struct RemindersPage: PageModel {
    static let template = "reminders"
    static let names = TemplateNames(
        FieldFault.names + Consequences.names + FormMerge.names + [
            "isEach", "isOwn", "isNone", "remindersValue", "isDefault", "isOwnHours", "quietValue",
            "windowsValue", "birthdays", "remindersFault", "quietFault",
            "windowsFault", "zoneName", "hasPreview",
        ],
        lists: [
            "digests": ["value", "text", "isChosen"], "meanings": ["meaning"],
        ].merging(FieldFault.lists) { $1 }.merging(Consequences.lists) { $1 }
            .merging(FormMerge.lists) { $1 })

    let fields: ReminderFields
    /// The policy as it is, or as it would be.
    let policy: PolicyView
    let zone: Zone
    var faults: [FieldFault] = []
    var consequences: Consequences?

    func title(_ words: PageWords) -> String { words("Reminders and quiet hours") }

    func values(_ words: PageWords) -> TemplateValues {
        let merge = fields.merge
        var values: TemplateValues = [
            "isEach": .flag(merge["choice"] == "each"), "isOwn": .flag(merge["choice"] == "own"),
            "isNone": .flag(merge["choice"] == "none"),
            "remindersValue": .text(merge["reminders"]),
            "isDefault": .flag(merge["hours"] == "default"),
            "isOwnHours": .flag(merge["hours"] == "own"),
            "quietValue": .text(merge["quiet"]), "windowsValue": .text(merge["windows"]),
            "birthdays": .flag(merge["birthdays"] == "1"), "zoneName": .text(zone.id),
            "hasPreview": .flag(consequences != nil),
            "digests": .list(
                [
                    ("none", words("None")), ("daily", words("Each day")),
                    ("weekly", words("Each week")),
                ]
                .map { value, text in
                    [
                        "value": .text(value), "text": .text(text),
                        "isChosen": .flag(value == merge["digest"]),
                    ]
                }),
            "meanings": .list(meanings(words).map { ["meaning": .text($0)] }),
        ]
        for name in ["reminders", "quiet", "windows"] {
            values[text: name + "Fault"] = faults.first { $0.field == name }?.text(words)
        }
        values.merge(FieldFault.values(faults, words)) { $1 }
        values.merge(merge.values(words) { ReminderFields.label($0, words) }) { $1 }
        values.merge(consequences?.values(words) ?? [:]) { $1 }
        return values
    }

    // MARK: Sentences

    /// The policy in sentences.
    func meanings(_ words: PageWords) -> [String] {
        [
            reminders(words), quiet(words), windows(words),
            policy.quietHours.isEmpty && policy.sendWindows.isEmpty
                ? nil
                : words(
                    "What falls into these hours waits. Two kinds do not wait: changes and "
                        + "cancellations of a meeting in the next 12 hours, and messages that "
                        + "would come too late."),
            digest(words),
            policy.birthdays
                ? words("Today and digests show the birthdays of your contacts.")
                : words("Birthdays are not shown."),
        ].compactMap(\.self)
    }

    private func reminders(_ words: PageWords) -> String {
        guard let spans = policy.reminders else {
            return words("You are reminded at the times that the organizer of each meeting sets.")
        }
        guard !spans.isEmpty else { return words("You are never reminded.") }
        let times = spans.compactMap { try? TimeSpan.parse($0) }
            .map { TimeWords.span($0, in: words.language) }.joined(separator: ", ")
        return words(
            "You are reminded %times% before each meeting, whatever its organizer says.",
            ["times": times])
    }

    private func quiet(_ words: PageWords) -> String {
        guard !policy.quietHours.isEmpty else { return words("There are no quiet hours.") }
        let hours = ["hours": policy.quietHours.joined(separator: "; ")]
        return switch policy.hoursFrom {
        case "circle": words("A circle sets your quiet hours: no messages %hours%.", hours)
        case "installation":
            words("This installation sets your quiet hours: no messages %hours%.", hours)
        default: words("No messages %hours%.", hours)
        }
    }

    private func windows(_ words: PageWords) -> String? {
        policy.sendWindows.isEmpty
            ? nil
            : words(
                "Messages come only %hours%.",
                ["hours": policy.sendWindows.joined(separator: "; ")])
    }

    private func digest(_ words: PageWords) -> String {
        switch policy.digest {
        case "daily":
            words(
                "Each day, one mail lists your meetings, open invitations and what waited. Whoever "
                    + "runs this installation sets the hour.")
        case "weekly":
            words(
                "Each week, one mail lists your meetings, open invitations and what waited. "
                    + "Whoever runs this installation sets the day and hour.")
        default: words("You get no digest.")
        }
    }
}

/// The fields of the form about reminders and quiet hours.
struct ReminderFields: Sendable {
    /// The names of the fields, in the order of the form.
    static let names = [
        "choice", "reminders", "hours", "quiet", "windows", "digest", "birthdays",
    ]

    let merge: FormMerge

    /// The fields of a policy.
    init(_ policy: PolicyView) { merge = FormMerge(Self.values(of: policy)) }

    /// The fields of a submitted form.
    init(_ form: FormFields, over policy: PolicyView) {
        merge = FormMerge(form, Self.names, theirs: Self.values(of: policy))
    }

    private static func values(of policy: PolicyView) -> [String: String] {
        let spans = policy.reminders?.compactMap { try? TimeSpan.parse($0).typedText }
        let isOwn = policy.hoursFrom == HoursOrigin.person.rawValue
        return [
            "choice": spans.map { $0.isEmpty ? "none" : "own" } ?? "each",
            "reminders": (spans ?? []).joined(separator: ", "),
            "hours": isOwn ? "own" : "default",
            "quiet": isOwn ? policy.quietHours.joined(separator: "; ") : "",
            "windows": isOwn ? policy.sendWindows.joined(separator: "; ") : "",
            "digest": policy.digest ?? "none", "birthdays": policy.birthdays ? "1" : "",
        ]
    }

    /// The name of a field for people.
    static func label(_ name: String, _ words: PageWords) -> String {
        switch name {
        case "choice", "reminders": words("Reminders")
        case "hours", "quiet": words("Quiet hours")
        case "windows": words("Only send messages")
        case "digest": words("Digest")
        default: words("Birthdays")
        }
    }

    /// The change that the fields ask for. Faults stand beside their fields.
    ///
    /// - Parameter faults: gets the faults.
    /// - Returns: the change.
    /// - Throws: an error that is a bug.
    func edit(_ faults: inout [FieldFault]) throws -> PolicyEdit {
        func read<Value>(_ field: String, _ body: () throws -> Value) throws -> Value? {
            do {
                return try body()
            } catch {
                faults.append(try FieldFault(error, field: field))
                return nil
            }
        }
        var edit = PolicyEdit()
        switch merge["choice"] {
        case "each": edit.reminders = .asEachMeetingSays
        case "none": edit.reminders = .own([])
        case "own":
            let spans = try read("reminders") { try ReminderText.parse(merge["reminders"]) }
            edit.reminders = .own(spans ?? [])
        default: break
        }
        let windows = try read("windows") { try CircleEditPage.spans(in: merge["windows"]) }
        edit.sendWindows = windows
        if merge["hours"] == "own" {
            edit.quietHours = try read("quiet") { try CircleEditPage.spans(in: merge["quiet"]) }
        } else {
            edit.followsDefaultHours = true
        }
        let period = DigestPeriod(rawValue: merge["digest"])
        edit.digest = period.map { .each($0) } ?? (merge["digest"] == "none" ? .none : .kept)
        edit.showsBirthdays = merge["birthdays"] == "1"
        return edit
    }
}

extension Site {
    /// The reminders and quiet hours of the reader.
    var reminderRoutes: [Route] {
        [
            route(.get, "/me/reminders") { request, visitor in
                let planner = visitor.planner
                let policy = try await planner.policy(of: planner.actor)
                let page = RemindersPage(
                    fields: ReminderFields(policy), policy: policy, zone: planner.zone)
                return show(page, in: frame(request, visitor))
            }, route(.post, "/me/reminders", setReminders),
        ]
    }

    private func setReminders(
        _ request: PageRequest, _ visitor: Visitor
    ) async throws -> PageAnswer {
        let planner = visitor.planner
        let policy = try await planner.policy(of: planner.actor)
        let fields = ReminderFields(request.form, over: policy)
        var page = RemindersPage(fields: fields, policy: policy, zone: planner.zone)
        let edit = try fields.edit(&page.faults)
        let isSaved = request.form["do"] == "save" && fields.merge.conflicts.isEmpty
        guard page.faults.isEmpty else {
            return show(page, in: Frame(visitor: visitor), .badRequest)
        }
        do {
            let outcome = try await planner.setPolicy(edit, of: planner.actor, saving: isSaved)
            guard !isSaved else { return redirect(to: .reminders(saved: "me")) }
            page = RemindersPage(fields: fields, policy: outcome.policy, zone: planner.zone)
            page.consequences = Consequences(outcome, now: planner.now, zone: planner.zone)
            let isConflict = !fields.merge.conflicts.isEmpty
            return show(page, in: Frame(visitor: visitor), isConflict ? .conflict : .ok)
        } catch {
            let isOfReminders = Refusal(error).code.contains("reminder")
            page.faults = [try FieldFault(error, field: isOfReminders ? "reminders" : "quiet")]
            return show(page, in: Frame(visitor: visitor), .badRequest)
        }
    }
}
