public import Agenda
import Ledger
import Places
import Storage
public import Timekeeping

/// A person or a circle that can be invited, as found by a WHO.
public struct GuestView: Equatable, Sendable {
    /// The kind of guest.
    public enum Kind: Equatable, Sendable {
        /// A known person.
        case person
        /// A circle with this number of members.
        case circle(count: Int)
        /// A new person, of whom an address is known.
        case stranger
    }

    /// The kind.
    public let kind: Kind
    /// A WHO that means exactly this guest.
    public let who: String
    /// The name of the person or circle; the address if nothing else is known.
    public let name: String
    /// The mail address; empty for a circle, if none is known, or if the reader may not see it.
    public let address: String
    /// True if another person has the same name.
    public internal(set) var hasNamesake = false

    init(_ person: PersonLine) {
        self.init(.person, who: person.id, name: person.name, address: person.address)
    }

    init(_ circle: Circle) { self.init(circleNamed: circle.name, count: circle.count) }

    init(circleNamed name: String, count: Int) {
        self.init(.circle(count: count), who: WhoText(.circle, name).text, name: name)
    }

    init(_ kind: Kind, who: String, name: String, address: String = "") {
        self.kind = kind
        self.who = who
        self.name = name
        self.address = address
    }
}

/// The place of a meeting that is not created yet.
public struct PlannedPlace: Equatable, Sendable {
    /// The id in its source; `nil` if the place is only words.
    public let reference: String?
    /// The text that messages would show for the place.
    public let line: String
    /// The time zone of the place, if it is known.
    public let zone: Zone?
    /// The description from the source, if its terms allow storing nothing but the id. A
    /// person who accepts the text stores it as their own words.
    public let borrowedLine: String?
    /// Remarks about the choice, if a search made it.
    public let remarks: [Remark]
}

/// Queries that help to fill in a meeting before it is complete.
extension Planner {
    /// Suggests people and circles for a text while it is typed, the most likely first.
    public func guestSuggestions(_ text: String, limit: Int) async throws -> [GuestView] {
        try await searching { try $0.suggestions(for: text, limit: limit) }
    }

    /// The person or circle that a WHO means.
    ///
    /// - Throws: ``Refusal`` with `unknown_person` or `ambiguous_person`.
    public func guest(_ who: String) async throws -> GuestView {
        try await searching { search in
            switch try search.meaning(of: who) {
            case .person(let person):
                // The id of a person in other address books would not be understood.
                guard try search.isOwn(person.id) else {
                    let typed = NamedAddress(who)?.address ?? ""
                    return GuestView(.stranger, who: who, name: person.name, address: typed)
                }
                var guest = GuestView(try search.line(of: person))
                guest.hasNamesake = try search.persons(named: person.name).count > 1
                return guest
            case .circle(let circle):
                return GuestView(circle)
            case .stranger(let name, let address):
                return GuestView(.stranger, who: who, name: name, address: address)
            }
        }
    }

    /// The people and circles of the actor that a refused name may mean, each with what tells it
    /// from the others.
    public func guests(meantBy refusal: Refusal) async throws -> [GuestView] {
        try await searching { search in
            try refusal.candidates.compactMap { candidate -> GuestView? in
                switch candidate {
                case .circle(let circle):
                    return GuestView(circleNamed: circle.name, count: circle.count)
                case .person(let line):
                    guard try search.isOwn(PersonID(text: line.id)) else { return nil }
                    var guest = GuestView(line)
                    guest.hasNamesake = true
                    return guest
                case .meeting, .city, .place, .found, .word: return nil
                }
            }
        }
    }

    /// The city that a text means.
    ///
    /// - Throws: ``Refusal`` with `ambiguous_city` or `unknown_city`.
    public func cityMeant(by text: String) throws -> CityView {
        CityView(try city(named: text))
    }

    /// The interests with a word that begins with a text, in the order of the table.
    public func interestSuggestions(_ text: String) throws -> [InterestView] {
        let key = SearchKey.fold(text)
        return try surroundings.interests().all.filter { interest in
            ([interest.name] + interest.synonyms).contains { word in
                word.hasPrefix(key) || word.split(separator: " ").contains { $0.hasPrefix(key) }
            }
        }.map { InterestView($0) }
    }

    /// Checks that an interest is known.
    ///
    /// - Throws: ``Refusal`` with `unknown_interest`.
    public func checkInterest(_ text: String) throws {
        _ = try meaning(text)
    }

    /// The place at which a requested meeting would take place; `nil` if the request leaves it
    /// open.
    public func plannedPlace(_ request: MeetingRequest) async throws -> PlannedPlace? {
        try request.checkPlace()
        guard let chosen = try await chosenPlace(request) else { return nil }
        return PlannedPlace(
            reference: chosen.place.reference, line: chosen.place.text,
            zone: try zone(of: chosen), borrowedLine: chosen.borrowedLine,
            remarks: chosen.remarks)
    }

    /// The time zone that a meeting would have.
    public func plannedZone(at place: PlannedPlace?) -> Zone {
        drafting.meetingZone(placeZone: place?.zone)
    }

    /// Reads a typed start of a new meeting: "fri 19:00", with an end as in "fri 19:00-22:00", or a
    /// day as in "12 dec, all day".
    ///
    /// - Throws: ``Refusal`` with `no_start`, `bad_time` or `no_time`, or ``RuleViolation``.
    public func plannedStart(_ text: String, at place: PlannedPlace?) throws -> PlannedStart {
        let zone = plannedZone(at: place)
        var written = WrittenTime(start: text)
        let words = text.lowercased().split { $0.isWhitespace || $0 == "," }
        if let place = words.indices.dropLast().first(where: {
            words[$0] == "all" && words[$0 + 1] == "day"
        }) {
            let day = words[..<place] + words[(place + 2)...]
            (written.start, written.isAllDay) = (day.joined(separator: " "), true)
        }
        let time = try drafting.time(written, in: zone)
        let isLengthTyped = try written.apart(now: zone.wallTime(at: now)).end != nil
        return PlannedStart(
            wall: time.start, zone: zone, isAllDay: written.isAllDay,
            duration: isLengthTyped || written.isAllDay ? time.duration : nil)
    }
}

/// The start of a new meeting as it was understood.
public struct PlannedStart: Sendable {
    /// The wall-clock time.
    public let wall: WallTime
    /// The time zone of ``wall``.
    public let zone: Zone
    /// True for a day instead of a time.
    public let isAllDay: Bool
    /// The duration, if an end was typed too, or one day; otherwise `nil`.
    public let duration: TimeSpan?
}
