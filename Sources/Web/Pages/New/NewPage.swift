import Agenda
import Ledger
import NIOHTTP1
import Planning
import Settings
import Timekeeping
import Wording

/// The page on which a meeting is planned.
struct NewPage: PageModel {
    static let template = "new"
    static let names = TemplateNames(
        [
            "draft", "key", "meetingTitle", "titleFault", "hasFaults", "hasGuests", "who",
            "whoFault", "hasMatches", "city", "interest", "placeFault", "hasPlaces", "attribution",
            "placeText", "dateValue", "timeValue", "whenFault", "reading", "noteValue",
            "hasPreview", "tellHead", "missing", "isReady",
        ],
        lists: [
            "faults": ["field", "text"], "guests": ["guest", "guestWho"],
            "matches": ["match", "matchWho"],
            "places": ["placeId", "isChosen", "placeName", "placeLine", "distance"],
            "times": ["text"], "durations": ["value", "isChosen", "text"],
            "repeatChoices": ["value", "isChosen", "text"], "tells": ["text"],
        ])

    /// A fault, with the field that it belongs to.
    struct Fault: Sendable {
        let field: String
        let text: String
    }

    var fields: NewFields
    var guests: [GuestView] = []
    var matches: [GuestView] = []
    var search: PlaceSearchView?
    var reading: String?
    var preview: MeetingOutcome?
    var faults: [Fault] = []
    /// True if the person asked to create the meeting, so that what is missing is an error.
    var isPressed = false

    var section: Section? { .new }

    func title(_ words: PageWords) -> String { words("New meeting") }

    func values(_ words: PageWords) -> TemplateValues {
        let missing = fields.missing(words)
        var values: TemplateValues = [
            "draft": "", "key": .text(fields.key), "meetingTitle": .text(fields.title),
            "faults": .list(
                faults.map { ["field": .text($0.field), "text": .text($0.text)] }),
            "hasFaults": .flag(!faults.isEmpty && isPressed),
            "guests": .list(
                guests.map { ["guest": .text($0.name), "guestWho": .text($0.who)] }),
            "hasGuests": .flag(!guests.isEmpty), "who": .text(fields.who),
            "matches": .list(
                matches.map { ["match": .text($0.name), "matchWho": .text($0.who)] }),
            "hasMatches": .flag(!matches.isEmpty), "city": .text(fields.city),
            "interest": .text(fields.interest), "places": .list(places(words)),
            "hasPlaces": .flag(search?.results.isEmpty == false),
            "placeText": .text(fields.placeText), "dateValue": .text(fields.date),
            "timeValue": .text(fields.time), "noteValue": .text(fields.note),
            "times": .list(Self.times.map { ["text": .text($0)] }),
            "durations": .list(choices(Self.durations, fields.duration, words)),
            "repeatChoices": .list(choices(Self.repetitions, fields.repetition, words)),
            "hasPreview": .flag(preview != nil), "tells": .list(tells(words)),
            "missing": .text(missing), "isReady": .flag(missing.isEmpty),
        ]
        values[text: "reading"] = reading
        values[text: "attribution"] = search?.attribution
        values[text: "tellHead"] = head(words)
        for (name, field) in [
            ("titleFault", "title"), ("whoFault", "who"), ("placeFault", "city"),
            ("whenFault", "date"),
        ] {
            values[text: name] = faults.first { $0.field == field }?.text
        }
        return values
    }

    private static let times = (0..<48).map { half in
        "\(half / 2 < 10 ? "0" : "")\(half / 2):\(half % 2 == 0 ? "00" : "30")"
    }
    private static let durations = [
        ("30m", "30 minutes"), ("1h", "1 hour"), ("90m", "1½ hours"), ("2h", "2 hours"),
        ("3h", "3 hours"), ("4h", "4 hours"), ("1d", "1 day"),
    ]
    private static let repetitions = [
        ("", "Never"), ("daily", "Every day"), ("weekly", "Every week"),
        ("every 2 weeks", "Every two weeks"), ("monthly", "Every month"), ("yearly", "Every year"),
    ]

