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
            "draft", "key", "like", "meetingTitle", "city", "interest", "near",
            "hasPlaces", "filledPlace", "attribution", "placeText", "linkValue", "dateValue",
            "timeValue", "reading", "readingThere", "noteValue", "hasPreview",
            "missing", "isReady", "remindersValue",
            "hasDates", "isMore", "repeatWords", "hasZones", "isQuick", "otherZone", "isAllDay",
            "lastDayValue", "answerByValue",
        ] + Consequences.names + FieldFault.names + FieldFault.besideNames + FreeSlots.names
            + GuestPicker.names + MapBox.names + SeatingFields.names + ["invitesNobody"],
        lists: [
            "places": [
                "placeId", "isChosen", "placeName", "placeLine", "distance", "number", "opening",
                "isClosed",
            ],
            "times": ["text"], "durations": ["value", "isChosen", "text"],
            "repeatChoices": ["value", "isChosen", "text"], "dates": ["text"],
            "zones": ["value", "isChosen", "text"],
        ].merging(FreeSlots.lists) { $1 }.merging(Consequences.lists) { $1 }.merging(
            FieldFault.lists
        ) { $1 }
        .merging(GuestPicker.lists) { $1 }.merging(MapBox.lists) { $1 }
        .merging(SeatingFields.lists) { $1 })

    var fields: NewFields
    var guests = GuestPicker()
    /// The names of the reader's circles.
    var circles: [String] = []
    var search: PlaceSearchView?
    var map: MapBox?
    /// The time for which a place is searched; `nil` if it is not known.
    var wanted: PlaceLine.Time?
    var slots: FreeSlots?
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
            "key": .text(fields.key), "like": .text(fields.like),
            "meetingTitle": .text(fields.title),
            "city": .text(fields.city), "interest": .text(fields.interest),
            "near": .text(fields.near), "places": .list(places(words)),
            "hasPlaces": .flag(search?.results.isEmpty == false),
            "placeText": .text(fields.placeText), "linkValue": .text(fields.link),
            "dateValue": .text(fields.date), "timeValue": .text(fields.time),
            "isAllDay": .flag(fields.isAllDay), "lastDayValue": .text(fields.lastDay),
            "answerByValue": .text(fields.answerBy),
            "noteValue": .text(fields.note), "remindersValue": .text(fields.reminders),
            "times": .list(Self.times.map { ["text": .text($0)] }),
            "durations": .list(words.durations(chosen: fields.duration)),
            "repeatChoices": .list(Repetitions.values(chosen: fields.repetition, words)),
            "repeatWords": .text(fields.repetitionWords),
            "zones": .list(zones(words)), "hasZones": .flag(!zones(words).isEmpty),
            "isQuick": .flag(fields.isQuick),
            "otherZone": .text(fields.otherZone),
            "hasPreview": .flag(consequences != nil), "isReady": .flag(missing.isEmpty),
            // Fields that few need are open only when they hold something.
            "isMore": .flag(
                !(fields.note + fields.link + fields.answerBy + fields.reminders + fields.otherZone)
                    .isEmpty),
        ]
        values[text: "missing"] =
            missing.isEmpty ? nil : missing.map { $0.text(words) }.joined(separator: " ")
        values[text: "attribution"] = (search?.attribution).map(words.attribution)
        let isFilled = search?.results.isEmpty != false && !fields.placeText.isEmpty
        values[text: "filledPlace"] =
            isFilled && !fields.place.isEmpty ? fields.place : nil
        values[text: "draft"] = draftAt.map { at in
            words("Your draft of %when%.", ["when": words.moment(at, in: zone)])
        }
        values.merge(guests.values(words)) { $1 }
        values.merge(FieldFault.values(isPressed ? faults : [], words)) { $1 }
        values.merge(consequences?.values(words) ?? [:]) { $1 }
        values.merge(reading(words)) { $1 }
        values.merge(slots?.values(words) ?? [:]) { $1 }
        values.merge(map?.values(words) ?? [:]) { $1 }
        values["mapScales"] = .list([])
        values.merge(fields.seating.values(circles: circles, faults: faults, words)) { $1 }
        values["invitesNobody"] = .flag(fields.with.isEmpty && !fields.seating.audience.isEmpty)
        values.merge(FieldFault.besideValues(faults, words)) { $1 }
        return values
    }

    private static let times = (0..<48).map { half in
        "\(half / 2 < 10 ? "0" : "")\(half / 2):\(half % 2 == 0 ? "00" : "30")"
    }

    private func places(_ words: PageWords) -> [TemplateValues] {
        let found = search?.results ?? []
        return zip(found, PlaceLine.values(found)).map { place, values in
            values.merging(PlaceLine.opening(of: place, at: wanted, words)) { $1 }
                .merging(["isChosen": .flag(place.id == fields.place)]) { $1 }
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
        values[text: "reading"] = preview.map { words.when($0, in: zone) }
        values[text: "readingThere"] = preview.flatMap { meeting in
            let there = meeting.start.zone ?? zone
            let isSame = words.when(meeting, in: there) == words.when(meeting, in: zone)
            return isSame ? nil : words.whenThere(meeting)
        }
        return values
    }

    /// The time zones to choose from: that of the place, without a choice; the found city's, the
    /// chosen one and the reader's.
    private func zones(_ words: PageWords) -> [TemplateValues] {
        let ids = [search?.city?.tz ?? preview?.tz, fields.chosenZone, zone.id].compactMap(\.self)
            .filter { !$0.isEmpty }.uniqued()
        guard ids.count > 1 else { return [] }
        return ([("", words("That of the place"))] + ids.map { ($0, $0) }).map { id, text in
            [
                "value": .text(id), "text": .text(text),
                "isChosen": .flag(id == fields.chosenZone),
            ]
        }
    }

    private static let datesMax = 5
}
