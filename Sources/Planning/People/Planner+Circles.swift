public import Agenda
import Interchange
public import Ledger
import Storage
import Timekeeping

extension Planner {
    /// The actor's circles.
    public func circles() async throws -> [CircleView] {
        let owner = actor.id
        return try await store.lookUp { try $0.circles(of: owner, limit: Self.listRowsMax) }
            .map(CircleView.init)
    }

    /// A circle with its people.
    public func members(of circle: Circle) async throws -> (CircleView, [PersonLine]) {
        let members = try await searching { search in
            try search.lines(
                of: search.people.members(of: circle.id, limit: MeetingRules.participantsMax))
        }
        return (CircleView(circle), members)
    }

    /// Creates a circle.
    public func addCircle(
        _ name: String, members people: [PersonID]
    ) async throws -> (CircleView, [PersonLine]) {
        try ContactRules.checkCircle(named: name)
        let circle = Circle(id: surroundings.chance.id(), name: name, count: 0)
        guard try await store.addCircle(circle, members: people, owner: actor.id) else {
            throw try await knownCircle(name, advice: .people(.addToCircle))
        }
        return try await members(of: try await self.circle(named: name))
    }

    /// Renames a circle. Its people, channels and quiet hours stay.
    ///
    /// - Parameters:
    ///   - circle: the circle.
    ///   - name: the new name.
    /// - Returns: the renamed circle with its people.
    /// - Throws: ``Refusal`` with `known_circle` or `bad_name`.
    public func renameCircle(
        _ circle: Circle, to name: String
    ) async throws -> (CircleView, [PersonLine]) {
        try ContactRules.checkCircle(named: name)
        guard try await store.renameCircle(circle.id, to: name) else {
            throw try await knownCircle(name, advice: .people(.listCircles))
        }
        return try await members(of: try await self.circle(named: name))
    }

    /// The refusal of a name that another circle has.
    private func knownCircle(_ name: String, advice: Advice) async throws -> Refusal {
        let known = try await circle(named: name)
        return Refusal(
            .refused, code: "known_circle",
            "There is already a circle called \"\(known.name)\".",
            candidates: [.circle(CircleView(known))], advice: [advice])
    }

    /// A sentence about a circle whose name is also the name of a person, or a part of it: it says
    /// how to name each of them. `nil` if there is no such person.
    public func remark(onCircleNamed name: String) async throws -> String? {
        try await searching { try $0.words(onCircleNamed: name)?.description }
    }

    /// Adds people to a circle.
    public func addMembers(
        _ people: [PersonID], to circle: Circle
    ) async throws -> (CircleView, [PersonLine]) {
        try await store.addMembers(
            people, to: circle.id, now: now, replanning: replanning(because: Self.otherHours))
        return try await members(of: try await self.circle(named: circle.name))
    }

    /// Removes people from a circle.
    public func removeMembers(
        _ people: [PersonID], from circle: Circle
    ) async throws -> (CircleView, [PersonLine]) {
        let present = try await store.lookUp {
            try $0.members(of: circle.id, limit: MeetingRules.participantsMax)
        }
        for id in people where !present.contains(where: { $0.id == id }) {
            let person = try await store.person(id)
            throw Refusal(
                .refused, code: "not_in_circle",
                "\(person?.name ?? id.text) is not in the circle \"\(circle.name)\". "
                    + "Nobody was removed.", advice: [.people(.showCircle(circle.name))])
        }
        try await store.removeMembers(
            people, from: circle.id, now: now, replanning: replanning(because: Self.otherHours))
        return try await members(of: try await self.circle(named: circle.name))
    }

    /// Deletes a circle and its channels; its people stay.
    ///
    /// - Parameters:
    ///   - circle: the circle.
    ///   - saving: false for a preview.
    /// - Returns: the circle, and the names of the channels that were deleted with it.
    /// - Throws: ``StoreError``.
    @discardableResult
    public func deleteCircle(
        _ circle: Circle, saving: Bool = true
    ) async throws -> (circle: CircleView, channels: [String]) {
        let channels = try await channelNames(of: circle)
        guard saving else { return (CircleView(circle), channels) }
        _ = try await store.deleteCircle(
            circle.id, now: now, replanning: replanning(because: "the circle was deleted"))
        return (CircleView(circle), channels)
    }

    /// The actor's circle with this name.
    ///
    /// - Parameters:
    ///   - name: the name, which may begin with `circle:`.
    ///   - advice: the advice to give if there is no such circle; by default to list them.
    /// - Returns: the circle.
    /// - Throws: ``Refusal`` with `unknown_circle`.
    public func circle(
        named name: String, advice: [Advice] = [.people(.listCircles)]
    ) async throws -> Circle {
        try Refusal.checkNames(name, a: "circle")
        let owner = actor.id
        return try await store.lookUp { people in
            if let circle = try people.circle(named: name, of: owner) { return circle }
            guard let told = WhoText(name), told.kind == .circle,
                let circle = try people.circle(named: told.name, of: owner)
            else {
                let circles = try people.circles(of: owner, limit: Self.listRowsMax)
                let near = Self.circles(circles, near: name)
                let question = near.isEmpty ? "" : " Did you mean one of these?"
                let shown = near.isEmpty ? circles : near
                throw Refusal(
                    .refused, code: "unknown_circle",
                    "There is no circle called \"\(name)\".\(question)",
                    candidates: shown.prefix(PersonSearch.candidatesMax).map {
                        .circle(CircleView($0))
                    }, advice: advice)
            }
            return circle
        }
    }

    /// The circles whose names are spelled most like a text.
    static func circles(_ circles: [Circle], near text: String) -> [Circle] {
        var spelling = Spelling(of: SearchKey.fold(text))
        let found = circles.compactMap { circle in
            spelling.distance(to: SearchKey.fold(circle.name).utf8).map { (circle, $0) }
        }
        let least = found.map(\.1).min()
        return found.filter { $0.1 == least }.map(\.0)
    }

    /// The people that names mean: contacts, and the people of other circles.
    ///
    /// - Throws: ``Refusal`` with `unknown_person` or `ambiguous_person`.
    public func people(named names: [String]) async throws -> [PersonID] {
        try await searching { search in
            try names.flatMap { name -> [PersonID] in
                switch try search.meaning(of: name) {
                case .person(let person): return [person.id]
                case .circle(let circle): return try search.members(of: circle).map(\.id)
                case .stranger(_, let address): throw Self.nobody(at: address)
                }
            }.uniqued()
        }
    }
}
