import Agenda
import Calendars
import Foundation
import Ledger
import NIOHTTP1
import Places
import Planning
import Settings
import Storage
import Timekeeping
import Wording

extension Site {
    /// Planning a meeting.
    var newRoutes: [Route] {
        [
            route(.get, "/new", startNew), route(.post, "/new", plan),
            route(.post, "/new/discard", discard), route(.get, "/new/people", suggest),
        ]
    }

    private func startNew(_ request: PageRequest, _ visitor: Visitor) async throws -> PageAnswer {
        let planner = visitor.planner
        var page = NewPage(fields: NewFields(), zone: planner.zone)
        let query = request.query
        let isPlain = !["date", "place", "with", "like"].contains(where: query.has)
        var frame = frame(request, visitor)
        if isPlain, let draft = try await planner.draft(),
            let fields = try? JSONDecoder().decode(
                NewFields.self, from: Data(draft.fields.utf8))
        {
            page.fields = fields
            page.draftAt = draft.changedAt
        } else if query.has("like") {
            let copy = try await copyFields(of: query["like"], planner)
            page.fields = copy.fields
            frame.notices += copy.notices(frame.words(world))
        } else {
            page.fields.city = planner.surroundings.configuration[.area] ?? ""
            page.fields.date =
                query["date"].isEmpty
                ? "\(try planner.day(nil).adding(days: 1))" : query["date"]
            page.fields.time = "19:00"
            page.fields.key = planner.newKey()
            try await page.fields.fill(place: query["place"], planner)
            page.fields.with = query.all("with")
        }
        page.guests = try await GuestPicker(chosen: page.fields.with, planner)
        page.fields.with = page.guests.who
        page.circles = try await circleNames(planner)
        if !page.fields.place.isEmpty, !page.fields.interest.isEmpty {
            try await page.searchPlaces(
                planner, world.maps, Frame(visitor: visitor).words(world))
        }
        _ = try? await page.look(planner, saving: false)
        return show(page, in: frame)
    }

    /// The fields for an earlier meeting that is planned again, on the next such weekday after it.
    private func copyFields(
        of text: String, _ planner: Planner
    ) async throws -> (fields: NewFields, notices: (PageWords) -> [Frame.Notice]) {
        let id = MeetingID(text: text)
        let today = try planner.day(nil)
        let copy = try await planner.copy(of: id, start: "\(today)")
        let before = copy.request.model?.time.start.date ?? today
        let weeks = max(0, today.daysSince1970 - before.daysSince1970) / 7 + 1
        var fields = NewFields(copy, of: id, on: before.adding(days: 7 * weeks))
        fields.city = planner.surroundings.configuration[.area] ?? ""
        fields.key = planner.newKey()
        let names = copy.unreachable.joined(separator: ", ")
        return (
            fields,
            { words in
                let text = words(
                    "Not invited, because no address is known: %names%", ["names": names])
                return names.isEmpty ? [] : [Frame.Notice(kind: .warning, text: text)]
            }
        )
    }

    private func plan(_ request: PageRequest, _ visitor: Visitor) async throws -> PageAnswer {
        let planner = visitor.planner
        let frame = Frame(visitor: visitor)
        let words = frame.words(world)
        var page = NewPage(fields: NewFields(request.form), zone: planner.zone)
        page.guests = try await GuestPicker(request.form, planner)
        page.fields.with = page.guests.who
        page.circles = try await circleNames(planner)
        if page.fields.key.isEmpty { page.fields.key = planner.newKey() }
        if !request.form.has("city") {
            page.fields.city = planner.surroundings.configuration[.area] ?? ""
        }
        let deed = request.form["do"]
        page.isPressed = deed == "create"
        // A short form does not replace what was kept of a long one.
        let draft = page.fields.isQuick ? try await planner.draft() : nil
        if !page.isPressed, !page.fields.isEmpty, draft == nil {
            try await planner.keepDraft(
                String(decoding: try JSONEncoder().encode(page.fields), as: UTF8.self))
        }
        if deed == "search" || !page.fields.place.isEmpty, !page.fields.interest.isEmpty {
            try await page.searchPlaces(planner, world.maps, words)
        }
        if deed == "times" { try await page.findTimes(planner) }
        let missing = page.fields.missing(words)
        if page.isPressed {
            page.faults += missing + (try page.fields.faults(planner))
            page.faults += page.fields.seating.faults(
                words, now: planner.zone.wallTime(at: planner.now))
        }
        guard missing.isEmpty, page.faults.isEmpty, page.guests.fault == nil else {
            return show(page, in: frame, page.isPressed ? .badRequest : .ok)
        }
        do {
            let outcome = try await page.look(planner, saving: page.isPressed)
            guard page.isPressed else { return show(page, in: frame) }
            if draft == nil { try await planner.dropDraft() }
            if !planner.reachesPeople {
                // Nobody else gets the links to the guests.
                _ = try await planner.guestLinks(
                    of: MeetingID(text: outcome.meeting.id), change: .none,
                    otherwise: localBase(request))
            }
            return redirect(to: .meeting(outcome.meeting.id, saved: "new"))
        } catch {
            page.faults.append(try FieldFault(error))
            return show(page, in: frame, page.isPressed ? .badRequest : .ok)
        }
    }

