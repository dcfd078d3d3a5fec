import Agenda
import NIOHTTP1
import Planning
import Wording

/// The address book of the reader.
struct PeoplePage: PageModel {
    static let template = "people"
    static let names = TemplateNames(
        ["q", "isEmpty", "more", "newName", "newAddress", "fault", "importFault"]
            + ImportNotes.flags,
        lists: [
            "people": ["person", "who", "address", "initials", "colour"],
            "circles": ["circle", "count"],
        ].merging(ImportNotes.lists) { $1 })

    /// A person of the list.
    struct Line: Sendable {
        let who: String
        let name: String
        let address: String
    }

    let query: String
    let people: [Line]
    let circles: [CircleView]
    let isTruncated: Bool
    var newName = ""
    var newAddress = ""
    var fault: String?
    /// The reason why a file could not be read.
    var importFault: String?
    /// The parts that the last import left out.
    var notes: ImportNotes?

    var section: Section? { .people }

    func title(_ words: PageWords) -> String { words("People") }

    func values(_ words: PageWords) -> TemplateValues {
        var values: TemplateValues = [
            "q": .text(query), "newName": .text(newName), "newAddress": .text(newAddress),
            "people": .list(
                people.map { person in
                    [
                        "person": .text(person.name), "who": .text(Link.segment(person.who)),
                        "address": .text(person.address == person.name ? "" : person.address),
                        "initials": .text(Initials.of(person.name)),
                        "colour": .text(Initials.colour(of: person.who)),
                    ]
                }),
            "circles": .list(
                circles.map { circle in
                    [
                        "circle": .text(circle.name),
                        "count": .text(words(circle.count, "1 person", "%n% people")),
                    ]
                }),
            "isEmpty": .flag(people.isEmpty && query.isEmpty),
        ]
        values[text: "more"] =
            isTruncated
            ? words("There are more. Search for them.")
            : people.isEmpty && !query.isEmpty
                ? words("Nobody is called “%name%”.", ["name": query]) : nil
        values[text: "fault"] = fault
        values[text: "importFault"] = importFault
        values.merge(notes?.values(words) ?? [:]) { $1 }
        return values
    }
}

extension PageWords {
    /// The result of reading an address book.
    fileprivate func imported(_ query: FormFields) -> String {
        imported(
            added: query.count("added"), changed: query.count("changed"),
            skipped: query.count("skipped"))
    }

    /// The same for known numbers of people and of parts that were skipped.
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

    private static let peopleMax = 200

    private func people(_ request: PageRequest, _ visitor: Visitor) async throws -> PageAnswer {
        var frame = frame(request, visitor)
        if request.query["saved"] == "import" {
            frame.notices = [
                Frame.Notice(kind: .plain, text: frame.words(world).imported(request.query))
            ]
        }
        return show(try await peoplePage(request.query["q"], visitor.planner), in: frame)
    }

    func peoplePage(_ query: String, _ planner: Planner) async throws -> PeoplePage {
        let found: [PeoplePage.Line]
        let isTruncated: Bool
        if query.isEmpty {
            let page = try await planner.firstPeople(limit: Self.peopleMax)
            isTruncated = page.isTruncated
            found = page.rows.map { person in
                PeoplePage.Line(
                    who: person.id, name: person.name,
                    address: person.emails.first?.address ?? "")
            }
        } else {
            let guests = try await planner.guestSuggestions(query, limit: Self.peopleMax + 1)
            isTruncated = guests.count > Self.peopleMax
            found = guests.prefix(Self.peopleMax).compactMap { guest in
                guard case .person = guest.kind else { return nil }
                return PeoplePage.Line(who: guest.who, name: guest.name, address: guest.address)
            }
        }
        return PeoplePage(
            query: query, people: found, circles: try await planner.circles(),
            isTruncated: isTruncated)
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
            var page = try await peoplePage("", visitor.planner)
            page.newName = request.form["name"]
            page.newAddress = request.form["address"]
            page.fault = try sentence(error, visitor)
            return show(page, in: Frame(visitor: visitor), .badRequest)
        }
    }
}
