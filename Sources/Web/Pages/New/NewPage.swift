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
            "draft", "key", "meetingTitle", "titleFault", "city", "interest", "placeFault",
            "hasPlaces", "attribution", "placeText", "dateValue", "timeValue", "whenFault",
            "reading", "noteValue", "hasPreview", "missing", "isReady",
        ] + Consequences.names + FieldFault.names + GuestPicker.names,
        lists: [
            "places": ["placeId", "isChosen", "placeName", "placeLine", "distance"],
            "times": ["text"], "durations": ["value", "isChosen", "text"],
            "repeatChoices": ["value", "isChosen", "text"],
        ].merging(Consequences.lists) { $1 }.merging(FieldFault.lists) { $1 }
            .merging(GuestPicker.lists) { $1 })

    var fields: NewFields
    var guests = GuestPicker()
    var search: PlaceSearchView?
    var reading: String?
    var consequences: Consequences?
    var faults: [FieldFault] = []
    /// True if the person asked to create the meeting, so that what is missing is an error.
    var isPressed = false

    var section: Section? { .new }

    func title(_ words: PageWords) -> String { words("New meeting") }

    func values(_ words: PageWords) -> TemplateValues {
        let missing = fields.missing(words)
        var values: TemplateValues = [
            "draft": "", "key": .text(fields.key), "meetingTitle": .text(fields.title),
            "city": .text(fields.city), "interest": .text(fields.interest),
            "places": .list(places), "hasPlaces": .flag(search?.results.isEmpty == false),
            "placeText": .text(fields.placeText), "dateValue": .text(fields.date),
            "timeValue": .text(fields.time), "noteValue": .text(fields.note),
            "times": .list(Self.times.map { ["text": .text($0)] }),
            "durations": .list(words.durations(chosen: fields.duration)),
            "repeatChoices": .list(choices(Self.repetitions, fields.repetition, words)),
            "hasPreview": .flag(consequences != nil),
            "isReady": .flag(missing.isEmpty),
        ]
        values[text: "missing"] = missing.isEmpty ? nil : missing
        values[text: "reading"] = reading
        values[text: "attribution"] = search?.attribution
        values.merge(guests.values(words)) { $1 }
        values.merge(FieldFault.values(isPressed ? faults : [])) { $1 }
        values.merge(consequences?.values(words) ?? [:]) { $1 }
        for (name, fields) in [
            ("titleFault", ["title"]), ("placeFault", ["city", "place", "interest"]),
            ("whenFault", ["date", "duration", "repeat"]),
        ] {
            values[text: name] = faults.first { fields.contains($0.field) }?.text
        }
        return values
    }

    private static let times = (0..<48).map { half in
        "\(half / 2 < 10 ? "0" : "")\(half / 2):\(half % 2 == 0 ? "00" : "30")"
    }
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

    private var places: [TemplateValues] {
        (search?.results ?? []).map { place in
            PlaceLine(place).values.merging(["isChosen": .flag(place.id == fields.place)]) { $1 }
        }
    }
}

/// The fields of the form.
struct NewFields: Sendable {
    var title = ""
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
    func request(inviting guests: [String]) throws -> MeetingRequest {
        var request = MeetingRequest()
        request.title = title
        request.with = guests
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
        fields.placeText = request.query["place"]
        var page = NewPage(fields: fields)
        page.guests = await GuestPicker(request.query, planner)
        return show(page, in: Frame(visitor: visitor))
    }

    private func plan(_ request: PageRequest, _ visitor: Visitor) async throws -> PageAnswer {
        let planner = visitor.planner
        let frame = Frame(visitor: visitor)
        let words = frame.words(world)
        var page = NewPage(fields: NewFields(request.form))
        let deed = request.form["do"]
        page.guests = await GuestPicker(request.form, planner)
        if deed == "search" || !page.fields.place.isEmpty, !page.fields.interest.isEmpty {
            try await page.searchPlaces(planner, words)
        }
        page.isPressed = deed == "create"
        page.check(words)
        guard page.faults.isEmpty, page.guests.fault == nil else {
            return show(page, in: frame, page.isPressed ? .badRequest : .ok)
        }
        do {
            let outcome = try await planner.createMeeting(
                try page.fields.request(inviting: page.guests.who), saving: page.isPressed)
            guard page.isPressed else {
                page.consequences = Consequences(
                    outcome, now: planner.now, zone: planner.zone)
                return show(page, in: frame)
            }
            return redirect(to: .meeting(outcome.meeting.id, saved: "new"))
        } catch {
            page.faults = [try FieldFault(error)]
            page.isPressed = true
            return show(page, in: frame, .badRequest)
        }
    }
}

extension NewPage {
    fileprivate mutating func searchPlaces(_ planner: Planner, _ words: PageWords) async throws {
        do {
            search = try await planner.searchPlaces(
                city: fields.city, interest: fields.interest)
            if search?.results.isEmpty == true {
                faults.append(FieldFault(field: "city", text: words("No places were found.")))
            }
        } catch {
            faults.append(try FieldFault(error))
        }
    }

    fileprivate mutating func check(_ words: PageWords) {
        if fields.title.allSatisfy(\.isWhitespace) {
            faults.append(FieldFault(field: "title", text: words("Say what it is.")))
        }
        if fields.date.isEmpty || fields.time.isEmpty {
            faults.append(FieldFault(field: "date", text: words("Say when: a date and a time.")))
        }
    }
}
