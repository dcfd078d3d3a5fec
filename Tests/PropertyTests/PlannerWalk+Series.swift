import Agenda
import Ledger
import Planning
import Storage
import Timekeeping
import TestKit

/// The steps of the walk that change single dates of a series, or all dates from one on.
extension PlannerWalk {
    /// The notifications other than reminders that are added when the plan of a series is extended.
    /// There should be none.
    func newsOfPlanningOn() async throws -> [String] {
        let before = try await openNews()
        _ = try await planner.planSeriesOn()
        return try await openNews().subtracting(before).sorted()
    }

    private func openNews() async throws -> Set<String> {
        let lines = try await planner.outbox().rows.filter { $0.kind != "reminder" }
        return Set(lines.map { "\($0.kind) \($0.occurrence ?? "") to \($0.to.name)" })
    }

    func editSeries() async throws -> String {
        let day = "2026-12-\(number(5..<25) + 5)"
        let who = Self.names[number(0..<4)]
        switch number(0..<9) {
        case 0...2: return try await editDate(day)
        case 3:
            return try await say("\(who) to \(day)") {
                try await $0.invite([who], to: $1, on: day, saving: true)
            }
        case 4, 5:
            return try await say("\(who) off \(day)") {
                try await $0.uninvite([who], from: $1, on: day, saving: true)
            }
        case 6:
            let answer = [Answer.going, .maybe, .declined][number(0..<3)]
            return try await say("\(who) \(answer) on \(day)") {
                try await $0.answer(
                    $1, on: day, answer, who: who, plus: nil, note: nil, saving: true)
            }
        case 7:
            return try await say("off on \(day)") {
                try await $0.cancelMeeting($1, on: day, saving: true)
            }
        default: return try await editFrom(day)
        }
    }

    private func editDate(_ day: String) async throws -> String {
        var edit = MeetingEdit()
        edit.date = day
        edit.isQuiet = number(0..<5) == 0
        if number(0..<2) == 0 { edit.start = "2026-12-\(number(10..<29))T1\(number(0..<9)):00" }
        if number(0..<3) == 0 { edit.place = "Room \(number(0..<3))" }
        let wanted = edit
        return try await say("\(wanted)") { try await $0.editMeeting($1, wanted, saving: true) }
    }

    /// Changes the repetition, or all dates from a day on. In the second case, the meeting of the
    /// walk ends before that day.
    private func editFrom(_ day: String) async throws -> String {
        var edit = MeetingEdit()
        switch number(0..<3) {
        case 0: edit.repetition = ["every 2nd day, 30 times", "daily, 50 times"][number(0..<2)]
        case 1:
            edit.from = day
            edit.place = "Hall \(number(0..<3))"
        default:
            edit.from = day
            edit.start = "1\(number(0..<9)):30"
        }
        let wanted = edit
        return try await say("\(wanted)") { try await $0.editMeeting($1, wanted, saving: true) }
    }
}
