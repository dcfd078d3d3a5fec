import Agenda
import Ledger
import NIOHTTP1
import Places
import Planning
import Timekeeping
import Wording

/// A place: of the catalogue, of Foursquare, or the reader's own.
struct PlacePage: PageModel {
    static let template = "place"
    static let names = TemplateNames(
        [
            "placePath", "placeName", "kind", "address", "position", "near", "newPlace", "hours",
            "now", "isClosedNow", "then", "isClosedThen", "thenValue", "attribution", "isSaved",
            "isOwn", "savedName", "savedPath", "nameFault", "nameValue", "hasPast", "earlier",
            "later", "notAnswering", "hasReadHours", "zone",
        ] + MapBox.names,
        lists: [
            "links": ["linkURL", "linkText"], "past": AttendanceLines.names,
        ].merging(MapBox.lists) { $1 })

    /// The number of past meetings on a page.
    static let rowsMax = 20

    let sight: PlaceSight
    let past: FirstRows<MeetingWithPerson>
    /// The number of past meetings on the pages before this one.
    let pastBefore: Int
    let map: MapBox?
    /// The time now at the place.
    let now: WallTime
    /// The time for which the reader asks if it is open; `nil` if none was given.
    let then: WallTime?
    /// The reason why the name was not saved, and what was typed.
    var fault: (text: String, name: String)?

    var section: Section? { .places }

    func title(_ words: PageWords) -> String { sight.saved?.name ?? sight.place.name }

    func values(_ words: PageWords) -> TemplateValues {
        let place = sight.place
        var values: TemplateValues = [
            "placePath": .text(PlacePath.of(place.id)), "placeName": .text(title(words)),
            "newPlace": .text(Link.segment(sight.saved?.name ?? place.id)),
            "isSaved": .flag(sight.saved != nil), "isOwn": .flag(sight.isOwn),
            "savedName": .text(sight.saved?.name ?? ""),
            "savedPath": .text(sight.saved.map { Link.segment($0.id) } ?? ""),
            "nameValue": .text(fault?.name ?? sight.saved?.name ?? ""),
            "links": .list(links(words)), "hasPast": .flag(!past.isEmpty || pastBefore > 0),
            "past": .list(past.map { AttendanceLines.values(of: $0, words) }),
        ]
        values[text: "kind"] = place.kind.isEmpty ? nil : place.kind
        values[text: "address"] = place.address.isEmpty ? nil : place.address
        values[text: "position"] = place.spot.map { "\($0.north), \($0.east)" }
        values[text: "near"] = place.spot.map { Link.segment("\($0.north),\($0.east)") }
        values[text: "attribution"] =
            sight.attribution.isEmpty ? nil : words.attribution(sight.attribution)
        values[text: "nameFault"] = fault?.text
        values[text: "zone"] = place.tz
        values[text: "notAnswering"] = sight.trouble.map { _ in
            words(
                "The source of this place does not answer at the moment. Here is what you saved.")
        }
        values[text: "earlier"] = past.isTruncated ? "\(pastBefore + Self.rowsMax)" : nil
        values[text: "later"] = pastBefore > 0 ? "\(max(0, pastBefore - Self.rowsMax))" : nil
        values.merge(hours(words)) { $1 }
        values.merge(map?.values(words) ?? [:]) { $1 }
        return values
    }

    /// The opening hours as they are written, and whether it is open now and at the chosen time.
    private func hours(_ words: PageWords) -> TemplateValues {
        guard let text = sight.place.hours, !text.isEmpty else { return [:] }
        var values: TemplateValues = ["hours": .text(text)]
        guard let hours = OpeningHours(text), sight.place.tz != nil else { return values }
        values["hasReadHours"] = .flag(true)
        let isOpen = hours.isOpen(at: now)
        values["now"] = .text(isOpen ? words("open now") : words("closed now"))
        values["isClosedNow"] = .flag(!isOpen)
        values["thenValue"] = .text("\(then ?? now)".prefix(16).description)
        guard let then else { return values }
        let isOpenThen = hours.isOpen(at: then)
        values["then"] = .text(isOpenThen ? words("open then") : words("closed then"))
        values["isClosedThen"] = .flag(!isOpenThen)
        return values
    }

