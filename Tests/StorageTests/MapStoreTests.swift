import Agenda
import Ledger
import Planning
import Storage
import Testing
import TestKit
import Timekeeping

/// Maps and the history of meetings in the store.
@Suite struct MapStoreTests {
    private static let part = GridPart(rows: 10...20, columns: 30...40)

    private func save(_ store: Store, _ row: Int, at now: Int64) async throws {
        let map = PackedMap(
            part: Self.part,
            squares: [PackedMap.Square(row: row, column: 35, ways: [UInt8(row)])], wide: [99])
        try await store.saveMap(
            map, ofDataset: "city", attribution: "OSM", now: .init(milliseconds: now))
    }

    @Test func `A map replaces the one before, and is read by its part`() async throws {
        try await withHome { home in
            let store = try await home.planner().store
            await #expect(throws: StoreError.self) { try await save(store, 11, at: 1) }
            _ = try await store.importPlaces(
                [], into: Dataset(name: "city", attribution: "OSM"), now: .init(milliseconds: 0))
            #expect(try await store.mapRevision() == 0)
            try await save(store, 11, at: 1)
            try await save(store, 12, at: 2)
            #expect(try await store.mapRevision() == 3)
            let read = try await store.mapWays(in: GridPart(rows: 12...12, columns: 0...99))
            #expect(Set(read.packs) == [[12], [99]] && read.attributions == ["OSM"])
            let edge = try await store.mapWays(in: GridPart(rows: 20...21, columns: 40...41))
            #expect(edge.packs == [[99]])
            let far = try await store.mapWays(in: GridPart(rows: 21...22, columns: 35...35))
            #expect(far.packs.isEmpty && far.attributions.isEmpty)
        }
    }

    @Test func `Venues are those of meetings to come, then saved places, rounded and once`()
        async throws
    {
        try await withHome { home in
            let planner = try await home.planner()
            for (title, start, place) in [
                ("Late", "2026-12-09 12:00", "60.1799,24.9301"),
                ("Soon", "2026-12-02 12:00", "60.1601,24.9402"),
                ("Again", "2026-12-03 12:00", "60.1602,24.9401"),
            ] {
                let name = "At \(title)"
                _ = try await planner.addPlace(name, near: place, address: "")
                var request = MeetingRequest()
                request.title = title
                request.start = start
                request.place = name
                _ = try await planner.createMeeting(request, saving: true)
            }
            let box = GeoBox(south: 60, north: 61, west: 24, east: 25)
            let venues = try await planner.store.venuePositions(
                in: box, after: planner.now, limit: 9)
            #expect(
                venues.map { "\($0.latitude) \($0.longitude)" } == [
                    "60.16 24.94", "60.18 24.93",
                ])
            let id = try #require(try await planner.meetings(.coming).meetings.first).id
            let entries = try await planner.store.history(of: .init(text: id), limit: 5)
            #expect(entries.map(\.deed) == [.created] && entries[0].title == "Soon")
        }
    }
}
