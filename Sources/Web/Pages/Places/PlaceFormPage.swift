import Agenda
import Foundation
import NIOHTTP1
import Places
import Planning
import Settings
import Wording

/// The form for a place of the reader's own, with a map on which a press sets the position.
struct PlaceFormPage: PageModel {
    static let template = "place-form"
    static let names = TemplateNames(
        FieldFault.names + [
            "id", "isNew", "key", "nameValue", "addressValue", "positionValue", "findValue",
            "center", "radius", "picture", "step", "nameFault", "addressFault", "positionFault",
            "source", "mapWidth", "mapHeight",
        ], lists: FieldFault.lists)

    /// The fields of the form.
    struct Fields: Sendable {
        var name = ""
        var address = ""
        /// The position as people type it; empty for none.
        var position = ""
        /// The address or place around which the map is to be shown.
        var find = ""
    }

    /// The saved place; `nil` for a new one.
    let id: String?
    var fields: Fields
    /// The map; `nil` until a part of the world is known.
    var picture: MapPicture?
    /// The text that must be shown with the map.
    var source: String?
    var key = ""
    var faults: [FieldFault] = []

    var section: Section? { .places }

    func title(_ words: PageWords) -> String {
        id == nil
            ? words("A place of your own") : words("Change “%title%”", ["title": fields.name])
    }

    func values(_ words: PageWords) -> TemplateValues {
        var values: TemplateValues = [
            "isNew": .flag(id == nil), "key": .text(key), "nameValue": .text(fields.name),
            "addressValue": .text(fields.address), "positionValue": .text(fields.position),
            "findValue": .text(fields.find),
        ]
        values[text: "id"] = id
        values[text: "source"] = source
        for name in ["name", "address", "position"] {
            values[text: name + "Fault"] = faults.first { $0.field == name }?.text(words)
        }
        values.merge(FieldFault.values(faults, words)) { $1 }
        guard let picture else { return values }
        let center =
            "\(GeoDigits.text(picture.latitude)),\(GeoDigits.text(picture.longitude))"
        let pin = fields.position.isEmpty ? "" : "&pin=\(Link.segment(fields.position))"
        values[text: "center"] = center
        values[text: "radius"] = "\(picture.radius)"
        values[text: "mapWidth"] = "\(MapPicture.width)"
        values[text: "mapHeight"] = "\(MapPicture.height)"
        values[text: "picture"] =
            "places/map.svg?at=\(Link.segment(center))&radius=\(picture.radius)\(pin)"
        values[text: "step"] = step(of: picture, words)
        return values
    }

    /// The sentence about the step of the map.
    private func step(of picture: MapPicture, _ words: PageWords) -> String {
        let step = (MapPicture.radii.firstIndex(of: picture.radius) ?? 0) + 1
        return step == MapPicture.radii.count
            ? words("Press the exact spot.")
            : words(
                "Step %n% of %count%: press near the place. The map then shows more of it.",
                ["n": "\(step)", "count": "\(MapPicture.radii.count)"])
    }
}

extension PlaceFormPage.Fields {
    init(_ form: FormFields) {
        name = form["name"][...].trimmingSpaces
        address = form["address"][...].trimmingSpaces
        position = form["position"][...].trimmingSpaces
        find = form["find"][...].trimmingSpaces
    }
}

extension Site {
    /// Adding and changing places of one's own.
    var placeFormRoutes: [Route] {
        [
            route(.get, "/places/new", newPlace), formRoute(.post, "/places/new", makePlace),
            route(.get, "/places/map.svg", mapPicture),
            route(.get, "/places/:place/edit", showPlaceForm),
            route(.post, "/places/:place/edit", editPlace),
        ]
    }

    private func newPlace(_ request: PageRequest, _ visitor: Visitor) async throws -> PageAnswer {
        var page = PlaceFormPage(id: nil, fields: PlaceFormPage.Fields())
        page.fields.name = request.query["name"]
        page.key = visitor.planner.newKey()
        return try await shown(page, .ok, visitor)
    }

    private func showPlaceForm(
        _ request: PageRequest, _ visitor: Visitor
    ) async throws -> PageAnswer {
        try await shown(try await form(of: request["place"], visitor), .ok, visitor)
    }

    /// The form of a place that the reader described themselves.
    private func form(of id: String, _ visitor: Visitor) async throws -> PlaceFormPage {
        let sight = try await visitor.planner.place(withID: id)
        guard let saved = sight.saved, sight.isOwn else {
            throw Refusal(
                .refused, code: "unknown_place", "Only places of your own can be changed.")
        }
        var fields = PlaceFormPage.Fields()
        (fields.name, fields.address) = (saved.name, saved.address)
        if let spot = sight.place.spot { fields.position = "\(spot.north), \(spot.east)" }
        return PlaceFormPage(id: saved.id, fields: fields)
    }

    private func makePlace(_ request: PageRequest, _ visitor: Visitor) async throws -> PageAnswer {
        var page = PlaceFormPage(id: nil, fields: PlaceFormPage.Fields(request.form))
        page.key = request.form["key"]
        let fields = page.fields
        return try await answer(to: request, page, visitor) {
            try await visitor.planner.addPlace(
                fields.name, near: fields.position.isEmpty ? nil : fields.position,
                address: fields.address)
        }
    }

