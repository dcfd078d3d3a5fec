import Agenda
import Ledger
import Storage

extension Planner {
    /// The actor's circles.
    public func circles() async throws -> [CircleView] {
        let owner = actor.id
        return try await store.lookUp { try $0.circles(of: owner, limit: Self.listRowsMax) }
            .map(CircleView.init)
    }

    /// A circle with its people.
    public func circle(_ name: String) async throws -> (CircleView, [PersonLine]) {
        let circle = try await storedCircle(name)
        let members = try await searching { search in
            try search.lines(
                of: search.people.members(of: circle.id, limit: MeetingRules.participantsMax))
        }
        return (CircleView(circle), members)
    }

    /// Creates a circle.
    public func addCircle(
        _ name: String, members: [String]
    ) async throws -> (CircleView, [PersonLine]) {
        try ContactRules.checkCircle(named: name)
        let people = try await contacts(members)
        let circle = Circle(id: surroundings.chance.id(), name: name, count: 0)
        guard try await store.addCircle(circle, members: people, owner: actor.id) else {
            let known = try await storedCircle(name)
            throw Refusal(
                .refused, code: "known_circle",
                "There is already a circle called \"\(known.name)\".",
                candidates: [.circle(CircleView(known))])
        }
        return try await self.circle(name)
    }

    /// A sentence about a circle whose name is also the name of a person, or a part of it: it says
    /// how to name each of them. `nil` if there is no such person.
    public func remark(onCircleNamed name: String) async throws -> String? {
        try await searching { try $0.remark(onCircleNamed: name) }
    }

    /// Adds people to a circle.
    public func addMembers(
        _ members: [String], to name: String
    ) async throws -> (CircleView, [PersonLine]) {
        let circle = try await storedCircle(
            name, advice: [.people(.makeCircle(name))])
        try await store.addMembers(try await contacts(members), to: circle.id)
        return try await self.circle(name)
    }

    /// Removes people from a circle.
    public func removeMembers(
        _ members: [String], from name: String
    ) async throws -> (CircleView, [PersonLine]) {
        let circle = try await storedCircle(name)
        let people = try await contacts(members)
        let present = try await store.lookUp {
            try $0.members(of: circle.id, limit: MeetingRules.participantsMax)
        }
        for id in people where !present.contains(where: { $0.id == id }) {
            let person = try await store.person(id)
            throw Refusal(
                .refused, code: "not_in_circle",
                "\(person?.name ?? id.text) is not in the circle \"\(circle.name)\". "
                    + "Nobody was removed.")
        }
        try await store.removeMembers(people, from: circle.id)
        return try await self.circle(name)
    }

    /// Deletes a circle and its channels; its people stay.
    ///
    /// - Returns: the circle, and the names of the channels that were deleted with it.
    /// - Throws: ``Refusal`` with `unknown_circle`.
    @discardableResult
    public func deleteCircle(
        _ name: String
    ) async throws -> (circle: CircleView, channels: [String]) {
        let circle = try await storedCircle(name)
        let receiver = Audience.circle(circle.id.text).receiver
        let channels = try await store.ownChannels().map(\.channel)
            .filter { $0.receiver == receiver }.map(\.name)
        _ = try await store.deleteCircle(
            circle.id, now: now, replanning: replanning(because: "the circle was deleted"))
        return (CircleView(circle), channels)
    }

    func storedCircle(_ name: String, advice: [Advice] = []) async throws -> Circle {
        try Refusal.checkNames(name, a: "circle")
        let owner = actor.id
        return try await store.lookUp { people in
            if let circle = try people.circle(named: name, of: owner) { return circle }
            guard let told = WhoText(name), told.kind == .circle,
                let circle = try people.circle(named: told.name, of: owner)
            else {
                let circles = try people.circles(of: owner, limit: PersonSearch.candidatesMax)
                throw Refusal(
                    .refused, code: "unknown_circle", "There is no circle called \"\(name)\".",
                    candidates: circles.map { .circle(CircleView($0)) }, advice: advice)
            }
            return circle
        }
    }

    /// The people that names mean: contacts, and the people of other circles.
    private func contacts(_ names: [String]) async throws -> [PersonID] {
        try await searching { search in
            try names.flatMap { name -> [PersonID] in
                switch try search.meaning(of: name) {
                case .person(let person): return [person.id]
                case .circle(_, let members): return members.map(\.id)
                case .stranger(_, let address):
                    throw Refusal(
                        .refused, code: "unknown_person",
                        "Nobody in the address book has the address \"\(address)\".",
                        advice: [.people(.add(address: address))])
                }
            }.uniqued()
        }
    }
}
