package import Agenda
import Ledger
import Storage

/// The people who asked to join a meeting and whom its organizer named.
package struct SeatApplicants: Sendable {
    /// The people, in the order in which they were named.
    package let people: [Person]
    /// The date of a series that they asked to join; `nil` for the whole meeting.
    package let date: String?
}

extension Planner {
    /// Finds people who asked to join a meeting.
    ///
    /// - Parameters:
    ///   - names: names, parts of names, addresses or circles. Without any, the only person on whom
    ///     the organizer has not decided is meant.
    ///   - id: the meeting.
    ///   - date: the date of a series; `nil` for the date that they asked for.
    /// - Returns: the people. People who have a seat already are found, too, so that the organizer
    ///   learns of it.
    /// - Throws: ``Refusal`` with `not_organizer`, `not_joined`, `ambiguous_person`,
    ///   `ambiguous_date` and others.
    package func applicants(
        named names: [String], for id: MeetingID, on date: String?
    ) async throws -> SeatApplicants {
        let requests = try await seatRequests(of: id, on: date)
        let meeting = try await bundle(id).meeting
        guard !names.isEmpty else {
            let open = requests.filter { !$0.refused }
            guard let only = open.first else { throw Self.noRequest(for: meeting, by: nil) }
            guard open.count == 1 else {
                throw Refusal(
                    .refused, code: "ambiguous_person",
                    "Several people ask to join \(meeting.title). Name those whom you mean: "
                        + open.map(\.name).uniqued().joined(separator: ", ") + ".")
            }
            return try await applicants([only], date: date)
        }
        let people = try await people(of: requests)
        var found: [Person] = []
        for name in names {
            found += try await applicants(name, among: people, for: meeting)
        }
        let ids = Set(found.map(\.id.text))
        let dates = Set(requests.filter { ids.contains($0.id) }.map(\.occurrence))
        guard dates.count <= 1 || date != nil else {
            throw Refusal(
                .refused, code: "ambiguous_date",
                "They asked to join \(meeting.title) on several dates. Name one of them.",
                advice: [.give([.date])])
        }
        return SeatApplicants(
            people: found.uniqued(), date: date ?? dates.first.flatMap(\.self))
    }

    /// True if somebody asked to join a meeting and is meant by one of these names, or, without
    /// names, if the organizer has not decided on somebody. Only the organizer may ask.
    ///
    /// - Throws: ``Refusal`` with `not_organizer`, `ambiguous_person` and others.
    package func isApplicant(
        named names: [String], for id: MeetingID, on date: String?
    ) async throws -> Bool {
        let requests = try await seatRequests(of: id, on: date)
        guard !names.isEmpty else {
            guard requests.contains(where: { !$0.refused }) else { return false }
            let bundle = try await bundle(id)
            guard bundle.participants.allSatisfy({ $0.isRemoved || $0.proposal == nil }) else {
                throw Refusal(
                    .refused, code: "ambiguous_person",
                    "People ask to join \(bundle.meeting.title), and guests propose other times. "
                        + "Name those whom you mean.")
            }
            return true
        }
        let people = try await people(of: requests)
        guard !people.isEmpty else { return false }
        for name in names {
            do {
                _ = try await participants(name, among: people, of: id, title: "")
                return true
            } catch let refusal as Refusal where Self.isOfNobody(refusal) {}
        }
        return false
    }

    /// The requests to join a meeting, or one date of a series.
    package func seatRequests(
        of id: MeetingID, on date: String?
    ) async throws -> [SeatRequestLine] {
        let requests = try await seatRequests(of: id)
        guard let date else { return requests }
        let name = try drafting.date(date, of: try await bundle(id).meeting, pastToo: true).name
        return requests.filter { $0.occurrence == name }
    }

    private func applicants(
        _ requests: [SeatRequestLine], date: String?
    ) async throws -> SeatApplicants {
        SeatApplicants(
            people: try await people(of: requests), date: date ?? requests.first?.occurrence)
    }

    private func people(of requests: [SeatRequestLine]) async throws -> [Person] {
        let ids = requests.map { PersonID(text: $0.id) }.uniqued()
        return try await searching { search in
            try ids.compactMap { try search.people.person($0) }
        }
    }

    /// The people whom a name means among those who asked, or else among those in the meeting.
    private func applicants(
        _ name: String, among people: [Person], for meeting: Meeting
    ) async throws -> [Person] {
        do {
            return try await participants(
                name, among: people, of: meeting.id, title: meeting.title
            ).people
        } catch let refusal as Refusal where Self.isOfNobody(refusal) {
            do {
                return try await participants(named: [name], of: meeting.id, pastToo: true)
            } catch let refusal as Refusal where Self.isOfNobody(refusal) {
                throw Self.noRequest(for: meeting, by: name)
            }
        }
    }

    /// True if a name means nobody of the people among whom it was looked for.
    private static func isOfNobody(_ refusal: Refusal) -> Bool {
        ["not_a_participant", "unknown_person"].contains(refusal.code)
    }

    private static func noRequest(for meeting: Meeting, by name: String?) -> Refusal {
        let who = name.map { "\"\($0)\" does not ask" } ?? "Nobody asks"
        return Refusal(
            .refused, code: "not_joined", "\(who) to join \(meeting.title).",
            advice: [.meetings(.requests(meeting.id.text))])
    }
}
