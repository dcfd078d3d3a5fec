public import Agenda
import Ledger
public import Settings
import Sinks
public import Storage
public import Timekeeping

/// What a planner needs to know of the world.
public struct PlannerSurroundings: Sendable {
    /// The home folder.
    public var home: Home
    /// What is set.
    public var configuration: Configuration
    /// The files that come with the program.
    public var shipped: ShippedFiles
    /// The zone rules.
    public var zones: ZoneDirectory
    /// The clock; it stands still where a command names a time.
    public var clock: any WallClock
    /// The machine's clock, on which waits are slept and measured.
    public var waitClock: any WallClock
    /// The time since some fixed start, on a clock that nobody sets.
    public var uptime: @Sendable () -> Duration
    /// What the machine calls itself.
    public var hostName: String
    /// Chance.
    public var chance: Chance
    /// The full name of the login, for an owner who has not set a name.
    public var loginName: String
    /// The machine's zone, for an owner who has not set one.
    public var systemZone: Zone
    /// The zone in which this request reads and prints times, where it names one.
    public var zoneOption: String?
    /// Who acts, where it is not the owner.
    public var actingAs: String?
    /// Shows the name of a service that is waited for long, and takes it away again with `nil`.
    public var showAwaited: @Sendable (_ service: String?) -> Void = { _ in }

    /// Describes the world.
    public init(
        home: Home, configuration: Configuration, shipped: ShippedFiles, zones: ZoneDirectory,
        clock: any WallClock, waitClock: any WallClock,
        uptime: @escaping @Sendable () -> Duration, hostName: String = "localhost",
        chance: Chance, loginName: String, systemZone: Zone, zoneOption: String? = nil,
        actingAs: String? = nil
    ) {
        self.home = home
        self.configuration = configuration
        self.shipped = shipped
        self.zones = zones
        self.clock = clock
        self.waitClock = waitClock
        self.uptime = uptime
        self.hostName = hostName
        self.chance = chance
        self.loginName = loginName
        self.systemZone = systemZone
        self.zoneOption = zoneOption
        self.actingAs = actingAs
    }

    /// By whose clocks a crontab is meant that names no zone: the owner's.
    ///
    /// - Throws: ``Refusal`` with `unknown_zone`.
    public var crontabZone: Zone {
        get throws(Refusal) { try Planner.ownerZone(in: self) }
    }

    /// The owner as configuration and login name them.
    var ownerProfile: OwnerProfile {
        OwnerProfile(
            name: configuration[.ownerName] ?? loginName,
            address: configuration[.ownerAddress] ?? "", zone: configuration[.ownerZone])
    }
}

/// What letsmeet can do: one method a use case, each on behalf of an actor.
public struct Planner: Sendable {
    /// The world.
    public private(set) var surroundings: PlannerSurroundings
    /// The store of the home.
    public let store: Store
    /// Whose installation it is.
    public let owner: Person
    /// Who acts.
    public internal(set) var actor: Person
    /// The zone in which the actor reads and writes times.
    public private(set) var zone: Zone
    /// The enabled sinks.
    var sinks: [SinkKind]
    /// Whether what waits for a way that is off goes by those that are on: for who knows what is on
    /// where it is sent from.
    var replacesDisabledSinks = false
    /// Shared by copies of this planner.
    let memory = PlaceMemory()

    /// Opens the home's store and finds out who acts.
    ///
    /// - Throws: ``Refusal``, or what the store says of its file.
    public init(_ surroundings: PlannerSurroundings) async throws {
        try surroundings.home.make()
        store = try Store(path: surroundings.home.database)
        self.surroundings = surroundings
        sinks = try Self.sinks(surroundings.configuration)
        let (owner, isElsewhere) = try await store.owner(
            profile: surroundings.ownerProfile, newID: surroundings.chance.id(),
            sinks: Self.names(of: sinks), now: surroundings.clock.now)
        self.owner = owner
        actor = try await Self.actor(surroundings.actingAs, owner: owner, in: store)
        zone = try Self.zone(surroundings, actor: actor, owner: owner)
        guard isElsewhere else { return }
        // By their clocks their quiet hours are meant.
        try await store.replanMeetings(
            of: owner.id, now: now, replanning: replanning(because: "the owner's settings changed"))
    }

    /// The same planner for who sends: what is on here is on, and what waits for a way that is off
    /// goes by those that are on, whenever its meeting is planned anew.
    public func sending() -> Planner {
        var planner = self
        planner.replacesDisabledSinks = true
        return planner
    }

