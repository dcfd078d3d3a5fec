import Agenda
import Planning
import Timekeeping

/// A meeting while its fields are asked for.
struct MeetingForm {
    /// A field of the form.
    enum Field: Int, CaseIterable {
        case title, people, city, interest, place, start, duration, reminders, repetition
        case seating

        /// The fields to ask for, in this order. Others can be changed in the summary.
        static let asked = allCases.filter { ![.repetition, .seating].contains($0) }

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
            case .seating: "Open to"
            }
        }

        /// The fields to ask for again after a change of this one: a search for places uses the
        /// city and the interest.
        var followers: [Field] {
            switch self {
            case .city: [.interest, .place]
            case .interest: [.place]
            case .title, .people, .place, .start, .duration, .reminders, .repetition, .seating:
                []
            }
        }
    }

    /// The place of the meeting.
    struct Place {
        /// The chosen id, or the typed words.
        let asked: String
        let planned: PlannedPlace
        /// The accepted line that replaces the place's own.
        var words: String?

        /// The typed words; `nil` for a place with an id.
        var ownWords: String? { planned.reference == nil ? asked : nil }

        /// The line that people read.
        var line: String { words ?? planned.line }
    }

    var title = ""
    var guests: [GuestView] = []
    var city: CityView?
    /// The default answer when the city is asked for.
    var cityText: String
    var interest = ""
    var place: Place?
    /// The start as wall-clock time, so that "in an hour" keeps the meaning it had when typed.
    var start: PlannedStart?
    var duration = Meeting.durationDefault
    var reminders = Meeting.remindersDefault
    /// The repetition rule as typed; empty if the meeting does not repeat.
    var repetition = ""
    /// The seats and the people who can join; `nil` for a meeting of invited people.
    var seating: SeatingEdit?

    /// An empty form with the usual city as the default.
    init(area: String) {
        cityText = area
    }

    /// The request that the options of `meeting new` would make.
    var request: MeetingRequest {
        var request = MeetingRequest()
        request.title = title
        request.with = guests.map(\.who)
        request.place = place?.asked
        request.placeText = place?.words
        request.start = start.map { $0.isAllDay ? "\($0.wall.date)" : "\($0.wall)" } ?? ""
        request.isAllDay = start?.isAllDay ?? false
        request.repetition = repetition.isEmpty ? nil : repetition
        request.duration = duration
        request.reminders = reminders
        request.seating = seating
        return request
    }

    /// The start as text that is read back as the same time.
    var startText: String {
        start.map { $0.isAllDay ? "\($0.wall.date), all day" : "\($0.wall)" } ?? ""
    }

    /// The content of a field as text.
    func words(of field: Field) -> String {
        switch field {
        case .title: title
        case .people: guests.isEmpty ? "nobody yet" : GuestWords.list(guests)
        case .city: city?.label ?? "none"
        case .interest: interest.isEmpty ? "none" : interest
        case .place: place?.line ?? "not decided"
        case .start: start.map(SpanWords.start) ?? ""
        case .duration: SpanWords.of(duration)
        case .reminders: SpanWords.before(reminders)
        case .repetition: repetition.isEmpty ? "never" : repetition
        case .seating: seating.map(SeatingWords.text) ?? "nobody without an invitation"
        }
    }

    /// A numbered line for each field.
    ///
    /// - Parameter time: the time as the meeting shows it; `nil` if the meeting cannot be created.
    /// - Returns: the lines, in the order of the fields.
    func lines(time: String?) -> [String] {
        Field.allCases.map { field in
            let name = field.name + String(repeating: " ", count: 11 - field.name.count)
            let words = field == .start ? time ?? words(of: field) : words(of: field)
            let number = "\(field.rawValue + 1)"
            return "\(number)\(number.count == 1 ? "  " : " ")\(name)\(words)"
        }
    }
}
