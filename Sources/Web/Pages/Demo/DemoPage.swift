import Planning
import Timekeeping
import Wording

/// The messages that a demo has kept instead of sending them.
struct DemoPage: PageModel {
    static let template = "demo"
    static let names = TemplateNames(
        ["hasNone", "hasFresh", "hasEarlier", "freshHeading", "hasNext"],
        lists: [
            "fresh": ["receiver", "initials", "colour", "address", "sentAt", "subject", "body"],
            "earlier": ["receiver", "initials", "colour", "address", "sentAt", "subject", "body"],
        ])

    /// The messages, the latest last.
    let messages: [DemoMessage]
    /// The number of messages that are not new.
    let knownCount: Int
    /// True if a message is planned.
    let hasNext: Bool
    let zone: Zone

    /// The most messages on the page.
    private static let shownMax = 60

    func title(_ words: PageWords) -> String { words("What would have been sent") }

    func values(_ words: PageWords) -> TemplateValues {
        let fresh = messages.dropFirst(knownCount)
        let earlier = messages.prefix(knownCount)
        return [
            "hasNone": .flag(messages.isEmpty), "hasFresh": .flag(!fresh.isEmpty),
            "hasEarlier": .flag(!earlier.isEmpty), "hasNext": .flag(hasNext),
            "freshHeading": .text(words(fresh.count, "1 new message", "%n% new messages")),
            "fresh": .list(lines(fresh, words)), "earlier": .list(lines(earlier, words)),
        ]
    }

    private func lines(
        _ messages: ArraySlice<DemoMessage>, _ words: PageWords
    ) -> [TemplateValues] {
        messages.suffix(Self.shownMax).reversed().map { message in
            [
                "receiver": .text(message.name), "initials": .text(Initials.of(message.name)),
                "colour": .text(Initials.colour(of: message.address)),
                "address": .text(message.address), "subject": .text(message.subject),
                "sentAt": .text(words.moment(message.at, in: zone)),
                "body": .html(LinkedText.html(message.text)),
            ]
        }
    }
}

extension Site {
    /// The pages of a demo; none without one.
    var demoRoutes: [Route] {
        guard let demo else { return [] }
        return [
            route(.get, "/demo") { request, visitor in
                let messages = demo.messages()
                let known = Int(request.query["since"]).map { min(max($0, 0), messages.count) }
                return show(
                    DemoPage(
                        messages: messages, knownCount: known ?? messages.count,
                        hasNext: try await demo.next() != nil, zone: visitor.planner.zone),
                    in: frame(request, visitor))
            },
            route(.post, "/demo/clock") { request, visitor in
                let known = demo.messages().count
                if let end = try await destination(request.form["to"], demo, visitor.planner) {
                    try await demo.play(end)
                }
                return redirect(to: .demo(since: known))
            },
            route(.post, "/demo/leave") { request, visitor in
                demo.leave()
                return show(
                    DemoEndPage(), in: Frame(request, world.address, language: visitor.language))
            },
        ]
    }

    private static let hourSeconds: Int64 = 3600
    private static let morning = "09:00"

    /// The time to which a button moves the clock; `nil` for none.
    private func destination(
        _ button: String, _ demo: DemoControls, _ planner: Planner
    ) async throws -> Moment? {
        switch button {
        case "next": return try await demo.next()
        case "hour": return planner.now.advanced(bySeconds: Self.hourSeconds)
        case "morning":
            let date = planner.zone.wallTime(at: planner.now).adding(days: 1).date
            return try planner.moment("\(date)T\(Self.morning)", dayMeans: .start)
        default: return nil
        }
    }
}

/// The last page of a demo.
struct DemoEndPage: PageModel {
    static let template = "demo-end"
    static let names = TemplateNames([])

    func title(_ words: PageWords) -> String { words("The demo has ended") }

    func values(_ words: PageWords) -> TemplateValues { [:] }
}

/// A text whose web addresses can be followed.
enum LinkedText {
    /// The text as HTML.
    static func html(_ text: String) -> String {
        text.split(separator: "\n", omittingEmptySubsequences: false)
            .map { line in
                line.split(separator: " ", omittingEmptySubsequences: false).map(word)
                    .joined(separator: " ")
            }.joined(separator: "\n")
    }

    private static func word(_ word: Substring) -> String {
        let text = HTMLText.escaped(String(word))
        guard word.hasPrefix("http://") || word.hasPrefix("https://") else { return text }
        return "<a href=\"\(text)\" rel=\"noreferrer\">\(text)</a>"
    }
}
