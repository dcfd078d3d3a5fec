import Foundation
import Ledger
import Logging
import Notifications
import Planning
import Settings
import Storage
import TestKit
import Timekeeping
import Wording

/// A home folder of a single test, with a clock that stands where the test puts it.
struct TemporaryHome {
    let home: Home
    var clock = FixedClock(Moment(milliseconds: 1_790_000_000_000))
    let chance = Chance(CountingRandom())

    /// Runs a test in a home of its own, and removes it afterwards.
    static func run(_ body: (TemporaryHome) async throws -> Void) async throws {
        try await withTemporaryFolder { folder in
            let home = Home(option: folder + "/home", environment: [:])
            try home.make()
            try await body(TemporaryHome(home: home))
        }
    }

    /// The folder of this package.
    static var packageRoot: String {
        let tests = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        return tests.deletingLastPathComponent().path(percentEncoded: false)
    }

    func surroundings(actingAs: String? = nil) throws -> PlannerSurroundings {
        let zones = ZoneDirectory()
        return PlannerSurroundings(
            home: home, configuration: try Configuration(home: home, environment: [:]),
            shipped: try ShippedFiles(
                program: Self.packageRoot + ".build/debug/letsmeet", environment: [:]),
            zones: zones, clock: clock, waitClock: clock, chance: chance, loginName: "Olga Owner",
            systemZone: try zones.zone("Europe/Helsinki"), actingAs: actingAs)
    }

    func planner(actingAs: String? = nil) async throws -> Planner {
        try await Planner(try surroundings(actingAs: actingAs))
    }

    /// The same home, so much later.
    func later(minutes: Int64) -> TemporaryHome {
        var copy = self
        copy.clock = FixedClock(clock.now.advanced(byMilliseconds: minutes * 60_000))
        return copy
    }

    /// Delivers what is due, and returns the lines that standard output would have shown.
    func deliver() async throws -> [[String: Any]] {
        let file = home.path + "/delivered-\(UUID().uuidString)"
        _ = FileManager.default.createFile(atPath: file, contents: nil)
        guard let handle = FileHandle(forWritingAtPath: file) else { return [] }
        let surroundings = try surroundings()
        let templates = try TemplateLibrary(
            shipped: surroundings.shipped.templates, own: home.templates,
            zones: surroundings.zones)
        let sink = StdoutSink(descriptor: handle.fileDescriptor, form: .lines, clock: clock)
        let engine = DeliveryEngine(
            planner: try await planner(),
            parts: DeliveryEngine.Parts(
                sinks: [sink],
                writer: ParcelWriter(templates: templates, zones: surroundings.zones)),
            clock: clock, waitClock: surroundings.waitClock, chance: chance,
            logger: Logger(label: "test") { _ in
                SwiftLogNoOpLogHandler()
            })
        _ = try await engine.runOnce()
        try handle.close()
        let text = try String(contentsOfFile: file, encoding: .utf8)
        try FileManager.default.removeItem(atPath: file)
        return try text.split(separator: "\n").compactMap {
            try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any]
        }
    }
}

/// Chance that is the same in every run: its numbers follow from the seed (SplitMix64).
struct CountingRandom: RandomNumberGenerator, Sendable {
    private var state: UInt64

    init(seed: UInt64 = 1) {
        state = seed
    }

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
        return mixed ^ (mixed >> 31)
    }
}

extension Planner {
    func add(_ name: String, _ emails: String...) async throws -> PersonView {
        var edit = ContactEdit()
        edit.name = name
        edit.emails = emails
        return try await addPerson(edit)
    }

    func meet(_ title: String, with names: String..., note: String = "") async throws -> String {
        var request = MeetingRequest()
        request.title = title
        request.with = names
        request.start = "2026-12-01T18:00"
        request.note = note
        return try await createMeeting(request, saving: true).meeting.id
    }

    /// Fails the test with the rows when a rule of the ledger is broken.
    func brokenRules() async throws -> [String] {
        try await verifyLedger().faults.map { "\($0.key): \($0.rule)" }
    }
}

/// The code of the refusal with which an action ends; `nil` when it succeeds.
func refusalCode(_ action: () async throws -> Void) async -> String? {
    await refusal(action)?.code
}