    private func links(_ words: PageWords) -> [TemplateValues] {
        let place = sight.place
        let isFoursquare = place.id.hasPrefix("fsq:")
        let map = PlaceLinks.map(
            of: MeetingPlace(
                reference: sight.reference,
                text: [place.name, place.address].filter { !$0.isEmpty }.joined(separator: ", "),
                latitude: place.latitude, longitude: place.longitude))
        let source = place.id.wholeMatch(of: /osm:([a-z]+\/[0-9]+)/).map {
            "https://www.openstreetmap.org/\($0.1)"
        }
        let all: [(url: String?, text: String)] = [
            (place.url, words("Website")),
            (map, isFoursquare ? words("Page at Foursquare") : words("Map at OpenStreetMap")),
            (source, words("Entry at OpenStreetMap")),
        ]
        return all.compactMap { link in
            link.url.map { ["linkURL": .text($0), "linkText": .text(link.text)] }
        }
    }
}

extension OpeningHours {
    /// True if it is open at a time at the place.
    fileprivate func isOpen(at time: WallTime) -> Bool {
        state(
            on: time.date.weekday, minute: time.time.hour * 60 + time.time.minute, length: 1)
            == .open
    }
}

extension Site {
    /// Single places.
    var placeRoutes: [Route] {
        [
            route(.get, "/places/:place", showPlace),
            route(.post, "/places/:place/save", savePlace),
            route(.post, "/places/:place/remove", removePlace),
        ]
    }

    private func showPlace(_ request: PageRequest, _ visitor: Visitor) async throws -> PageAnswer {
        show(
            try await placePage(request["place"], request.query, visitor),
            in: frame(request, visitor))
    }

    private func placePage(
        _ part: String, _ query: FormFields, _ visitor: Visitor
    ) async throws -> PlacePage {
        let planner = visitor.planner
        let sight = try await planner.place(withID: PlacePath.id(part))
        let before = query.count("past")
        let zone =
            try sight.place.tz.map { try planner.surroundings.zones.zone($0) } ?? planner.zone
        return PlacePage(
            sight: sight,
            past: try await planner.pastMeetings(
                at: sight, from: before, limit: PlacePage.rowsMax),
            pastBefore: before, map: try await map(of: sight.place, query["map"], visitor),
            now: zone.wallTime(at: planner.now), then: try? WallTime.parse(query["at"]))
    }

    private func map(
        of place: PlaceView, _ radius: String, _ visitor: Visitor
    ) async throws -> MapBox? {
        guard let latitude = place.latitude, let longitude = place.longitude else { return nil }
        return try await MapBox(
            around: MapDrawing.Pin(
                mark: "", name: place.name, latitude: latitude, longitude: longitude),
            radius: radius, in: world.maps, visitor.planner.store,
            Frame(visitor: visitor).words(world))
    }

    /// Saves a found place, or gives a saved one another name.
    private func savePlace(_ request: PageRequest, _ visitor: Visitor) async throws -> PageAnswer {
        let planner = visitor.planner
        let name = request.form["name"][...].trimmingSpaces
        let sight = try await planner.place(withID: PlacePath.id(request["place"]))
        do {
            guard let saved = sight.saved else {
                let new = try await planner.savePlace(
                    sight.place.id, name: name.isEmpty ? nil : name)
                return redirect(to: .place(new.place.id, saved: "place"))
            }
            var edit = SavedPlaceEdit()
            edit.name = name
            _ = try await planner.editPlace(saved.id, edit)
            return redirect(to: .place(saved.id, saved: "place"))
        } catch {
            var page = try await placePage(request["place"], FormFields(""), visitor)
            page.fault = (try sentence(error, visitor), name)
            return show(page, in: Frame(visitor: visitor), .badRequest)
        }
    }

    private func removePlace(
        _ request: PageRequest, _ visitor: Visitor
    ) async throws -> PageAnswer {
        try await visitor.planner.removePlace(withID: request["place"])
        return redirect(to: .places(saved: "place-removed"))
    }
}