    /// The same planner after the configuration changed.
    ///
    /// - Throws: ``Refusal`` with `unknown_sink` or `unknown_zone`.
    public func reading(_ configuration: Configuration) throws(Refusal) -> Planner {
        var planner = self
        planner.surroundings.configuration = configuration
        planner.sinks = try Self.sinks(configuration)
        planner.zone = try Self.zone(planner.surroundings, actor: actor, owner: owner)
        return planner
    }

    /// The same planner by the zone rules of another reading.
    public func reading(_ zones: ZoneDirectory) -> Planner {
        var planner = self
        planner.surroundings.zones = zones
        planner.zone = (try? zones.zone(zone.id)) ?? zone
        return planner
    }

    /// The same planner for who reads and writes times in another zone.
    func reading(in zone: Zone) -> Planner {
        var planner = self
        planner.zone = zone
        return planner
    }

    /// The clock's time.
    public var now: Moment { surroundings.clock.now }

    /// The ways that a configuration switches on.
    ///
    /// - Throws: ``Refusal`` with `unknown_sink`, which says where the sinks are set.
    public static func sinks(_ configuration: Configuration) throws(Refusal) -> [SinkKind] {
        do throws(Refusal) {
            return try sinks(named: configuration.sinks)
        } catch {
            throw error.placed(at: configuration.place(of: .sinks))
        }
    }

    /// The ways that have these names.
    ///
    /// - Throws: ``Refusal`` with `unknown_sink`.
    static func sinks(named names: [String]) throws(Refusal) -> [SinkKind] {
        let known = SinkTable.definitions.map(\.kind).filter { $0.readers != .owners }
        var sinks: [SinkKind] = []
        for name in names {
            guard let sink = known.first(where: { $0.name == name }) else {
                guard !SinkTable.definitions.contains(where: { $0.kind.name == name }) else {
                    throw Refusal(
                        .invalid, code: "own_channel",
                        "\(name) is no sink for everybody: each channel of it is somebody's. "
                            + "To add one: letsmeet sink add \(name)")
                }
                throw Refusal(
                    .invalid, code: "unknown_sink",
                    "There is no sink named \(name). Known are: "
                        + known.map(\.name).joined(separator: ", ") + ".",
                    candidates: known.map { .word($0.name) })
            }
            if !sinks.contains(sink) { sinks.append(sink) }
        }
        return sinks
    }

    private static func actor(
        _ name: String?, owner: Person, in store: Store
    ) async throws -> Person {
        guard let name else { return owner }
        let found = try await store.lookUp { people in
            try PersonSearch(people: people, actor: owner, owner: owner).persons(named: name)
        }
        guard found.count <= 1 else {
            // It is not known yet who asks.
            throw Refusal(
                .refused, code: "ambiguous_person", "\(name) may be several people.",
                candidates: found.map { .person(PersonLine($0, isPrivate: true)) })
        }
        guard let person = found.first else {
            throw Refusal(.refused, code: "unknown_person", "Nobody here is called \(name).")
        }
        return person
    }

    /// The zone that a command names, else the actor's, else the owner's, else the system's. One
    /// that somebody set must be right; one that a card names may be stale.
    private static func zone(
        _ surroundings: PlannerSurroundings, actor: Person, owner: Person
    ) throws(Refusal) -> Zone {
        if let id = surroundings.zoneOption { return try zone(id, in: surroundings) }
        if actor.id != owner.id, let id = actor.zone,
            let zone = try? surroundings.zones.zone(id)
        {
            return zone
        }
        return try ownerZone(in: surroundings)
    }

    /// The zone that the owner has set, else the system's.
    ///
    /// - Throws: ``Refusal`` with `unknown_zone`, which says where the zone is set.
    static func ownerZone(in surroundings: PlannerSurroundings) throws(Refusal) -> Zone {
        guard let id = surroundings.configuration[.ownerZone] else {
            return surroundings.systemZone
        }
        do throws(Refusal) {
            return try zone(id, in: surroundings)
        } catch {
            throw error.placed(at: surroundings.configuration.place(of: .ownerZone))
        }
    }

    func zone(named id: String) throws(Refusal) -> Zone {
        try Self.zone(id, in: surroundings)
    }

    private static func zone(
        _ id: String, in surroundings: PlannerSurroundings
    ) throws(Refusal) -> Zone {
        do throws(ZoneError) {
            return try surroundings.zones.zone(id)
        } catch {
            throw Refusal(.invalid, code: "unknown_zone", error.description)
        }
    }
}