    private func choices(
        _ table: [(String, String)], _ chosen: String, _ words: PageWords
    ) -> [TemplateValues] {
        table.map { value, text in
            [
                "value": .text(value), "text": .text(words(text)),
                "isChosen": .flag(value == chosen),
            ]
        }
    }

    private func places(_ words: PageWords) -> [TemplateValues] {
        (search?.results ?? []).map { place in
            [
                "placeId": .text(place.id), "placeName": .text(place.name),
                "placeLine": .text(
                    [place.kind, place.address]
                        .filter { !$0.isEmpty }.joined(separator: " · ")),
                "distance": .text(place.distanceM.map { "\($0) m" } ?? ""),
                "isChosen": .flag(place.id == fields.place),
            ]
        }
    }

    // MARK: What people will be told

    private func head(_ words: PageWords) -> String? {
        guard let preview else { return nil }
        let added = preview.notifications.added
        let invitations = added.count { $0.kind == .invitation }
        let reminders = added.count { $0.kind == .reminder }
        return [
            words(invitations, "1 invitation now", "%n% invitations now"),
            words(reminders, "1 reminder later", "%n% reminders later"),
        ].joined(separator: ", ")
    }

    private func tells(_ words: PageWords) -> [TemplateValues] {
        guard let preview else { return [] }
        let channels = Dictionary(grouping: preview.notifications.added) { $0.channel }
        let lines = channels.sorted { $0.key < $1.key }.map { channel, deliveries in
            words(deliveries.count, "1 by \(channel)", "%n% by \(channel)")
        }
        return (lines + preview.remarks.map(\.text)).map { ["text": .text($0)] }
    }
}

/// The fields of the form.
struct NewFields: Sendable {
    var title = ""
    var with: [String] = []
    var who = ""
    var city = ""
    var interest = ""
    var place = ""
    var placeText = ""
    var date = ""
    var time = ""
    var duration = "1h"
    var repetition = ""
    var note = ""
    var key = ""

    init() {}

    init(_ form: FormFields) {
        title = form["title"]
        with = form.all("with")
        who = form["who"]
        city = form["city"]
        interest = form["interest"]
        place = form["place"]
        placeText = form["placeText"]
        date = form["date"]
        time = form["time"]
        duration = form.has("duration") ? form["duration"] : "1h"
        repetition = form["repeat"]
        note = form["note"]
        key = form["key"]
    }

    /// The parts that are needed and not there, in a sentence; empty if nothing is missing.
    func missing(_ words: PageWords) -> String {
        let isBlank = title.allSatisfy(\.isWhitespace)
        switch (isBlank, date.isEmpty || time.isEmpty) {
        case (false, false): return ""
        case (true, true): return words("Say what it is, and when.")
        case (true, false): return words("Say what it is.")
        case (false, true): return words("Say when: a date and a time.")
        }
    }

    /// The request that the fields describe.
    ///
    /// - Throws: `TimeTextError` if the duration cannot be read.
    func request() throws -> MeetingRequest {
        var request = MeetingRequest()
        request.title = title
        request.with = with
        request.place = place.isEmpty ? (placeText.isEmpty ? nil : placeText) : place
        request.placeText = place.isEmpty || placeText.isEmpty ? nil : placeText
        request.start = "\(date) \(time)"
        request.duration = try TimeSpan.parse(duration)
        request.repetition = repetition.isEmpty ? nil : repetition
        request.note = note
        request.key = key.isEmpty ? nil : key
        return request
    }
}

extension Site {
    /// Planning a meeting.
    var newRoutes: [Route] { [route(.get, "/new", startNew), route(.post, "/new", plan)] }

