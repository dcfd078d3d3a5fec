import Planning
import Testing
import Timekeeping

@testable import letsmeet

/// The answer of a list of meetings that is empty.
@Suite struct NoMeetingsTextTests {
    @Test func `An empty list says how to plan a meeting`() {
        #expect(
            NoMeetingsText.of(MeetingQuery())
                == "No coming meetings. To plan a meeting: letsmeet meeting new")
        #expect(NoMeetingsText.of(MeetingQuery(.past)) == "No past meetings.")
    }

    @Test func `An empty list repeats what was searched`() throws {
        var query = MeetingQuery(.past)
        query.isMine = true
        query.text = "café"
        query.people = ["anna", "Ben O'Hara"]
        query.from = try CivilDate(year: 2026, month: 1, day: 1)
        query.through = try CivilDate(year: 2026, month: 3, day: 31)
        #expect(
            NoMeetingsText.of(query)
                == "No past meetings that you organize, with \"café\" in the title or place, "
                + "with anna and Ben O'Hara, from Thu 1 January 2026, up to Tue 31 March 2026.")
        var coming = MeetingQuery(.invited)
        coming.text = "x"
        #expect(
            NoMeetingsText.of(coming)
                == "No coming meetings to which you are invited, with \"x\" in the title or "
                + "place. To search the past ones, add --past.")
    }
}
