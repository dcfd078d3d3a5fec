import Agenda
import Ledger
import Places
import Storage
public import Timekeeping

/// Somebody who can be invited, or a circle, as a WHO means them.
public struct GuestView: Equatable, Sendable {
    /// What it is.
    public enum Kind: Equatable, Sendable {
        /// Somebody who is known.
        case person
        /// A circle of so many.
        case circle(count: Int)
        /// Somebody new, known by an address.
        case stranger
    }

    /// What it is.
    public let kind: Kind
    /// A WHO that means them and nobody else.
    public let who: String
    /// The name of the person or circle; an address where nothing else is known.
    public let name: String
    /// The mail address; empty for a circle, and where none is known or may be seen.
    public let address: String
    /// Whether somebody else has the same name.
    public internal(set) var hasNamesake = false

    init(_ person: PersonLine) {
        self.init(.person, who: person.id, name: person.name, address: person.address)
    }

    init(_ circle: Circle) {
        self.init(
            .circle(count: circle.count), who: WhoText(.circle, circle.name).text,
            name: circle.name)
    }

    init(_ kind: Kind, who: String, name: String, address: String = "") {
        self.kind = kind
        self.who = who
        self.name = name
        self.address = address
    }
}

/// Where a meeting that is asked for would take place.
public struct PlannedPlace: Equatable, Sendable {
    /// The id at its source; `nil` when the place is only words.
    public let reference: String?
    /// The line by which people would be told it.
    public let line: String
    /// The zone in which it lies, where that is known.
    public let zone: Zone?
    /// What its source says of it, where nobody may keep more than the id: it is kept as the words
    /// of whoever accepts it.
    public let borrowedLine: String?
    /// How it was chosen, where a search did it, in sentences.
    public let remarks: [String]
}

/// What whoever makes a meeting wants to know before all of it is there.
extension Planner {
    /// The people and circles that a text which is still being typed may mean, the likeliest
    /// first.
    public func guestSuggestions(_ text: String, limit: Int) async throws -> [GuestView] {
        try await searching { try $0.suggestions(for: text, limit: limit) }
    }

    /// Whom a WHO means.
    ///
    /// - Throws: ``Refusal`` with `unknown_person` or `ambiguous_person`.
    public func guest(_ who: String) async throws -> GuestView {
        try await searching { search in
            switch try search.meaning(of: who) {
            case .person(let person):
                var guest = GuestView(try search.line(of: person))
                guest.hasNamesake = try search.persons(named: person.name).count > 1
                return guest
            case .circle(let circle, _):
                return GuestView(circle)
            case .stranger(let name, let address):
                return GuestView(.stranger, who: who, name: name, address: address)
            }
        }
    }

    /// The city that a text means.
    ///
    /// - Throws: ``Refusal`` with `ambiguous_city` or `unknown_city`.
    public func cityMeant(by text: String) throws -> CityView {
        CityView(try city(named: text))
    }

    /// The interests of which a word begins as a text does, in the order of the table.
    public func interestSuggestions(_ text: String) throws -> [InterestView] {
        let key = SearchKey.fold(text)
        return try interests().all.filter { interest in
            ([interest.name] + interest.synonyms).contains { word in
                word.hasPrefix(key) || word.split(separator: " ").contains { $0.hasPrefix(key) }
            }
        }.map { InterestView($0) }
    }

    /// Holds an interest against what is known.
    ///
    /// - Throws: ``Refusal`` with `unknown_interest`.
    public func checkInterest(_ text: String) throws {
        _ = try meaning(text)
    }

    /// Where a meeting that is asked for so would take place; `nil` where that is left open.
    public func plannedPlace(_ request: MeetingRequest) async throws -> PlannedPlace? {
        try request.checkPlace()
        guard let chosen = try await chosenPlace(request) else { return nil }
        return PlannedPlace(
            reference: chosen.place.reference, line: chosen.place.text,
            zone: try zone(of: chosen), borrowedLine: chosen.borrowedLine,
            remarks: chosen.remarks)
    }

    /// The zone in which a meeting would be kept.
    public func plannedZone(at place: PlannedPlace?) -> Zone {
        meetingZone(placeZone: place?.zone)
    }

    /// When a meeting would begin whose start is typed so, and the zone in which that is meant.
    ///
    /// - Throws: ``Refusal`` with `no_start`, `bad_time` or `no_time`, or ``RuleViolation``.
    public func plannedStart(
        _ text: String, at place: PlannedPlace?
    ) throws -> (wall: WallTime, zone: Zone) {
        let zone = plannedZone(at: place)
        return (try start(text, in: zone, now: now), zone)
    }
}
