import Agenda
import Planning
import Timekeeping

/// A meeting while somebody is asked for it.
struct MeetingForm {
    /// What there is to say of it.
    enum Field: Int, CaseIterable {
        case title, people, city, interest, place, start, duration, reminders, repetition

        /// What is asked of everybody, in this order; the rest is changed by who wants it.
        static let asked = allCases.filter { $0 != .repetition }

        var name: String {
            switch self {
            case .title: "Title"
            case .people: "People"
            case .city: "City"
            case .interest: "Interest"
            case .place: "Place"
            case .start: "Time"
            case .duration: "Duration"
            case .reminders: "Reminders"
            case .repetition: "Repeats"
            }
        }

        /// What is asked anew when the field was changed: places are looked for by city and
        /// interest.
        var followers: [Field] {
            switch self {
            case .city: [.interest, .place]
            case .interest: [.place]
            case .title, .people, .place, .start, .duration, .reminders, .repetition: []
            }
        }
    }

    /// Where it takes place.
    struct Place {
        /// The id or the words that were chosen.
        let asked: String
        let planned: PlannedPlace
        /// The line that was accepted in place of the place's own.
        var words: String?

        /// The words that were typed for the place; `nil` for one that was found.
        var ownWords: String? { planned.reference == nil ? asked : nil }

        /// The line as people will read it.
        var line: String { words ?? planned.line }
    }

    var title = ""
    var guests: [GuestView] = []
    var city: CityView?
    /// What stands in the line when a city is asked for.
    var cityText: String
    var interest = ""
    var place: Place?
    /// As wall time, so that "in an hour" stays what it was when it was typed.
    var start: (wall: WallTime, zone: Zone)?
    var duration = Meeting.durationDefault
    var reminders = Meeting.remindersDefault
    /// How it repeats, as it was typed; empty where it does not.
    var repetition = ""

    /// A form with nothing in it but the city in which one usually meets.
    init(area: String) {
        cityText = area
    }

    /// The meeting as the options of `meeting new` would ask for it.
    var request: MeetingRequest {
        var request = MeetingRequest()
        request.title = title
        request.with = guests.map(\.who)
        request.place = place?.asked
        request.placeText = place?.words
        request.start = startText
        request.repetition = repetition.isEmpty ? nil : repetition
        request.duration = duration
        request.reminders = reminders
        return request
    }

    /// The start in a form that reads back as the same.
    var startText: String { start.map { "\($0.wall)" } ?? "" }

    /// What stands in a field, in words.
    func words(of field: Field) -> String {
        switch field {
        case .title: title
        case .people: guests.isEmpty ? "nobody yet" : GuestWords.list(guests)
        case .city: city?.label ?? "none"
        case .interest: interest.isEmpty ? "none" : interest
        case .place: place?.line ?? "not decided"
        case .start: start.map { SpanWords.start($0.wall, in: $0.zone) } ?? ""
        case .duration: SpanWords.of(duration)
        case .reminders: SpanWords.before(reminders)
        case .repetition: repetition.isEmpty ? "never" : repetition
        }
    }

    /// Every field on a line of its own, with its number; the time as the meeting has it, where
    /// it could be made.
    func lines(time: String?) -> [String] {
        Field.allCases.map { field in
            let name = field.name + String(repeating: " ", count: 11 - field.name.count)
            let words = field == .start ? time ?? words(of: field) : words(of: field)
            return "\(field.rawValue + 1)  \(name)\(words)"
        }
    }
}
