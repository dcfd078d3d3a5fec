import Planning
import Testing
import Timekeeping
import Wording

@testable import Web

/// The fields about seats in the forms of meetings.
@Suite struct SeatingFieldsTests {
    private func fields(_ form: String) -> SeatingFields { SeatingFields(FormFields(form)) }

    private func faults(_ form: String) throws -> [String] {
        let now = WallTime(date: try CivilDate(year: 2026, month: 12, day: 1), time: .midnight)
        return fields(form).faults(.sample, now: now).map(\.field)
    }

    @Test func `A form without the fields plans a meeting of invited people`() {
        #expect(fields("title=Games").request == nil)
        #expect(fields("audience=&waitingList=1&namesFor=members").request == nil)
    }

    @Test func `A form with the fields opens the meeting`() {
        let form =
            "audience=circle%3AChoir&seats=+6+&approve=1&namesFor=organizer&minimum=4"
            + "&minimumBy=2026-12-03T18:00&early=1"
        let edit = fields(form).request
        #expect(edit?.audience == "circle:Choir")
        #expect(edit?.seats == "6")
        #expect(edit?.hasWaitingList == false)
        #expect(edit?.needsApproval == true)
        #expect(edit?.namesFor == "organizer")
        #expect(edit?.minimum == "4")
        #expect(edit?.minimumBy == "2026-12-03T18:00")
        #expect(edit?.confirmsEarly == true)
    }

    @Test func `A change names the changed fields only`() {
        let edit = fields("audience=&seats=&waitingList=1").edit(of: ["seats", "audience"])
        #expect(edit?.audience == "none" && edit?.seats == "none")
        #expect(edit?.hasWaitingList == nil && edit?.namesFor == nil && edit?.minimum == nil)
        #expect(fields("audience=public").edit(of: ["title"]) == nil)
    }

    @Test func `Wrong fields are named`() throws {
        #expect(try faults("audience=public&seats=6") == [])
        for seats in ["0", "-1", "x", "10001"] {
            #expect(try faults("audience=public&seats=\(seats)") == ["seats"], "\(seats)")
        }
        #expect(try faults("audience=public&minimum=4") == ["minimumBy"])
        #expect(try faults("audience=public&minimum=4&minimumBy=soon") == ["minimumBy"])
        #expect(try faults("audience=public&minimum=0&minimumBy=2026-12-03T18:00") == ["minimum"])
        #expect(try faults("audience=public&minimumBy=2026-12-03T18:00") == ["minimum"])
        #expect(try faults("audience=public&minimum=4&minimumBy=2026-12-03T18:00") == [])
    }

    @Test func `The part with the rarer fields is open if it holds something`() {
        func isOpen(_ form: String) -> Bool {
            let values = fields(form).values(circles: ["Choir"], faults: [], .sample)
            guard case .flag(true)? = values["hasSeating"] else { return false }
            return true
        }
        #expect(!isOpen("audience=public&waitingList=1"))
        #expect(isOpen("audience=public&waitingList=1&seats=6"))
        #expect(isOpen("audience=public"))
    }
}
