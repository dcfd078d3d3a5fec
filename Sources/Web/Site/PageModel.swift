import Agenda
import Planning
import Settings
import Storage
import Timekeeping
import Wording

/// The content of a page: a value from one use case, and the variables of its template.
protocol PageModel: Sendable {
    /// The name of the template.
    static var template: String { get }
    /// The names of the variables.
    static var names: TemplateNames { get }
    /// The part of the navigation that the page belongs to.
    var section: Section? { get }

    /// The content of the page, as event streams name it (``ChangeTopic``): `m/ID` for one
    /// meeting, `m/` for any, `t/ID` and `t/` for tasks; empty if the page does not change while
    /// it is open.
    var topics: [String] { get }

    /// The title of the window.
    func title(_ words: PageWords) -> String
    /// The variables of the template.
    func values(_ words: PageWords) -> TemplateValues
}

extension PageModel {
    var section: Section? { nil }
    var topics: [String] { [] }
}

/// The parts of the navigation.
enum Section: String, CaseIterable, Sendable {
    case today, meetings, new, people, places, pecks

    /// The variable that is true on the pages of this part.
    var flag: String { "in" + rawValue.prefix(1).uppercased() + rawValue.dropFirst() }
}

/// The phrases of a language, and what else the words of a page depend on.
struct PageWords: Sendable {
    let language: Language
    private let templates: SiteTemplates?
    /// The absolute path of the site, with a slash at its end.
    let root: String
    /// The token for the forms of the page.
    let formToken: String

    init(
        _ language: Language, _ templates: SiteTemplates?, root: String = "/",
        formToken: String = ""
    ) {
        self.language = language
        self.templates = templates
        self.root = root
        self.formToken = formToken
    }

    /// For samples.
    static let sample = PageWords(.english, nil)

    /// A phrase in the language of the page, with `%name%` replaced by values.
    func callAsFunction(_ phrase: String, _ values: [String: String] = [:]) -> String {
        templates?.say(phrase, values, in: language) ?? phrase
    }

    /// A refusal in the language of the page, or in English.
    func refusal(_ refusal: Refusal) -> String {
        self.refusal(refusal.code) ?? refusal.message
    }

    /// A refusal in the language of the page; `nil` if only its English message is known.
    func refusal(_ code: String) -> String? { templates?.refusal(code, in: language) }

    /// A remark in the language of the page, or in English.
    func callAsFunction(_ remark: Remark) -> String { remark.phrase.map(say) ?? remark.text }

    /// A phrase with values, in the language of the page.
    func say(_ phrase: Phrase) -> String { phrase.words(in: language) { self($0) } }

    /// The time of a planner, in words.
    fileprivate func now(_ planner: Planner) -> String { moment(planner.now, in: planner.zone) }

    /// A phrase for one, or with `%n%` for any other number.
    func callAsFunction(
        _ count: Int, _ one: String, _ many: String, _ values: [String: String] = [:]
    ) -> String {
        self(count == 1 ? one : many, values.merging(["n": number(count)]) { $1 })
    }
}

/// The parts around the content of a page.
struct Frame: Sendable {
    /// A sentence about what just happened, or what is wrong.
    struct Notice: Sendable {
        enum Kind: Sendable { case plain, warning, trouble }

        let kind: Kind
        let text: String
    }

    let language: Language
    private let visitor: Visitor?
    private let theme: Theme
    var notices: [Notice] = []

    /// The frame for somebody who is not signed in.
    init(_ request: PageRequest, _ address: SiteAddress, language: Language) {
        self.language = language
        visitor = nil
        theme = Theme(request, address)
    }

    /// The frame for a person who is signed in.
    init(visitor: Visitor, notices: [Notice] = []) {
        language = visitor.language
        self.visitor = visitor
        theme = visitor.theme
        self.notices = notices
    }

    func words(_ world: Site.World) -> PageWords {
        PageWords(
            language, world.templates, root: world.address.folder + "/",
            formToken: visitor?.formToken ?? "")
    }

