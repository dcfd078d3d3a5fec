import Agenda
import Ledger
import Testing
import Timekeeping

import Wording
@testable import Planning
@testable import Storage

@Suite struct MeetingLinesTests {
    @Test(arguments: [(2, true), (3, false), (4, false)])
    func `A truncated list says so`(_ countMax: Int, _ isCut: Bool) throws {
        let lines = try MeetingLines(
            Self.summaries(count: 3), countMax: countMax, reader: .utc, zone: Self.zone)
        #expect(lines.meetings.count == min(countMax, 3))
        #expect(lines.truncated == isCut)
        let json = try JSONText.of(lines)
        #expect(json.contains(#""truncated":\#(isCut)"#))
        #expect(json.contains(#""place":null"#))
        #expect(json.contains(#""answers":"2 going","end":"1970-01-01T01:00:00+00:00""#))
    }

    @Test func `An unknown time zone is an error`() throws {
        let summaries = Self.summaries(count: 1)
        #expect(throws: ZoneError.self) {
            _ = try MeetingLines(summaries, countMax: 1, reader: .utc) { id in
                throw ZoneError.unknown(id: id, nearest: [])
            }
        }
    }

    private static func zone(_ id: String) -> Zone { .utc }

    private static func summaries(count: Int) -> [MeetingSummary] {
        (0..<count).map { number in
            MeetingSummary(
                id: MeetingID(text: "aaaabbbbcccc222\(number + 2)"), title: "Games",
                zone: "UTC", startsAt: Moment(milliseconds: 0),
                endsAt: Moment(milliseconds: 3_600_000), status: .confirmed, place: nil,
                turnout: Turnout(answers: AnswerCounts(of: [.going, .going])))
        }
    }
}
