import Agenda
import NIOHTTP1
import Planning
import Storage
import Wording

/// The address book of the reader.
struct PeoplePage: PageModel {
    static let template = "people"
    static let names = TemplateNames(
        [
            "q", "isEmpty", "more", "found", "newName", "newAddress", "fault", "next",
            "isLater",
        ],
        lists: [
            "people": ["person", "who", "address"] + Face.names,
            "letters": ["letter", "from", "isCurrent"],
            "circles": ["circle", "segment", "count"],
        ])

    /// The most circles beside the list. All circles have a page of their own.
    static let circlesMax = 8

    /// A person of the list.
    struct Line: Sendable {
        let who: String
        let name: String
        let address: String
        /// The name of the picture; `nil` for none.
        var picture: String?

        var face: Face { Face(ofContact: who, name, picture: picture) }
    }

    let query: String
    var people: [Line]
    let circles: [CircleView]
    let isTruncated: Bool
    /// The first characters of the names in the address book, if it has more than one page.
    var letters: [String] = []
    /// The character at which the page begins; empty if none was chosen.
    var from = ""
    /// True if it is not the first page.
    var isLater = false
    var newName = ""
    var newAddress = ""
    var fault: String?

    var section: Section? { .people }
    var topics: [String] { [ChangeTopic.people, ChangeTopic.circles] }

    func title(_ words: PageWords) -> String { words("People") }

    func values(_ words: PageWords) -> TemplateValues {
        var values: TemplateValues = [
            "q": .text(query), "newName": .text(newName), "newAddress": .text(newAddress),
            "people": .list(
                people.map { person in
                    let line: TemplateValues = [
                        "person": .text(person.name), "who": .text(Link.segment(person.who)),
                        "address": .text(person.address == person.name ? "" : person.address),
                    ]
                    return line.merging(person.face.values) { $1 }
                }),
            "circles": .list(
                circles.prefix(Self.circlesMax).map { circle in
                    [
                        "circle": .text(circle.name),
                        "segment": .text(Link.segment(circle.name)),
                        "count": .text(words(circle.count, "1 person", "%n% people")),
                    ]
                }),
            "isEmpty": .flag(people.isEmpty && query.isEmpty),
        ]
        values[text: "more"] = query.isEmpty ? nil : more(words)
        values[text: "found"] =
            query.isEmpty ? nil : words(people.count, "1 person", "%n% people")
        values[text: "next"] = query.isEmpty && isTruncated ? people.last?.who : nil
        values["isLater"] = .flag(isLater)
        values["letters"] = .list(
            letters.map { letter in
                [
                    "letter": .text(letter), "from": .text(Link.segment(letter)),
                    "isCurrent": .flag(letter == from),
                ]
            })
        values[text: "fault"] = fault
        return values
    }

    /// The sentence about a search that found more than it shows, or nobody.
    private func more(_ words: PageWords) -> String? {
        guard !people.isEmpty else {
            return words("Nobody is called “%name%”.", ["name": query])
        }
        return isTruncated ? words("There are more. Type more of the name.") : nil
    }
}

extension PageWords {
    /// The result of reading an address book.
    func imported(added: Int, changed: Int, skipped: Int) -> String {
        [
            self(added, "1 person is new", "%n% people are new"),
            self(changed, "1 changed", "%n% changed"),
            skipped == 0 ? nil : self(skipped, "1 skipped", "%n% skipped"),
        ].compactMap(\.self).joined(separator: ", ") + "."
    }
}

extension Site {
    /// The address book.
    var peopleRoutes: [Route] {
        [route(.get, "/people", people), route(.post, "/people", addPerson)]
    }

    private static let foundMax = 200
    private static let pageMax = 100

    private func people(_ request: PageRequest, _ visitor: Visitor) async throws -> PageAnswer {
        let query = request.query["q"][...].trimmingSpaces
        return show(
            try await query.isEmpty
                ? bookPage(request.query, visitor.planner)
                : foundPage(query, visitor.planner), in: frame(request, visitor))
    }

    /// The first page of the address book.
    func peoplePage(_ planner: Planner) async throws -> PeoplePage {
        try await bookPage(FormFields(""), planner)
    }

    /// A page of the address book, from a character or after a person.
    private func bookPage(
        _ query: FormFields, _ planner: Planner
    ) async throws -> PeoplePage {
        let (from, after) = (query["from"], query["after"])
        let place: ContactPlace =
            !after.isEmpty ? .after(after) : from.isEmpty ? .start : .text(from)
        let rows = try await planner.people(from: place, limit: Self.pageMax)
        let isLater = !after.isEmpty || !from.isEmpty
        var page = PeoplePage(
            query: "",
            people: rows.rows.map { person in
                PeoplePage.Line(
                    who: person.id, name: person.name,
                    address: person.emails.first?.address ?? "")
            }, circles: try await planner.circles(), isTruncated: rows.isTruncated)
        page.from = after.isEmpty ? from.uppercased() : ""
        page.isLater = isLater
        if isLater || rows.isTruncated { page.letters = try await planner.contactInitials() }
        page.people = try await pictured(page.people, planner)
        return page
    }

    /// The people whom a search finds.
    private func foundPage(_ query: String, _ planner: Planner) async throws -> PeoplePage {
        let found = try await found(query, planner)
        return PeoplePage(
            query: query, people: try await pictured(Array(found.prefix(Self.foundMax)), planner),
            circles: try await planner.circles(), isTruncated: found.count > Self.foundMax)
    }

    /// The same people with the names of their pictures.
    func pictured(
        _ people: [PeoplePage.Line], _ planner: Planner
    ) async throws -> [PeoplePage.Line] {
        let names = try await planner.pictureNames(of: people.map(\.who))
        return people.map { person in
            var line = person
            line.picture = names[person.who]
            return line
        }
    }

    /// The people whom a search finds, the best matches first, and one more than a page shows.
    func found(_ query: String, _ planner: Planner) async throws -> [PeoplePage.Line] {
        try await planner.guestSuggestions(query, limit: Self.foundMax + 1).compactMap { guest in
            guard case .person = guest.kind else { return nil }
            return PeoplePage.Line(who: guest.who, name: guest.name, address: guest.address)
        }
    }

    private func addPerson(_ request: PageRequest, _ visitor: Visitor) async throws -> PageAnswer {
        var edit = ContactEdit()
        edit.name = request.form["name"]
        let address = request.form["address"].filter { !$0.isWhitespace }
        edit.emails = address.isEmpty ? nil : [address]
        do {
            let person = try await visitor.planner.addPerson(edit)
            let isOdd = !Planner.remarks(onAddressesOf: person).isEmpty
            return redirect(to: .people(saved: isOdd ? "odd-address" : "person"))
        } catch {
            var page = try await peoplePage(visitor.planner)
            page.newName = request.form["name"]
            page.newAddress = request.form["address"]
            page.fault = try sentence(error, visitor)
            return show(page, in: Frame(visitor: visitor), .badRequest)
        }
    }
}
