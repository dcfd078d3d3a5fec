public import Agenda
import Ledger
public import Pictures
public import Settings
import Sinks
public import Storage
public import Timekeeping

/// The environment of a planner: configuration, files, clocks and randomness.
public struct PlannerSurroundings: Sendable {
    /// The home folder.
    public var home: Home
    /// The settings.
    public var configuration: Configuration
    /// The files that come with the program.
    public var shipped: ShippedFiles
    /// The time zone rules.
    public var zones: ZoneDirectory
    /// The clock. It stands still if a command sets the time.
    public var clock: any WallClock
    /// The machine's clock, by which waits are timed.
    public var waitClock: any WallClock
    /// The time since some fixed start, on a monotonic clock.
    public var uptime: @Sendable () -> Duration
    /// The host name of the machine.
    public var hostName: String
    /// The source of randomness.
    public var chance: Chance
    /// The full name of the user account, for an owner who has not set a name.
    public var loginName: String
    /// The machine's time zone, for an owner who has not set one.
    public var systemZone: Zone
    /// The time zone in which this request reads and prints times, if it names one.
    public var zoneOption: String?
    /// The name of the actor; `nil` for the owner.
    public var actingAs: String?
    /// Reads pictures that come from outside.
    public var pictures: PictureReader
    /// Shows the name of a service whose answer takes long; `nil` removes it from the screen.
    public var showAwaited: @Sendable (_ service: String?) -> Void = { _ in }

    /// Creates the environment of a planner.
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
        pictures = PictureReader(program: PictureReader.path(beside: Self.programPath)) {
            try await waitClock.sleep(
                until: waitClock.now.advanced(bySeconds: Self.pictureSeconds))
        }
    }

    /// The seconds after which a program that reads a picture is ended. It ends itself earlier.
    private static let pictureSeconds: Int64 = 40

    /// The time zone of a crontab without `CRON_TZ`: the owner's.
    ///
    /// - Throws: ``Refusal`` with `unknown_zone`.
    public var crontabZone: Zone {
        get throws(Refusal) { try Planner.ownerZone(in: self) }
    }

    /// The owner's name, address and time zone from the configuration, or the name of the user
    /// account.
    package var ownerProfile: OwnerProfile {
        OwnerProfile(
            name: configuration[.ownerName] ?? loginName,
            address: configuration[.ownerAddress] ?? "", zone: configuration[.ownerZone])
    }
}

/// The use cases of letsmeet: one method each, on behalf of an actor.
public struct Planner: Sendable {
    /// The environment.
    public private(set) var surroundings: PlannerSurroundings
    /// The store of the home.
    public let store: Store
    /// The owner of the installation.
    public let owner: Person
    /// The person on whose behalf the planner acts.
    public internal(set) var actor: Person
    /// The time zone in which the actor reads and writes times.
    public private(set) var zone: Zone
    /// The enabled sinks.
    package var sinks: [SinkKind]
    /// True to route the waiting deliveries of disabled sinks to the enabled ones. Only a process
    /// that sends does this, because only it knows which sinks are enabled there.
    var replacesDisabledSinks = false
    /// Cached places, shared by copies of this planner.
    let memory = PlaceMemory()

    /// Opens the store of the home folder and looks up the actor.
    ///
    /// - Throws: ``Refusal``, ``SettingsError`` or ``StoreError``.
    public init(_ surroundings: PlannerSurroundings) async throws {
        try surroundings.home.make()
        store = try Store(
            path: surroundings.home.database,
            key: KeyFile.reader(of: surroundings.home, surroundings.chance))
        self.surroundings = surroundings
        sinks = try Self.sinks(surroundings.configuration)
        let (owner, isElsewhere) = try await store.owner(
            profile: surroundings.ownerProfile, newID: surroundings.chance.id(),
            sinks: Self.names(of: sinks), now: surroundings.clock.now)
        self.owner = owner
        actor = try await Self.actor(surroundings.actingAs, owner: owner, in: store)
        zone = try Self.zone(surroundings, actor: actor, owner: owner)
        guard isElsewhere else { return }
        // Their time zone or address changed. Quiet hours follow local time.
        try await store.replanMeetings(
            of: owner.id, now: now, replanning: replanning(because: "the owner's settings changed"))
    }

    /// The same planner for a process that sends. Whenever it plans a meeting again, it routes the
    /// waiting deliveries of disabled sinks to the enabled ones.
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

    /// The same planner with time zone rules that were read again.
    public func reading(_ zones: ZoneDirectory) -> Planner {
        var planner = self
        planner.surroundings.zones = zones
        planner.zone = (try? zones.zone(zone.id)) ?? zone
        return planner
    }

