import Wording
import Agenda
import Foundation
import Ledger
import Places
import Settings
import Storage
import Timekeeping

/// The place that was chosen for a meeting.
struct ChosenPlace {
    /// The part of the place that the meeting stores.
    let place: MeetingPlace
    /// The position, also if it may not be stored.
    var position: (latitude: Double, longitude: Double)?
    /// The reason why the position is unknown.
    var trouble: Refusal?
    /// The line with which the source describes the place. Set only if no more than the id may be
    /// stored and the user gave no words of their own.
    var borrowedLine: String?
    /// Remarks for the user.
    var remarks: [Remark] = []

    /// Remarks for the user if they give no words of their own for the place.
    var remarksWithoutWords: [Remark] {
        guard let borrowedLine else { return remarks }
        return [
            Remark(
                "Guests see only a link to \(borrowedLine), because descriptions from Foursquare "
                    + "may not be stored. You can describe the place in your own words.",
                advice: .give([.placeText]))
        ] + remarks
    }
}

extension Planner {
    /// Finds the place that a text means: the id of a search result, a saved place by a part of
    /// its name, or else the text itself as the description of a place.
    func chosenPlace(
        _ text: String?, words: String?, known: PlaceMeanings? = nil
    ) async throws -> ChosenPlace? {
        guard let text, !text.isEmpty else { return nil }
        guard !PlaceFinder.isID(text) else {
            return Self.chosen(try await details(id: text), words: words)
        }
        let known =
            if let known { known } else {
                try await searching { try placeMeanings(of: text, $0) }
            }
        if let saved = try Self.savedPlace(named: text, in: known.saved) {
            return try await chosen(saved, words: words)
        }
        guard known.isCatalogued else {
            var written = ChosenPlace(place: MeetingPlace(text: words ?? text))
            written.remarks = try await remarks(onPlaceWritten: text)
            return written
        }
        return Self.chosen(try await details(id: text), words: words)
    }

    /// The remarks that the catalogue has places with a name which was written as a text, so that
    /// the meeting has no position.
    private func remarks(onPlaceWritten text: String) async throws -> [Remark] {
        try await cataloguedPlacesNearby(named: text).prefix(Self.namesakesMax).map { place in
            Remark(
                Phrase(
                    "The catalogue has %place%. To show it on a map, give its id as the place: "
                        + "%id%.",
                    ["place": .text(place.line), "id": .text(place.id)]))
        }
    }

    /// The most places of the same name that are named.
    private static var namesakesMax: Int { 3 }

    /// The possible meanings of a text that names a place.
    func placeMeanings(of text: String, _ search: PersonSearch) throws -> PlaceMeanings {
        try search.people.placeMeanings(of: text, owner: actor.id, limit: Self.listRowsMax)
    }

    /// The place of a meeting from a saved place.
    ///
    /// Of a place at Foursquare only the id and the user's name for it are stored, so its position
    /// is looked up again. If that fails, the place is used without a position.
    private func chosen(_ saved: SavedPlace, words: String?) async throws -> ChosenPlace {
        let line = [saved.name, saved.address].filter { !$0.isEmpty }.joined(separator: ", ")
        let place = MeetingPlace(
            reference: saved.reference ?? "own:\(saved.id.text)", text: words ?? line,
            latitude: saved.latitude, longitude: saved.longitude)
        var chosen = ChosenPlace(
            place: place, position: Self.position(saved.latitude, saved.longitude))
        guard let reference = saved.reference, saved.latitude == nil else { return chosen }
        do {
            let found = try await details(id: reference)
            // If the user gave no name, the web page of the place was saved as its name.
            let ownWords = line == found.page ? nil : line
            return Self.chosen(found, words: words ?? ownWords)
        } catch {
            let trouble = Refusal(error)
            guard trouble.category != .bug else { throw error }
            // Remember the failure: a later answer could change the time zone after it was shown.
            memory[reference] = .failure(trouble)
            chosen.trouble = trouble
            chosen.remarks = [
                Remark(
                    "The position and the time zone of \"\(saved.name)\" are unknown right now. "
                        + trouble.message, advice: trouble.advice)
            ]
            return chosen
        }
    }

    /// The details of a place from its source. A planner asks for each place only once.
    private func details(id: String) async throws -> FoundPlace {
        if let known = memory[id] { return try known.get() }
        let found = try await placeFinder().details(id: id)
        memory[id] = .success(found)
        return found
    }

    /// The place of a meeting from a search result.
    ///
    /// Foursquare's data about a place may not be stored, except the id. With it, the organizer's
    /// own line is stored, or else the address of the place's page at Foursquare.
    static func chosen(_ found: FoundPlace, words: String?) -> ChosenPlace {
        let place = found.place
        let position = position(place.latitude, place.longitude)
        guard !found.mayBeKept else {
            let kept = MeetingPlace(
                reference: place.id, text: words ?? place.line, latitude: place.latitude,
                longitude: place.longitude)
            return ChosenPlace(place: kept, position: position)
        }
        let kept = MeetingPlace(reference: place.id, text: words ?? found.page)
        return ChosenPlace(
            place: kept, position: position, borrowedLine: words == nil ? place.line : nil)
    }

    private static func position(
        _ latitude: Double?, _ longitude: Double?
    ) -> (latitude: Double, longitude: Double)? {
        guard let latitude, let longitude else { return nil }
        return (latitude, longitude)
    }

    /// The time zone of a place: that of the nearest city; `nil` if the position is unknown.
    func zone(of chosen: ChosenPlace?) throws -> Zone? {
        guard let position = chosen?.position,
            let city = try surroundings.gazetteer().nearest(
                latitude: position.latitude, longitude: position.longitude)
        else { return nil }
        return try zone(named: city.zone)
    }
}
