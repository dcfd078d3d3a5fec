import Agenda
import Ledger
import Planning
import Timekeeping
import Wording

/// The consequences of a change for people: who is notified of what, and when.
struct Consequences: Sendable {
    /// The variables of the part of the template.
    static let names = ["tellHead", "tellIsNobody"]
    static let lists = ["tells": ["text"], "tellRemarks": ["text"]]

    private let added: [DeliveryView]
    private let superseded: [DeliveryView]
    private let suppressed: [DeliveryView]
    private let remarks: [Remark]
    private let now: Moment
    private let zone: Zone

    init(_ outcome: some ChangeOutcome, now: Moment, zone: Zone) {
        self.init([outcome], now: now, zone: zone)
    }

    /// The consequences of several changes together.
    init(_ outcomes: [some ChangeOutcome], now: Moment, zone: Zone) {
        added = outcomes.flatMap(\.notifications.added)
        superseded = outcomes.flatMap(\.notifications.superseded)
        suppressed = outcomes.flatMap(\.notifications.suppressed)
        // The page says it with a link.
        remarks = outcomes.flatMap(\.remarks).filter { $0.phrase != Planner.onlyPrinting }
        self.now = now
        self.zone = zone
    }

    private var planned: [DeliveryView] {
        DeliveryView.besidesInbox(added.filter { $0.state == .planned })
    }

    /// True if nobody but the terminal of the daemon gets a message, besides people with an inbox.
    var reachesNobody: Bool {
        let inboxes = Set(added.filter(\.isForInbox).compactMap(\.person))
        let others = planned.filter { !inboxes.contains($0.person ?? "") }
        return !others.isEmpty && others.allSatisfy { $0.channel == SinkKind.stdout.name }
    }

    func values(_ words: PageWords) -> TemplateValues {
        [
            "tellHead": .text(head(words)), "tellIsNobody": .flag(reachesNobody),
            "tells": .list(lines(words).map { ["text": .text($0)] }),
            "tellRemarks": .list(remarks.map { ["text": .text(words($0))] }),
        ]
    }

    // MARK: Sentences

    /// As in "3 invitations now, 8 reminders later".
    func head(_ words: PageWords) -> String {
        let kinds = NotificationKind.allCases.compactMap { kind -> String? in
            let count = planned.count { $0.kind == kind }
            return count == 0 ? nil : words.notifications(count, kind)
        }
        if kinds.isEmpty {
            return superseded.isEmpty
                ? words("Nobody is notified.") : words("Nobody is notified of anything new.")
        }
        return kinds.joined(separator: ", ")
    }

    func lines(_ words: PageWords) -> [String] {
        let told = NotificationKind.allCases.filter { $0 != .reminder }
            .compactMap { line(of: $0, words) }
        return told + reminders(words) + gone(words) + withheld(words)
    }

    /// As in "Invitation to Anna, Ben and 3 more".
    private func line(of kind: NotificationKind, _ words: PageWords) -> String? {
        let rows = planned.filter { $0.kind == kind }
        guard !rows.isEmpty else { return nil }
        let later = rows.filter { $0.due.moment > now.advanced(bySeconds: Self.nowSeconds) }
        let line = words(
            "%kind% to %names%",
            ["kind": words.notification(kind), "names": Self.names(of: rows, words)])
        guard let first = later.map(\.due.moment).min() else { return line }
        return words(
            "%line% (held back until %when%)",
            ["line": line, "when": words.moment(first, in: zone)])
    }

    private static let nowSeconds: Int64 = 60
    private static let namesMax = 5

    private static func names(of rows: [DeliveryView], _ words: PageWords) -> String {
        var seen: Set<String> = []
        let names = rows.filter { seen.insert($0.person ?? $0.name).inserted }.map(\.name)
        guard names.count > namesMax + 1 else { return names.joined(separator: ", ") }
        return words(
            "%names% and %n% more",
            [
                "names": names.prefix(namesMax).joined(separator: ", "),
                "n": "\(names.count - namesMax)",
            ])
    }

    private func reminders(_ words: PageWords) -> [String] {
        let times = Set(planned.filter { $0.kind == .reminder }.map(\.due.moment)).sorted()
        guard !times.isEmpty else { return [] }
        let shown = times.prefix(Self.timesMax).map { words.moment($0, in: zone) }
            .joined(separator: "; ")
        let more = times.count - Self.timesMax
        guard more > 0 else { return [words("Reminders: %times%", ["times": shown])] }
        return [
            words(
                more, "Reminders: %times%; and 1 more time",
                "Reminders: %times%; and %n% more times", ["times": shown])
        ]
    }

    private static let timesMax = 3

    private func gone(_ words: PageWords) -> [String] {
        let dropped = superseded.count { $0.kind == .reminder }
        let moved = min(dropped, planned.count { $0.kind == .reminder })
        return dropped == moved
            ? []
            : [words(dropped - moved, "1 reminder is dropped", "%n% reminders are dropped")]
    }

    private func withheld(_ words: PageWords) -> [String] {
        let rows =
            suppressed + added.filter { $0.state == .suppressed }
        guard !rows.isEmpty else { return [] }
        return [
            words("Not notified: %names%", ["names": Self.names(of: rows, words)])
        ]
    }
}

extension PageWords {
    /// A kind of notification.
    func notification(_ kind: NotificationKind) -> String {
        switch kind {
        case .invitation: self("Invitation")
        case .change: self("Change notice")
        case .cancellation: self("Cancellation")
        case .reminder: self("Reminder")
        case .nudge: self("Request to answer")
        case .message: self("Message")
        case .answer: self("Answer notice")
        case .proposal: self("Proposal notice")
        case .refusal: self("Refusal of the proposal")
        case .join: self("Join notice")
        case .leave: self("Leave notice")
        case .request: self("Request to join")
        case .promotion: self("Free seat")
        case .admission: self("Decision on the request to join")
        case .decision: self("Decision whether the meeting takes place")
        case .link: self("Link")
        case .digest: self("Digest")
        case .alarm: self("Alarm")
        case .signIn: self("Link to sign in")
        case .follow: self("News about followers")
        }
    }

    /// A number of notifications of one kind.
    func notifications(_ count: Int, _ kind: NotificationKind) -> String {
        switch kind {
        case .invitation: self(count, "1 invitation now", "%n% invitations now")
        case .change: self(count, "1 person learns of the change", "%n% people learn of the change")
        case .cancellation: self(count, "1 cancellation now", "%n% cancellations now")
        case .reminder: self(count, "1 reminder later", "%n% reminders later")
        case .nudge: self(count, "1 person is asked again", "%n% people are asked again")
        case .message: self(count, "1 message now", "%n% messages now")
        case .promotion: self(count, "1 person gets a seat", "%n% people get a seat")
        case .answer, .proposal, .refusal, .join, .leave, .request, .admission, .decision, .link,
            .digest, .alarm, .signIn, .follow:
            self(count, "1 other message", "%n% other messages")
        }
    }
}
