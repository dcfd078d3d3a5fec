import Agenda
import Ledger
public import Planning
import Storage
import Wording

extension Planner {
    /// The most deliveries of one meeting.
    private static let exportedDeliveriesMax = 1_000_000

    /// Exports everything as files that other programs read: `people.vcf`, `calendar.ics`, as JSON
    /// `people`, `circles`, `places`, `meetings`, `deliveries`, `profile` and `follows`, the
    /// pictures of contacts as `picture-ID.jpg`, with the id of the person, and the actor's own as
    /// `picture-own.jpg`.
    ///
    /// - Parameters:
    ///   - scope: the range of the export.
    ///   - meetingsMax: the most meetings to export; `nil` for any number.
    ///   - writer: receives the files.
    /// - Returns: the numbers of things in the files.
    /// - Throws: ``Refusal`` with `export_too_large` if there are more meetings, or an error of the
    ///   store or of the writer.
    public func export(
        _ scope: ExportScope, meetingsMax: Int? = nil, to writer: some ExportWriter
    ) async throws -> ExportCount {
        let ids = scope == .all ? try await allMeetings() : try await ownMeetings()
        if let meetingsMax, ids.count > meetingsMax { throw Refusal.exportTooLarge }
        try writer.begin("people.vcf")
        try await exportPeople(.vcard4) { try writer.add($0.utf8) }
        try writer.begin("calendar.ics")
        try writer.add(try await exportCalendar())
        var count = ExportCount()
        let people = try await people()
        count.people = try await list("people.json", writer) { add in
            for person in people { try add(person) }
        }
        count.circles = try await list("circles.json", writer, exportCircles)
        count.places = try await list("places.json", writer) { add in
            for place in try await savedPlaces() { try add(place) }
        }
        var foreign: Set<MeetingID> = []
        count.meetings = try await list("meetings.json", writer) { add in
            for id in ids {
                let meeting = try await meeting(id)
                if meeting.organizer.id != actor.id.text { foreign.insert(id) }
                try add(meeting)
            }
        }
        count.deliveries = try await list("deliveries.json", writer) { add in
            for id in ids {
                let isOwnOnly = scope == .own && foreign.contains(id)
                try await exportDeliveries(of: id, ownOnly: isOwnOnly, add)
            }
        }
        try await exportSocial(to: writer)
        try await exportPictures(of: people.map(\.id), to: writer)
        return count
    }

    /// The most follows and blocks of each list in an export.
    private static let exportedFollowsMax = 100_000

    /// Writes the actor's profile, their follows, and the people whom they block.
    private func exportSocial(to writer: some ExportWriter) async throws {
        let profile = try await ownProfile()
        try writer.begin("profile.json")
        try writer.add("\(try JSONText.of(profile.map(ExportedProfile.init)))\n".utf8)
        try writer.begin("follows.json")
        let follows = try await followLists(limit: Self.exportedFollowsMax)
        try writer.add("\(try JSONText.of(follows))\n".utf8)
    }

    /// What the actor says of themselves.
    private struct ExportedProfile: Encodable {
        let about: String
        let approves: Bool
        let shows: Bool

        init(_ profile: PublicProfile) {
            about = profile.about
            approves = profile.approvesFollowers
            shows = profile.showsFollows
        }
    }

    /// Writes the actor's own picture, and those of their contacts.
    private func exportPictures(of people: [String], to writer: some ExportWriter) async throws {
        if let own = ownPicture(.large) {
            try writer.begin("picture-own.jpg")
            try writer.add(own.jpeg)
        }
        for (person, name) in try await pictureNames(of: people).sorted(by: { $0.key < $1.key }) {
            guard let jpeg = store.pictureFile(name, .large) else { continue }
            try writer.begin("picture-\(person).jpg")
            try writer.add(jpeg)
        }
    }

    private struct CircleMembers: Encodable {
        let circle: CircleView
        let people: [PersonLine]
    }

    private func exportCircles(_ add: (any Encodable) throws -> Void) async throws {
        for known in try await circles() {
            let (circle, people) = try await members(of: try await circle(named: known.name))
            try add(CircleMembers(circle: circle, people: people))
        }
    }

    private func exportDeliveries(
        of meeting: MeetingID, ownOnly isOwnOnly: Bool, _ add: (any Encodable) throws -> Void
    ) async throws {
        for story in try await stories(of: meeting, limit: Self.exportedDeliveriesMax)
        where !isOwnOnly || story.delivery.person == actor.id.text {
            try add(story.delivery)
        }
    }

    /// Writes a file with a JSON array, one element a line.
    ///
    /// - Returns: the number of its elements.
    private func list(
        _ name: String, _ writer: some ExportWriter,
        _ body: (_ add: (any Encodable) throws -> Void) async throws -> Void
    ) async throws -> Int {
        try writer.begin(name)
        try writer.add("[".utf8)
        var count = 0
        try await body { value in
            try writer.add("\(count == 0 ? "" : ",")\n\(try JSONText.of(value))".utf8)
            count += 1
        }
        try writer.add("\n]\n".utf8)
        return count
    }
}

extension Refusal {
    /// The refusal of an export that is too large to be made at once.
    package static let exportTooLarge = Refusal(
        .refused, code: "export_too_large",
        "This is too much for one download. Whoever runs this installation can export it for you.")
}