    /// The variables of the parts that all pages have.
    func values(of page: some PageModel, _ world: Site.World) -> TemplateValues {
        var values: TemplateValues = [
            "lang": .text(language.rawValue), "root": .text(world.address.folder + "/"),
            "title": .text(page.title(words(world))),
            "theme": theme == .system ? false : .text(theme.rawValue),
            "styleFile": .text(world.assets.name(of: "style.css")),
            "scriptFile": .text(world.assets.name(of: "app.js")),
            "iconFile": .text(world.assets.name(of: "icon.svg")),
            "topics": Self.topics(of: page, isSignedIn: visitor != nil),
            "hasBar": .flag(visitor != nil), "csrf": .text(visitor?.formToken ?? ""),
            "notices": .list(notices.map(Self.values)),
            "tomorrow": .text(visitor.map { Self.tomorrow($0.planner) } ?? ""),
            "myName": .text(visitor?.signedIn.person.name ?? ""),
            "myInitials": .text(Initials.of(visitor?.signedIn.person.name ?? "")),
        ]
        values[text: "unread"] = Self.count(visitor?.signedIn.unreadCount ?? 0)
        for section in Section.allCases { values[section.flag] = .flag(section == page.section) }
        values.merge(tileValues(world)) { $1 }
        values.merge(deviceValues(world)) { $1 }
        values[text: "demoNow"] = world.isDemo ? visitor.map { words(world).now($0.planner) } : nil
        return values
    }

    /// The number of unread notifications; `nil` if there are none.
    static func count(_ unread: Int) -> String? {
        switch unread {
        case ...0: nil
        case ..<Store.unreadPecksMax: "\(unread)"
        default: "\(Store.unreadPecksMax - 1)+"
        }
    }

    /// The topics that the page follows. What its reader is called, and their language and zone,
    /// is on all pages.
    private static func topics(of page: some PageModel, isSignedIn: Bool) -> TemplateValue {
        guard isSignedIn, !page.topics.isEmpty else { return false }
        return .text((page.topics + [ChangeTopic.me]).joined(separator: " "))
    }

    private static func tomorrow(_ planner: Planner) -> String {
        "\(planner.zone.wallTime(at: planner.now).date.adding(days: 1))"
    }

    /// The variables for what the browser keeps of the site, and how it shows it.
    private func deviceValues(_ world: Site.World) -> TemplateValues {
        var values: TemplateValues = [
            "offlineFile": .text(world.assets.name(of: "offline.js")),
            "touchIconFile": .text(world.assets.name(of: "touch-icon.png")),
            "isLight": .flag(theme == .light), "isDark": .flag(theme == .dark),
        ]
        values[text: "account"] = visitor?.accountMark
        values[text: "session"] = visitor?.sessionMark
        values[text: "clock"] = visitor?.planner.zone.id
        values[text: "keep"] = visitor.flatMap { $0.keepsPages ? $0.sessionMark : nil }
        return values
    }

    /// The variables of maps that can show tiles.
    private func tileValues(_ world: Site.World) -> TemplateValues {
        guard let tiles = world.address.tiles else { return [:] }
        let assets = world.assets
        return [
            "tiles": .text(tiles.template),
            "tilesWords": .text(
                self.words(world)("Load the map from %host%", ["host": tiles.host])),
            "tilesSource": .text(tiles.source),
            "leafletFile": .text(assets.name(of: "leaflet.js")),
            "leafletStyleFile": .text(assets.name(of: "leaflet.css")),
        ]
    }

    private static func values(of notice: Notice) -> TemplateValues {
        [
            "text": .text(notice.text), "isWarning": .flag(notice.kind == .warning),
            "isTrouble": .flag(notice.kind == .trouble), "isPlain": .flag(notice.kind == .plain),
        ]
    }

    /// Sample values of the variables that all pages have.
    static var sample: TemplateValues {
        let texts =
            [
                "lang", "root", "title", "theme", "styleFile", "scriptFile", "iconFile", "hasBar",
                "csrf", "topics", "myName", "myInitials", "demoNow", "tomorrow", "tiles",
                "tilesWords",
                "tilesSource",
                "leafletFile", "leafletStyleFile", "offlineFile", "touchIconFile", "isLight",
                "isDark", "account", "session", "clock", "keep", "unread",
            ] + Section.allCases.map(\.flag)
        var values = TemplateValues(uniqueKeysWithValues: texts.map { ($0, "x") })
        values["notices"] = .list([Self.values(of: Notice(kind: .plain, text: "x"))])
        return values
    }
}

/// The letters that stand for a person.
enum Initials {
    /// The first letters of the first and the last word of a name.
    static func of(_ name: String) -> String {
        let words = name.split(separator: " ").compactMap { word in
            word.first { $0.isLetter || $0.isNumber }
        }
        let ends = words.count > 1 ? [words[0], words[words.count - 1]] : Array(words.prefix(1))
        return String(ends).uppercased()
    }

    /// The class of the colour behind a person's letters: one of six, always the same.
    static func colour(of id: String) -> String {
        "c\(id.utf8.reduce(0) { ($0 &* 31 &+ Int($1)) & 0xFFFF } % 6)"
    }
}