    private func discard(_ request: PageRequest, _ visitor: Visitor) async throws -> PageAnswer {
        try await visitor.planner.dropDraft()
        return redirect(to: .new())
    }

    // MARK: Suggestions for scripts

    private struct Suggestions: Encodable {
        struct Person: Encodable {
            let who: String
            let name: String
            let detail: String
        }

        let people: [Person]
    }

    private static let suggestionsMax = 8

    private func suggest(_ request: PageRequest, _ visitor: Visitor) async throws -> PageAnswer {
        let text = request.query["q"]
        let words = Frame(visitor: visitor).words(world)
        let guests =
            text.isEmpty
            ? []
            : try await visitor.planner.guestSuggestions(text, limit: Self.suggestionsMax)
        let people = guests.map { guest in
            Suggestions.Person(who: guest.who, name: guest.name, detail: words.detail(of: guest))
        }
        var answer = PageAnswer(
            .ok, "application/json", try JSONText.of(Suggestions(people: people)))
        answer.fields = [("Cache-Control", "private, no-store")]
        return answer
    }
}

extension NewPage {
    /// Creates the meeting, or works out what creating it would do.
    @discardableResult
    fileprivate mutating func look(
        _ planner: Planner, saving: Bool
    ) async throws -> MeetingOutcome {
        let chosen = try fields.zone.map { try planner.surroundings.zones.zone($0) }
        let own = chosen.map { planner.reading(inChosen: $0) } ?? planner
        let outcome = try await own.createMeeting(try fields.request(), saving: saving)
        preview = outcome.meeting
        consequences = Consequences(outcome, now: planner.now, zone: planner.zone)
        return outcome
    }

    fileprivate mutating func searchPlaces(
        _ planner: Planner, _ maps: MapAlbum, _ words: PageWords
    ) async throws {
        wanted = time(planner)
        do {
            search = try await planner.searchPlaces(
                city: fields.city, near: fields.near, interest: fields.interest)
            map = try await MapBox(
                of: PlaceLine.pins(search?.results ?? []), in: maps, planner.store, words)
            if search?.results.isEmpty == true {
                faults.append(FieldFault(field: "city", text: words("No places were found.")))
            }
        } catch {
            faults.append(try FieldFault(error))
        }
    }

    /// The date and time of the form; `nil` if they cannot be read.
    private func time(_ planner: Planner) -> PlaceLine.Time? {
        let typed = "\(fields.date) \(fields.time)"
        guard
            case .wall(let start)? = try? TypedTime.parse(
                typed, now: planner.zone.wallTime(at: planner.now)),
            let length = try? TimeSpan.parse(fields.duration)
        else { return nil }
        return PlaceLine.Time(start: start, minutes: length.days * 1440 + length.seconds / 60)
    }

    fileprivate mutating func findTimes(_ planner: Planner) async throws {
        do {
            slots = try await FreeSlots(
                for: try await planner.peopleToMeet(named: fields.with), from: fields.date,
                lasting: fields.duration, zone: planner.zone, planner)
        } catch {
            faults.append(try FieldFault(error))
        }
    }
}

extension NewFields {
    /// Fills a place in: a place of the catalogue with its name and address, and any other text as
    /// it is.
    ///
    /// - Parameters:
    ///   - text: the id or the name of a place; empty for none.
    ///   - planner: the planner of the person.
    /// - Throws: an error that is a bug.
    fileprivate mutating func fill(place text: String, _ planner: Planner) async throws {
        placeText = text
        // Of places at Foursquare, only the id may be kept.
        guard text.hasPrefix("osm:") || text.hasPrefix("geojson:") else { return }
        do {
            let found = try await planner.place(withID: text).place
            place = found.id
            placeText = [found.name, found.address].filter { !$0.isEmpty }.joined(separator: ", ")
        } catch {
            guard Refusal(error).category != .bug else { throw error }
        }
    }
}
