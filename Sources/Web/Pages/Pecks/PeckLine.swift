import Planning
import Timekeeping
import Wording

/// A notification in the inbox, as pages show it.
struct PeckLine: Sendable {
    /// The variables of a notification.
    static let names = [
        "peckId", "peckKind", "peckTitle", "peckWhen", "isUnread", "snoozedUntil", "isAsked",
        "answerPath",
    ]

    let peck: PeckView
    let zone: Zone

    /// The meeting, or its date; `nil` if the reader may not see it any more. A notification about
    /// a follow leads to the list of followers.
    var link: Link? {
        peck.kind == .follow
            ? .followers() : peck.meeting.map { .meeting($0, date: peck.occurrence) }
    }

    func values(_ words: PageWords) -> TemplateValues {
        let query = peck.occurrence.map { "?date=\(Link.segment($0))" } ?? ""
        var values: TemplateValues = [
            "peckId": .text(peck.id), "peckKind": .text(words.notification(peck.kind)),
            "peckTitle": .text(peck.title),
            "peckWhen": .text(words.moment(peck.at.moment, in: zone)),
            "isUnread": .flag(!peck.isRead), "isAsked": .flag(peck.awaitsAnswer),
            "answerPath": .text("m/\(Link.segment(peck.meeting ?? ""))/answer\(query)"),
        ]
        values[text: "snoozedUntil"] = peck.snoozedUntil.map {
            words("Hidden until %time%", ["time": words.moment($0.moment, in: zone)])
        }
        return values
    }
}

/// The times until which a page hides a notification.
enum PeckSnooze {
    /// The times as they are typed, with their words.
    private static func choices(_ words: PageWords) -> [(time: String, words: String)] {
        [
            ("in 1h", words("In an hour")), ("in 3h", words("In three hours")),
            ("tomorrow 9:00", words("Tomorrow at 9:00")),
            ("monday 9:00", words("On Monday at 9:00")),
        ]
    }

    static func values(_ words: PageWords) -> TemplateValue {
        .list(choices(words).map { ["until": .text($0.time), "untilWords": .text($0.words)] })
    }

    /// The time of a form.
    ///
    /// - Throws: ``Refusal`` with `bad_time` if it is none of the choices.
    static func time(_ text: String) throws(Refusal) -> String {
        guard choices(.sample).contains(where: { $0.time == text }) else {
            throw Refusal(.invalid, code: "bad_time", "Choose one of the times.")
        }
        return text
    }
}
