import Agenda
import Ledger
import Synchronization
import TestKit
import Testing
import Timekeeping

@testable import Planning
@testable import Storage

/// Lists of very many meetings: as many are read as are shown.
@Suite struct LongListTests {
    private static func summary(_ number: Int) -> MeetingSummary {
        let start = Moment(seconds: Int64(number) * 3600)
        return MeetingSummary(
            id: MeetingID(text: "m\(1000 + number)"), title: "Games", zone: "UTC", startsAt: start,
            endsAt: start.advanced(bySeconds: 60), status: .confirmed, place: nil,
            turnout: Turnout(answers: AnswerCounts(of: [.going])))
    }

    @Test(arguments: [1, 7, 59, 60, 100], [false, true])
    func `The first meetings of many are the same in whatever order they come`(
        limit: Int, isPast: Bool
    ) {
        let mixed = (0..<60).map { Self.summary($0 * 37 % 60) }
        var first = FirstMeetings(limit: limit, isPast: isPast)
        for start in stride(from: 0, to: 60, by: 5) { first.add(Array(mixed[start..<start + 5])) }
        let ordered = (0..<60).map { Self.summary(isPast ? 59 - $0 : $0).id }
        let found = first.found(isWhole: true)
        #expect(found.rows.map(\.id) == Array(ordered.prefix(limit)))
        #expect(found.completeBefore == (limit <= 60 ? found.rows.last?.startsAt : nil))
        #expect(first.found(isWhole: false).completeBefore == .earliest)
    }

    @Test func `Meetings behind the last one of a full list need not be examined`() {
        var first = FirstMeetings(limit: 3, isPast: false)
        first.add([Self.summary(8), Self.summary(9)])
        #expect(first.lastStart == nil)
        first.add([Self.summary(7)])
        #expect(first.lastStart == Self.summary(9).startsAt)
        first.add([Self.summary(1), Self.summary(2), Self.summary(3)])
        #expect(first.lastStart == Self.summary(3).startsAt)
    }

    /// A home with three series, each on every hour from 2 December on.
    private func withHourly(
        listener: @escaping Store.StatementListener = { _ in },
        _ body: (Planner) async throws -> Void
    ) async throws {
        try await withTemporaryHome { world in
            let planner = try await Store.$statementListener.withValue(listener) {
                try await world.planner()
            }
            for minute in [0, 20, 40] {
                var request = MeetingRequest.lunch(start: "2026-12-02T12:\(minute + 10)")
                request.repetition = "FREQ=HOURLY"
                request.duration = TimeSpan(days: 0, seconds: 600)
                request.reminders = []
                try await planner.create(request)
            }
            try await body(planner)
        }
    }

    @Test func `A list of ten years has as many dates as it shows, and says that there are more`()
        async throws
    {
        try await withHourly { planner in
            var query = MeetingQuery()
            query.from = try planner.day("2026-12-03")
            query.through = try planner.day("2036-12-03")
            query.countMax = 7
            let lines = try await planner.meetings(query)
            #expect(lines.truncated)
            #expect(
                lines.meetings.map { String($0.start.text.dropFirst(11).prefix(5)) } == [
                    "00:10", "00:30", "00:50", "01:10", "01:30", "01:50", "02:10",
                ])
            query.through = query.from
            query.countMax = 72
            let day = try await planner.meetings(query)
            #expect(day.meetings.count == 72 && !day.truncated)
        }
    }

    @Test func `The days of a week are read at once`() async throws {
        let count = Mutex(0)
        try await withHourly(listener: { sql in
            if sql.contains("FROM meeting m") { count.withLock { $0 += 1 } }
        }) { planner in
            let day = try planner.day("2026-12-03")
            var counts: [Int] = []
            for last in [day, day.adding(days: 6)] {
                count.withLock { $0 = 0 }
                let days = try await planner.meetings(onEachOf: day...last)
                #expect(days.first?.day == day && days.last?.day == last)
                #expect(days.allSatisfy { $0.lines.meetings.count == 72 && !$0.lines.truncated })
                counts.append(count.withLock(\.self))
            }
            #expect(counts[0] == counts[1] && counts[0] > 0)
        }
    }

    @Test func `Days behind the end of a list of several days have more meetings`() async throws {
        try await withTemporaryHome { world in
            let planner = try await world.planner(tz: "UTC")
            // At noon on 3 January 1970.
            let last = Self.summary(60)
            let found = FoundMeetings(
                rows: [Self.summary(1), last], completeBefore: last.startsAt)
            for (number, isTruncated) in [false, false, true, true].enumerated() {
                let day = try #require(CivilDate(daysSince1970: number))
                let lines = try planner.lines(on: day, among: found)
                #expect(lines.truncated == isTruncated, "\(day)")
            }
        }
    }

    @Test func `A list reads no more series than its limit, and none that its filter excludes`()
        async throws
    {
        try await withHourly { planner in
            var filter = MeetingFilter(limit: 9)
            filter.endsAfter = planner.now
            let store = planner.store
            let all: Int = try await store.series(filter).count
            let two: Int = try await store.series(filter, limit: 2).count
            #expect(all == 3 && two == 2)
            filter.silent = planner.owner.id
            let unanswered: Int = try await store.series(filter).count
            filter.silent = nil
            filter.invited = planner.owner.id
            let invited: Int = try await store.series(filter).count
            filter.invited = nil
            filter.comer = planner.owner.id
            let coming: Int = try await store.series(filter).count
            #expect(unanswered == 0 && invited == 0 && coming == 3)
        }
    }
}