    private func editPlace(_ request: PageRequest, _ visitor: Visitor) async throws -> PageAnswer {
        var page = try await form(of: request["place"], visitor)
        page.fields = PlaceFormPage.Fields(request.form)
        let (id, fields) = (page.id ?? "", page.fields)
        return try await answer(to: request, page, visitor) {
            var edit = SavedPlaceEdit()
            (edit.name, edit.address, edit.position) =
                (fields.name, fields.address, fields.position)
            return try await visitor.planner.editPlace(id, edit)
        }
    }

    /// Saves the form, or shows it with another map.
    private func answer(
        to request: PageRequest, _ page: PlaceFormPage, _ visitor: Visitor,
        _ save: () async throws -> SavedPlaceView
    ) async throws -> PageAnswer {
        var page = page
        do {
            page.picture = try await picture(request.form, &page.fields, visitor.planner)
        } catch {
            page.faults = [try FieldFault(error, field: "find")]
            return try await shown(page, .badRequest, visitor)
        }
        guard request.form["do"] == "save" else { return try await shown(page, .ok, visitor) }
        do {
            return redirect(to: .place(try await save().id, saved: "place"))
        } catch {
            page.faults = [try FieldFault(error, field: Self.field(of: Refusal(error).code))]
            return try await shown(page, .badRequest, visitor)
        }
    }

    private static func field(of code: String) -> String {
        switch code {
        case "no_position": "position"
        case "bad_place", "long_place": "address"
        default: "name"
        }
    }

    /// The map after a press; `nil` if nothing on the map was pressed.
    private func picture(
        _ form: FormFields, _ fields: inout PlaceFormPage.Fields, _ planner: Planner
    ) async throws -> MapPicture? {
        if form["do"] == "find", !fields.find.isEmpty {
            let spot = try await planner.spot(named: fields.find)
            return MapPicture(
                latitude: spot.latitude, longitude: spot.longitude, radius: MapPicture.radii[1])
        }
        guard let center = GeoPoint(form["center"]) else { return nil }
        let now = MapPicture(
            latitude: center.latitude, longitude: center.longitude,
            radius: form.count("radius"))
        if let right = Int(form["spot.x"]), let down = Int(form["spot.y"]),
            let press = now.position(right: right, down: down)
        {
            fields.position =
                "\(GeoDigits.text(press.latitude)), \(GeoDigits.text(press.longitude))"
            return MapPicture(
                latitude: press.latitude, longitude: press.longitude,
                radius: now.nextRadius(isCloser: true))
        }
        let isZoomed = ["in", "out"].contains(form["do"])
        return isZoomed
            ? MapPicture(
                latitude: now.latitude, longitude: now.longitude,
                radius: now.nextRadius(isCloser: form["do"] == "in")) : now
    }

    /// The page with its map: the one of the last press, else around the position, else the city
    /// of the reader.
    private func shown(
        _ page: PlaceFormPage, _ status: HTTPResponseStatus, _ visitor: Visitor
    ) async throws -> PageAnswer {
        var page = page
        if page.picture == nil { page.picture = try await firstPicture(page.fields, visitor) }
        if let picture = page.picture {
            page.source = try await drawn(picture, pin: page.fields.position, visitor).source
        }
        return show(page, in: Frame(visitor: visitor), status)
    }

    /// The map around the position, else of the reader's city. Where only the shipped streets are
    /// known, it shows these, because a map of the whole city would be almost empty.
    private func firstPicture(
        _ fields: PlaceFormPage.Fields, _ visitor: Visitor
    ) async throws -> MapPicture? {
        if let point = GeoPoint(fields.position) {
            return MapPicture(
                latitude: point.latitude, longitude: point.longitude,
                radius: MapPicture.radii[MapPicture.radii.count - 1])
        }
        guard let area = visitor.planner.surroundings.configuration[.area],
            let city = visitor.planner.position(ofCity: area)
        else { return nil }
        let whole = MapPicture(
            latitude: city.latitude, longitude: city.longitude, radius: MapPicture.radii[0])
        guard let center = try await drawn(whole, pin: "", visitor).sampleCenter else {
            return whole
        }
        return MapPicture(
            latitude: center.latitude, longitude: center.longitude, radius: MapPicture.radii[1])
    }

    /// The map as a file, which forms show as a button.
    private func mapPicture(
        _ request: PageRequest, _ visitor: Visitor
    ) async throws -> PageAnswer {
        guard let center = GeoPoint(request.query["at"]) else {
            throw Refusal(.invalid, code: "no_position", "This is not a position.")
        }
        let picture = MapPicture(
            latitude: center.latitude, longitude: center.longitude,
            radius: request.query.count("radius"))
        let drawn = try await drawn(picture, pin: request.query["pin"], visitor)
        var answer = PageAnswer(
            .ok, "image/svg+xml", MapPicture.file(drawn.svg, radius: picture.radius))
        answer.fields = [("Cache-Control", "private, no-cache")]
        return answer
    }

    private func drawn(
        _ picture: MapPicture, pin: String, _ visitor: Visitor
    ) async throws -> MapAlbum.Drawn {
        let words = Frame(visitor: visitor).words(world)
        let pins = GeoPoint(pin).map { point in
            [
                MapDrawing.Pin(
                    mark: "", name: words("The chosen position"), latitude: point.latitude,
                    longitude: point.longitude)
            ]
        }
        return try await world.maps.map(
            MapAlbum.Request(
                latitude: picture.latitude, longitude: picture.longitude, radius: picture.radius,
                pins: pins ?? [], label: words("Map")), visitor.planner.store)
    }
}