    /// The same planner for an actor who reads and writes times in another time zone.
    package func reading(in zone: Zone) -> Planner {
        var planner = self
        planner.zone = zone
        return planner
    }

    /// The same planner for an actor who looks for places in another city.
    package func looking(in area: String) -> Planner {
        var planner = self
        planner.surroundings.configuration = surroundings.configuration.looking(in: area)
        return planner
    }

    /// The same planner, whose times are in a chosen time zone, even at places with another one.
    package func reading(inChosen zone: Zone) -> Planner {
        var planner = reading(in: zone)
        planner.surroundings.zoneOption = zone.id
        return planner
    }

    /// Plans the notifications of a meeting again after something outside it changed: a policy, an
    /// address, or an earlier notification.
    public func replanning(because reason: String) -> Replanning {
        drafting.replanning(because: reason, now: now)
    }

    /// The current time of the clock.
    public var now: Moment { surroundings.clock.now }

    /// The sinks that a configuration enables.
    ///
    /// - Throws: ``Refusal`` with `own_channel` or `unknown_sink`, which names the place of the
    ///   setting.
    public static func sinks(_ configuration: Configuration) throws(Refusal) -> [SinkKind] {
        do throws(Refusal) {
            return try sinks(named: configuration.sinks)
        } catch {
            throw error.placed(at: configuration.place(of: .sinks))
        }
    }

    /// The sinks with these names, without duplicates. The inbox is always one of them, unless a
    /// minus sign before its name turns it off.
    ///
    /// - Throws: ``Refusal`` with `own_channel` or `unknown_sink`.
    package static func sinks(named names: [String]) throws(Refusal) -> [SinkKind] {
        let (page, off) = (SinkKind.page, "-\(SinkKind.page.name)")
        let sinks = try knownSinks(named: names.filter { ![page.name, off].contains($0) })
        return names.contains(off) ? sinks : sinks + [page]
    }

    private static func knownSinks(named names: [String]) throws(Refusal) -> [SinkKind] {
        let known = SinkTable.definitions.map(\.kind).filter { $0.readers != .owners }
        var sinks: [SinkKind] = []
        for name in names {
            guard let sink = known.first(where: { $0.name == name }) else {
                guard !SinkTable.definitions.contains(where: { $0.kind.name == name }) else {
                    throw Refusal(
                        .invalid, code: "own_channel",
                        "The sink \"\(name)\" cannot be enabled for everybody: it delivers only to "
                            + "channels of single people or groups.",
                        advice: [.channels(.add(name))])
                }
                throw Refusal(
                    .invalid, code: "unknown_sink",
                    "There is no sink named \"\(name)\". Known sinks: "
                        + known.map(\.name).joined(separator: ", ") + ".")
            }
            if !sinks.contains(sink) { sinks.append(sink) }
        }
        return sinks
    }

    /// The names of sinks as one text, sorted, so that it can be compared.
    static func names(of sinks: [SinkKind]) -> String {
        sinks.map(\.name).sorted().joined(separator: " ")
    }

    private static func actor(
        _ name: String?, owner: Person, in store: Store
    ) async throws -> Person {
        guard let name else { return owner }
        let found = try await store.lookUp { people in
            try PersonSearch(people: people, actor: owner, owner: owner).persons(named: name)
        }
        guard found.count <= 1 else {
            // The candidates show no addresses, because the actor is not known yet.
            throw Refusal(
                .refused, code: "ambiguous_person", "Several people match \"\(name)\".",
                candidates: found.map { .person(PersonLine($0, isPrivate: true)) })
        }
        guard let person = found.first else {
            throw Refusal(
                .refused, code: "unknown_person", "Nobody is called \"\(name)\".",
                advice: [.people(.list)])
        }
        return person
    }

    /// The time zone that a command names, or else the actor's, the owner's or the system's. A zone
    /// from a command or a setting must exist; the zone on a contact card may be outdated and is
    /// ignored then.
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

    /// The time zone that the owner has set, or else the system's.
    ///
    /// - Throws: ``Refusal`` with `unknown_zone`, which names the place of the setting.
    package static func ownerZone(in surroundings: PlannerSurroundings) throws(Refusal) -> Zone {
        guard let id = surroundings.configuration[.ownerZone] else {
            return surroundings.systemZone
        }
        do throws(Refusal) {
            return try zone(id, in: surroundings)
        } catch {
            throw error.placed(at: surroundings.configuration.place(of: .ownerZone))
        }
    }

    package func zone(named id: String) throws(Refusal) -> Zone {
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