    private func startNew(_ request: PageRequest, _ visitor: Visitor) async throws -> PageAnswer {
        let planner = visitor.planner
        var fields = NewFields()
        fields.city = planner.surroundings.configuration[.area] ?? ""
        let tomorrow = try planner.day(nil).adding(days: 1)
        fields.date = request.query["date"].isEmpty ? "\(tomorrow)" : request.query["date"]
        fields.time = "19:00"
        fields.key = planner.newKey()
        return show(NewPage(fields: fields), in: Frame(visitor: visitor))
    }

    private func plan(_ request: PageRequest, _ visitor: Visitor) async throws -> PageAnswer {
        let planner = visitor.planner
        let frame = Frame(visitor: visitor)
        let words = frame.words(world)
        var page = NewPage(fields: NewFields(request.form))
        let deed = request.form["do"]
        page.fields.with.removeAll { $0 == request.form["remove"] }
        if request.form.has("add") {
            page.fields.with.append(request.form["add"])
            page.fields.who = ""
        }
        await page.readGuests(planner)
        if deed == "search" || !page.fields.place.isEmpty, !page.fields.interest.isEmpty {
            await page.searchPlaces(planner)
        }
        page.isPressed = deed == "create"
        page.check(words)
        guard page.faults.isEmpty else {
            return show(page, in: frame, page.isPressed ? .badRequest : .ok)
        }
        do {
            let outcome = try await planner.createMeeting(
                try page.fields.request(), saving: page.isPressed)
            guard page.isPressed else {
                page.preview = outcome
                return show(page, in: frame)
            }
            return redirect(to: .meeting(outcome.meeting.id, saved: "new"))
        } catch {
            let refusal = Refusal(error)
            guard refusal.category != .bug else { throw error }
            page.faults = [NewPage.Fault(field: page.field(of: refusal), text: refusal.message)]
            page.isPressed = true
            return show(page, in: frame, .badRequest)
        }
    }
}

extension NewPage {
    /// Reads the typed names: those that mean somebody become guests, the others stay.
    fileprivate mutating func readGuests(_ planner: Planner) async {
        for name in fields.who.split(separator: ",") {
            let name = name.trimmingSpaces
            guard !name.isEmpty else { continue }
            do {
                fields.with.append(try await planner.guest(name).who)
                fields.who = ""
            } catch {
                faults.append(Fault(field: "who", text: Refusal(error).message))
                matches += (try? await planner.guestSuggestions(name, limit: 6)) ?? []
            }
        }
        var seen: Set<String> = []
        for who in fields.with where seen.insert(who).inserted {
            if let guest = try? await planner.guest(who) { guests.append(guest) }
        }
        fields.with = guests.map(\.who)
    }

    fileprivate mutating func searchPlaces(_ planner: Planner) async {
        var request = PlaceRequest()
        request.city = fields.city.isEmpty ? nil : fields.city
        request.interest = fields.interest
        do {
            search = try await planner.searchPlaces(request)
            if search?.results.isEmpty == true {
                faults.append(Fault(field: "city", text: "No places were found."))
            }
        } catch {
            faults.append(Fault(field: "city", text: Refusal(error).message))
        }
    }

    fileprivate mutating func check(_ words: PageWords) {
        if fields.title.allSatisfy(\.isWhitespace) {
            faults.append(Fault(field: "title", text: words("Say what it is.")))
        }
        if fields.date.isEmpty || fields.time.isEmpty {
            faults.append(Fault(field: "date", text: words("Say when: a date and a time.")))
        }
    }

    fileprivate func field(of refusal: Refusal) -> String {
        switch refusal.code {
        case let code where code.contains("title"): "title"
        case let code where code.contains("person") || code.contains("address"): "who"
        case let code where code.contains("place") || code.contains("city"): "city"
        default: "date"
        }
    }
}

extension Substring {
    fileprivate var trimmingSpaces: String {
        let head = drop(while: \.isWhitespace)
        return String(head.reversed().drop(while: \.isWhitespace).reversed())
    }
}
