import Agenda
import Ledger
import Storage

extension Planner {
    /// The actor's circles.
    public func circles() async throws -> [CircleView] {
        try await store.circles(of: actor.id, limit: Self.listRowsMax).map(CircleView.init)
    }

    /// A circle with its people.
    public func circle(_ name: String) async throws -> (CircleView, [PersonLine]) {
        let circle = try await storedCircle(name)
        let members = try await store.members(of: circle.id, limit: MeetingRules.participantsMax)
        return (CircleView(circle), try await search.lines(of: members))
    }

    /// Makes a circle.
    public func addCircle(
        _ name: String, members: [String]
    ) async throws -> (CircleView, [PersonLine]) {
        try ContactRules.checkCircle(named: name)
        let people = try await contacts(members)
        let circle = Circle(id: surroundings.chance.id(), name: name, count: 0)
        guard try await store.addCircle(circle, members: people, owner: actor.id) else {
            let known = try await storedCircle(name)
            throw Refusal(
                .refused, code: "known_circle", "There is a circle \(known.name) already.",
                candidates: [.circle(CircleView(known))])
        }
        return try await self.circle(name)
    }

    /// What people should know of a circle of this name, where it is a name of somebody too, or a
    /// part of one; `nil` where it is not.
    public func remark(onCircleNamed name: String) async throws -> String? {
        try await search.remark(onCircleNamed: name)
    }

    /// Adds people to a circle.
    public func addMembers(
        _ members: [String], to name: String
    ) async throws -> (CircleView, [PersonLine]) {
        let circle = try await storedCircle(
            name, advice: " To make it: letsmeet circle new \(name.shellWord)")
        try await store.addMembers(try await contacts(members), to: circle.id)
        return try await self.circle(name)
    }

    /// Takes people out of a circle.
    public func removeMembers(
        _ members: [String], from name: String
    ) async throws -> (CircleView, [PersonLine]) {
        let circle = try await storedCircle(name)
        let people = try await contacts(members)
        let present = try await store.members(of: circle.id, limit: MeetingRules.participantsMax)
        for id in people where !present.contains(where: { $0.id == id }) {
            let person = try await store.person(id)
            throw Refusal(
                .refused, code: "not_in_circle",
                "\(person?.name ?? id.text) is not in \(circle.name). Nobody was taken out.")
        }
        try await store.removeMembers(people, from: circle.id)
        return try await self.circle(name)
    }

    /// Deletes a circle; its people stay.
    public func deleteCircle(_ name: String) async throws -> CircleView {
        let circle = try await storedCircle(name)
        try await store.deleteCircle(circle.id)
        return CircleView(circle)
    }

    private func storedCircle(_ name: String, advice: String = "") async throws -> Circle {
        try Refusal.checkNames(name, a: "circle")
        if let circle = try await store.circle(named: name, of: actor.id) { return circle }
        guard let told = WhoText(name), told.kind == .circle,
            let circle = try await store.circle(named: told.name, of: actor.id)
        else {
            let circles = try await store.circles(of: actor.id, limit: PersonSearch.candidatesMax)
            throw Refusal(
                .refused, code: "unknown_circle", "There is no circle \(name).\(advice)",
                candidates: circles.map { .circle(CircleView($0)) })
        }
        return circle
    }

    /// People of the address book, and those of other circles.
    private func contacts(_ names: [String]) async throws -> [PersonID] {
        var found: [PersonID] = []
        for name in names {
            switch try await search.meaning(of: name) {
            case .person(let person): found.append(person.id)
            case .circle(_, let members): found += members.map(\.id)
            case .stranger(_, let address):
                throw Refusal(
                    .refused, code: "unknown_person",
                    "Nobody in the address book has \(address). Add them first: "
                        + "letsmeet people add NAME --email \(address)")
            }
        }
        return found.uniqued()
    }
}
