import Agenda
import Planning
import Wording

/// The guests that a form names: those who are chosen already, and what was typed for more.
struct GuestPicker: Sendable {
    /// The variables of the part of the template.
    static let names = ["hasGuests", "who", "whoFault", "hasMatches", "isOfContacts"]
    static let lists = ["guests": ["guest", "guestWho"], "matches": ["match", "matchWho"]]

    /// The chosen guests, each as a WHO that means exactly this guest.
    private(set) var chosen: [GuestView] = []
    /// The text that is not understood yet.
    private(set) var typed = ""
    /// People that it may mean.
    private(set) var matches: [GuestView] = []
    /// The reason why it is not understood; `nil` without text.
    private(set) var fault: FieldFault?
    /// True if the reason is that the matches have the same name or address.
    private var isAmbiguous = false

    /// True if only contacts and the people of other circles can be chosen.
    var isOfContacts = false

    /// No guests.
    init() {}

    /// Chosen guests. Names that are not understood become the typed text, with the reason.
    ///
    /// - Throws: an error of this installation.
    init(chosen names: [String], _ planner: Planner) async throws {
        typed = try await take(names, planner).joined(separator: ", ")
    }

    /// The guests of a form, after the pressed buttons that add and remove guests.
    ///
    /// - Throws: an error of this installation.
    init(_ form: FormFields, _ planner: Planner) async throws {
        var names = form.all("with").filter { $0 != form["remove"] }
        names += form.all("add")
        // A text that is still being typed is not looked up: that is for the suggestions.
        let typed = form.has("add") || form.has("live") ? [] : Self.names(in: form["who"])
        var rest = try await take(names, planner)
        if form.has("live") { rest.append(form["who"]) }
        rest += try await take(typed, planner)
        self.typed = rest.filter { !$0.isEmpty }.joined(separator: ", ")
    }

    /// Adds guests.
    ///
    /// - Returns: the names that are not understood.
    private mutating func take(_ names: [String], _ planner: Planner) async throws -> [String] {
        var rest: [String] = []
        for name in names.uniqued().prefix(Self.guestsMax) {
            // The first unknown names are explained; looking up many takes long.
            guard rest.count < Self.unknownMax else {
                rest.append(name)
                continue
            }
            do {
                add(try await planner.guest(name))
            } catch {
                rest.append(name)
                try await explain(error, name, planner)
            }
        }
        return rest
    }

    /// Takes the reason why a name is not understood, and the people that it may mean.
    private mutating func explain(
        _ error: any Error, _ name: String, _ planner: Planner
    ) async throws {
        // Without a reason, the meeting would be planned without this guest.
        let reason = try FieldFault(error)
        fault = fault ?? reason
        guard matches.isEmpty else { return }
        let refusal = Refusal(error)
        let meant = (try? await planner.guests(meantBy: refusal)) ?? []
        isAmbiguous = refusal.ambiguousText != nil
        matches =
            meant.isEmpty
            ? (try? await planner.guestSuggestions(name, limit: Self.matchesMax)) ?? []
            : Array(meant.prefix(Self.matchesMax))
    }

    private static let guestsMax = 500
    private static let matchesMax = 6
    /// The number of unknown names after which no more names are looked up.
    private static let unknownMax = 5

    /// The WHO of each chosen guest.
    var who: [String] { chosen.map(\.who) }

    private mutating func add(_ guest: GuestView) {
        guard !chosen.contains(where: { $0.who == guest.who }) else { return }
        chosen.append(guest)
    }

    /// The names in a text, which commas, semicolons and line ends separate.
    static func names(in text: String) -> [String] {
        text.split { $0 == "," || $0 == ";" || $0.isNewline }
            .map { $0.trimmingSpaces }.filter { !$0.isEmpty }
    }

    func values(_ words: PageWords) -> TemplateValues {
        var values: TemplateValues = [
            "guests": .list(
                chosen.map { ["guest": .text(words.name(of: $0)), "guestWho": .text($0.who)] }),
            "hasGuests": .flag(!chosen.isEmpty), "who": .text(typed),
            "matches": .list(
                matches.map { ["match": .text(words.name(of: $0)), "matchWho": .text($0.who)] }),
            "hasMatches": .flag(!matches.isEmpty), "isOfContacts": .flag(isOfContacts),
        ]
        values[text: "whoFault"] = fault.map { fault -> String in
            let names = matches.map { words.name(of: $0) }
            guard isAmbiguous, !names.isEmpty else { return fault.text(words) }
            return words(
                "%fault% It may be: %names%.",
                ["fault": fault.text(words), "names": names.joined(separator: ", ")])
        }
        return values
    }
}

extension PageWords {
    /// A guest as buttons name them: circles with their size, namesakes with their address.
    func name(of guest: GuestView) -> String {
        switch guest.kind {
        case .circle(let count):
            "\(guest.name) (\(self(count, "1 person", "%n% people")))"
        case .person where guest.hasNamesake && !guest.address.isEmpty:
            "\(guest.name) (\(guest.address))"
        case .stranger where guest.name != guest.address && !guest.address.isEmpty:
            "\(guest.name) (\(guest.address))"
        case .person, .stranger: guest.name
        }
    }
}

extension PageWords {
    /// The part of a guest that distinguishes them from others of the same name.
    func detail(of guest: GuestView) -> String {
        switch guest.kind {
        case .circle(let count): self(count, "1 person", "%n% people")
        case .person, .stranger: guest.address == guest.name ? "" : guest.address
        }
    }
}

extension Substring {
    /// The text without white space at its ends.
    var trimmingSpaces: String {
        let head = drop(while: \.isWhitespace)
        return String(head.reversed().drop(while: \.isWhitespace).reversed())
    }
}
