import Agenda
import TestKit
import Testing
import Timekeeping

/// Times at which people can meet, and the times at which they are busy.
@Suite struct SlotSearchTests {
    private static let zones = SystemZones.directory

    private func moment(_ text: String) throws -> Moment { try Moment.parse(text) }

    private func span(_ start: String, _ end: String) throws -> Range<Moment> {
        try moment("2026-12-\(start)Z")..<moment("2026-12-\(end)Z")
    }

    @Test func `Spans are sorted and merged, and firm spans win over tentative`() throws {
        let times = BusyTimes(
            firm: [
                try span("02T10:00", "02T11:00"), try span("01T09:00", "01T10:00"),
                try span("01T10:00", "01T10:30"), try span("01T09:30", "01T09:45"),
            ],
            tentative: [try span("01T08:00", "01T12:00"), try span("02T10:15", "02T10:30")])
        #expect(
            times.firm == [try span("01T09:00", "01T10:30"), try span("02T10:00", "02T11:00")])
        #expect(
            times.tentative == [
                try span("01T08:00", "01T09:00"), try span("01T10:30", "01T12:00"),
            ])
        #expect(times.conflict(with: try span("01T10:00", "01T11:00"))?.isFirm == true)
        #expect(times.conflict(with: try span("01T10:30", "01T11:00"))?.isFirm == false)
        #expect(times.conflict(with: try span("01T12:00", "02T10:00")) == nil)
        let shared = times.sharing(try span("01T10:00", "01T11:00"))
        #expect(shared.firm == [try span("01T09:00", "01T10:30")])
        #expect(shared.tentative == [try span("01T10:30", "01T12:00")])
    }

    @Test func `The best slot suits everybody by their own clocks`() throws {
        let berlin = try Self.zones.zone("Europe/Berlin")
        let york = try Self.zones.zone("America/New_York")
        var search = SlotSearch(
            in: try span("01T00:00", "03T00:00"), lasting: 3600, by: berlin)
        search.hours = [try WeekSpan.parse("9:00-21:00")]
        let anna = SlotGuest(
            busy: BusyTimes(firm: [try span("01T13:00", "01T16:00")], tentative: []), zone: berlin)
        let ben = SlotGuest(
            busy: BusyTimes(firm: [], tentative: [try span("01T16:00", "01T17:30")]), zone: york)
        #expect(search.slots(for: [anna, ben]).allSatisfy { $0.absent.isEmpty })
        search.quorum = 1
        let slots = search.slots(for: [anna, ben])
        // 14:00 UTC is 09:00 in New York, and up to 20:00 UTC it is not yet 21:00 in Berlin.
        #expect(slots.first?.time == (try span("01T18:00", "01T19:00")))
        #expect(slots.first?.absent == [:] && slots.first?.tentative == [:])
        let all = slots.filter { $0.absent.isEmpty && $0.tentative.isEmpty }
        #expect(
            all.map(\.time) == [
                try span("01T18:00", "01T19:00"), try span("01T19:00", "01T20:00"),
                try span("02T14:00", "02T15:00"), try span("02T15:00", "02T16:00"),
                try span("02T16:00", "02T17:00"),
            ])
        let tentative = try #require(slots.first { !$0.tentative.isEmpty })
        #expect(tentative.time == (try span("01T16:00", "01T17:00")))
        let lonely = try #require(slots.first { $0.absent.values.contains(.hours) })
        // 21:00 in Berlin is 15:00 in New York.
        #expect(lonely.absent == [0: .hours])
        search.quorum = 2
        #expect(search.slots(for: [anna, ben]).allSatisfy { $0.absent.isEmpty })
        search.quorum = 3
        #expect(search.slots(for: [anna, ben]).isEmpty)
    }

    @Test func `A busy guest is reported with the busy time`() throws {
        let search = SlotSearch(in: try span("01T10:00", "01T11:00"), lasting: 3600, by: .utc)
        let busy = try span("01T10:30", "01T12:00")
        let guest = SlotGuest(busy: BusyTimes(firm: [busy], tentative: []), zone: .utc)
        var any = search
        #expect(any.slots(for: [guest]).isEmpty)
        any.quorum = 0
        #expect(any.slots(for: [guest]).map(\.absent) == [[0: .busy(busy)]])
        let other = SlotGuest(busy: .never, zone: .utc)
        #expect(search.slots(for: [guest, other]).map(\.absent) == [[0: .busy(busy)]])
        let long = SlotSearch(in: try span("01T10:00", "01T11:00"), lasting: 3601, by: .utc)
        #expect(long.slots(for: [other]).isEmpty)
    }

    @Test func `A free day is offered in the morning, the afternoon and the evening`() throws {
        var search = SlotSearch(in: try span("01T00:00", "03T00:00"), lasting: 3600, by: .utc)
        search.hours = [try WeekSpan.parse("9:00-21:00")]
        let guest = SlotGuest(busy: .never, zone: .utc)
        #expect(
            try search.slots(for: [guest]).prefix(4).map(\.time) == [
                span("01T09:00", "01T10:00"), span("01T12:00", "01T13:00"),
                span("01T17:00", "01T18:00"), span("02T09:00", "02T10:00"),
            ])
        search.hours = [try WeekSpan.parse("18:00-22:00")]
        #expect(
            try search.slots(for: [guest]).prefix(2).map(\.time) == [
                span("01T18:00", "01T19:00"), span("01T19:00", "01T20:00"),
            ])
    }

    /// Checks each start by itself, and each guest by each span.
    private func bruteForce(_ search: SlotSearch, _ guests: [SlotGuest]) -> [Moment: [Int]] {
        var found: [Moment: [Int]] = [:]
        var start = Moment(seconds: (search.time.lowerBound.seconds + 299) / 300 * 300)
        while start.advanced(bySeconds: search.seconds) <= search.time.upperBound {
            let slot = start..<start.advanced(bySeconds: search.seconds)
            let absent = guests.count { guest in
                guest.busy.firm.contains { $0.overlaps(slot) }
                    || !isOpen(slot, search.hours, guest.zone)
            }
            let tentative = guests.count { guest in
                !guest.busy.firm.contains { $0.overlaps(slot) }
                    && isOpen(slot, search.hours, guest.zone)
                    && guest.busy.tentative.contains { $0.overlaps(slot) }
            }
            found[start] = [absent, tentative]
            start = start.advanced(bySeconds: 300)
        }
        return found
    }

    private func isOpen(_ slot: Range<Moment>, _ hours: [WeekSpan], _ zone: Zone) -> Bool {
        guard !hours.isEmpty else { return true }
        var moment = slot.lowerBound
        while moment < slot.upperBound {
            guard hours.contains(where: { $0.contains(zone.wallTime(at: moment)) }) else {
                return false
            }
            // Hours begin and end on the grid.
            moment = moment.advanced(bySeconds: 300)
        }
        return true
    }

    /// The number of steps between a slot and the nearest one within somebody's hours.
    private func distance(of slot: Range<Moment>, _ hours: [WeekSpan], _ zone: Zone) -> Int {
        (0...).first { steps in
            [-300, 300].contains { step in
                let shift = Int64(step * steps)
                let other =
                    slot.lowerBound.advanced(
                        bySeconds: shift)..<slot.upperBound
                    .advanced(bySeconds: shift)
                return isOpen(other, hours, zone)
            }
        } ?? 0
    }

    @Test func `Times outside the hours are sorted by the distance from them`() throws {
        let zones = try ["Pacific/Auckland", "America/Los_Angeles", "Europe/Berlin"]
            .map(Self.zones.zone)
        var search = SlotSearch(in: try span("07T00:00", "08T00:00"), lasting: 3600, by: zones[2])
        search.hours = [try WeekSpan.parse("9:00-21:00")]
        let slots = search.slots(for: zones.map { SlotGuest(busy: .never, zone: $0) })
        // 18:00 UTC is 07:00 in Auckland, and 20:00 UTC is 21:00 in Berlin. A meeting at 19:30 UTC
        // is equally far outside the hours of both.
        #expect(slots.first?.time == (try span("07T19:00", "07T20:00")))
        #expect(slots.first?.absent == [0: .hours])
    }

    @Test(arguments: 0..<30) func `The sweep finds the same slots as a check of each start`(
        seed: Int
    ) throws {
        var chance = SeededRandom(seed: UInt64(seed))
        let ids = ["Europe/Berlin", "America/New_York", "Asia/Kathmandu", "Australia/Lord_Howe"]
        let day = Int64.random(in: 0..<300, using: &chance) * 86_400
        let from = Moment(seconds: 1_796_083_200 + day + .random(in: 0..<5000, using: &chance))
        let time = from..<from.advanced(bySeconds: 3 * 86_400)
        func spans(_ count: Int) -> [Range<Moment>] {
            (0..<count).map { _ in
                let start = from.advanced(bySeconds: .random(in: -9000..<270_000, using: &chance))
                return start..<start.advanced(bySeconds: .random(in: 1..<20_000, using: &chance))
            }
        }
        let guests = try (0..<5).map { _ in
            SlotGuest(
                busy: BusyTimes(firm: spans(6), tentative: spans(4)),
                zone: try Self.zones.zone(ids.randomElement(using: &chance) ?? "UTC"))
        }
        var search = SlotSearch(
            in: time, lasting: .random(in: 1...200, using: &chance) * 60, by: .utc)
        search.slotsMax = 12
        if seed % 3 > 0 {
            search.hours = [try WeekSpan.parse(seed % 3 == 1 ? "7:00-23:00" : "mon-fri 20:00-9:00")]
        }
        let expected = bruteForce(search, guests)
        let slots = search.slots(for: guests)
        for slot in slots {
            let counts = [slot.absent.count, slot.tentative.count]
            #expect(expected[slot.time.lowerBound] == counts, "\(slot.time.lowerBound)")
        }
        let best = expected.values.filter { $0[0] < guests.count }.min {
            ($0[0], $0[1]) < ($1[0], $1[1])
        }
        #expect(slots.first.map { [$0.absent.count, $0.tentative.count] } == best)
        let ranks = slots.map { slot in
            let outside = guests.map { guest in
                let isBusy = guest.busy.firm.contains { $0.overlaps(slot.time) }
                return distance(of: slot.time, search.hours, guest.zone) + (isBusy ? 36 : 0)
            }.reduce(0, +)
            return (slot.absent.count, slot.tentative.count, (outside + 5) / 6)
        }
        #expect(zip(ranks, ranks.dropFirst()).allSatisfy { $0 <= $1 }, "\(ranks)")
        for (place, slot) in slots.enumerated() {
            #expect(!slots[..<place].contains { $0.time.overlaps(slot.time) })
        }
    }
}
