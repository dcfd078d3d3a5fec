import Agenda
import Calendars
import Planning
import Timekeeping
import Wording

/// The page on which a meeting is planned.
struct NewPage: PageModel {
    static let template = "new"
    static let names = TemplateNames(
        [
            "draft", "key", "meetingTitle", "titleFault", "city", "interest", "near", "placeFault",
            "hasPlaces", "attribution", "placeText", "linkValue", "linkFault", "dateValue",
            "timeValue", "whenFault", "reading", "readingThere", "noteValue", "hasPreview",
            "missing", "isReady", "remindersValue", "remindersFault", "hasSlots", "slotsNote",
            "hasDates", "isMore",
        ] + Consequences.names + FieldFault.names + GuestPicker.names + MapBox.names,
        lists: [
            "places": ["placeId", "isChosen", "placeName", "placeLine", "distance", "number"],
            "times": ["text"], "durations": ["value", "isChosen", "text"],
            "repeatChoices": ["value", "isChosen", "text"], "dates": ["text"],
            "slots": ["slotValue", "slotText", "slotNote"],
        ].merging(Consequences.lists) { $1 }.merging(FieldFault.lists) { $1 }
            .merging(GuestPicker.lists) { $1 }.merging(MapBox.lists) { $1 })

    var fields: NewFields
    var guests = GuestPicker()
    var search: PlaceSearchView?
    var map: MapBox?
    var slots: FreeTimes?
    /// The meeting as it would be created; `nil` as long as something is missing.
    var preview: MeetingView?
    var consequences: Consequences?
    var faults: [FieldFault] = []
    /// True if the person asked to create the meeting, so that what is missing is an error.
    var isPressed = false
    /// The time of the draft that is shown; `nil` for a new form.
    var draftAt: Moment?
    let zone: Zone

    var section: Section? { .new }

    func title(_ words: PageWords) -> String { words("New meeting") }

    func values(_ words: PageWords) -> TemplateValues {
        let missing = fields.missing(words)
        var values: TemplateValues = [
            "key": .text(fields.key), "meetingTitle": .text(fields.title),
            "city": .text(fields.city), "interest": .text(fields.interest),
            "near": .text(fields.near), "places": .list(places),
            "hasPlaces": .flag(search?.results.isEmpty == false),
            "placeText": .text(fields.placeText), "linkValue": .text(fields.link),
            "dateValue": .text(fields.date), "timeValue": .text(fields.time),
            "noteValue": .text(fields.note), "remindersValue": .text(fields.reminders),
            "times": .list(Self.times.map { ["text": .text($0)] }),
            "durations": .list(words.durations(chosen: fields.duration)),
            "repeatChoices": .list(repetitions(words)),
            "hasPreview": .flag(consequences != nil), "isReady": .flag(missing.isEmpty),
            // Fields that few need are open only when they hold something.
            "isMore": .flag(!(fields.note + fields.link + fields.reminders).isEmpty),
        ]
        values[text: "missing"] =
            missing.isEmpty ? nil : missing.map(\.text).joined(separator: " ")
        values[text: "attribution"] = search?.attribution
        values[text: "draft"] = draftAt.map { at in
            words("Your draft of %when%.", ["when": words.moment(at, in: zone)])
        }
        values.merge(guests.values(words)) { $1 }
        values.merge(FieldFault.values(isPressed ? faults : [])) { $1 }
        values.merge(consequences?.values(words) ?? [:]) { $1 }
        values.merge(reading(words)) { $1 }
        values.merge(slotValues(words)) { $1 }
        values.merge(map?.values(words) ?? [:]) { $1 }
        values["mapScales"] = .list([])
        for (name, fields) in Self.faultFields {
            values[text: name] = faults.first { fields.contains($0.field) }?.text
        }
        return values
    }

    private static let faultFields = [
        ("titleFault", ["title"]), ("placeFault", ["city", "place", "interest"]),
        ("whenFault", ["date", "duration", "repeat"]), ("linkFault", ["link"]),
        ("remindersFault", ["reminders"]),
    ]

    private static let times = (0..<48).map { half in
        "\(half / 2 < 10 ? "0" : "")\(half / 2):\(half % 2 == 0 ? "00" : "30")"
    }
    private static let repetitions = [
        ("", "Never"), ("daily", "Every day"), ("weekly", "Every week"),
        ("every 2 weeks", "Every two weeks"), ("monthly", "Every month"), ("yearly", "Every year"),
    ]

    private func repetitions(_ words: PageWords) -> [TemplateValues] {
        Self.repetitions.map { value, text in
            [
                "value": .text(value), "text": .text(words(text)),
                "isChosen": .flag(value == fields.repetition),
            ]
        }
    }

    private var places: [TemplateValues] {
        let found = search?.results ?? []
        return zip(found, PlaceLine.values(found)).map { place, values in
            values.merging(["isChosen": .flag(place.id == fields.place)]) { $1 }
        }
    }

    /// The time as it was understood, with the next dates of a series.
    private func reading(_ words: PageWords) -> TemplateValues {
        let dates = preview?.dates.prefix(Self.datesMax) ?? []
        var values: TemplateValues = [
            "hasDates": .flag(!dates.isEmpty),
            "dates": .list(
                dates.map { ["text": .text(words.moment($0.start.moment, in: zone))] }),
        ]
        values[text: "reading"] = preview.map(words.when)
        values[text: "readingThere"] = preview.flatMap { meeting in
            meeting.whenThere == nil ? nil : words.whenThere(meeting)
        }
        return values
    }

    private static let datesMax = 5

    private func slotValues(_ words: PageWords) -> TemplateValues {
        let lines = (slots?.slots ?? []).map { slot -> TemplateValues in
            let start = zone.wallTime(at: slot.start.moment)
            var values: TemplateValues = [
                "slotValue": .text("\(start.date) \(start.time.shortText)"),
                "slotText": .text(words.moment(slot.start.moment, in: zone)),
            ]
            values[text: "slotNote"] =
                slot.missing.isEmpty ? nil : slot.missing.map(\.words).joined(separator: "; ")
            return values
        }
        var values: TemplateValues = ["slots": .list(lines), "hasSlots": .flag(!lines.isEmpty)]
        values[text: "slotsNote"] = slots.map { slots in
            slots.remarks.isEmpty && lines.isEmpty
                ? words("No time suits everybody.")
                : slots.remarks.map(\.text).joined(separator: " ")
        }
        return values
    }
}
