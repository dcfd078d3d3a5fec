import Foundation
import Places
import Testing
import TestKit
import Timekeeping

/// Opening hours in the notation of OpenStreetMap.
@Suite struct OpeningHoursTests {
    private func state(
        _ text: String, _ day: Weekday, _ time: String, minutes: Int = 60
    ) throws -> OpeningHours.State {
        let parts = time.split(separator: ":").compactMap { Int($0) }
        return try #require(OpeningHours(text))
            .state(on: day, minute: parts[0] * 60 + parts[1], length: minutes)
    }

    @Test(arguments: [
        ("24/7", Weekday.sunday, "03:00", OpeningHours.State.open),
        ("Mo-Fr 10:00-18:00; Sa 10:00-15:00", .friday, "17:00", .open),
        ("Mo-Fr 10:00-18:00; Sa 10:00-15:00", .friday, "17:30", .closesEarlier),
        ("Mo-Fr 10:00-18:00; Sa 10:00-15:00", .saturday, "15:00", .closed),
        ("Mo-Fr 10:00-18:00;Sa 10:00-15:00", .saturday, "14:00", .open),
        ("Mo-Fr 9:00-18:00", .sunday, "12:00", .closed),
        ("Mo-Fr 09:00-21:00, Sa 09:00-19:00, Su 11:00-18:00", .sunday, "11:00", .open),
        ("We-Fr 13:00-18:00 Sa 12:00-18:00", .saturday, "12:30", .open),
        ("We-Fr 13:00-18:00 Sa 12:00-18:00", .wednesday, "12:30", .closed),
        ("Mo-Fr 08:00-12:00,13:00-17:00", .tuesday, "12:30", .closed),
        ("Mo-Fr 08:00-12:00, 13:00-17:00", .tuesday, "13:00", .open),
        ("Mo-Fr 08:00-12:00, Mo-Fr 13:00-17:00", .tuesday, "09:00", .open),
        ("Mo-Fr 08:00-18:00; We 10:00-12:00", .wednesday, "09:00", .closed),
        ("Tu-Fr 11:00-17:00; Th 11:00-17:45; Sa,Su 12:00-16:00", .sunday, "12:00", .open),
        ("Mo-Sa 09:00-18:00; PH off", .monday, "09:00", .open),
        ("Su,PH 12:00-18:00", .sunday, "12:00", .open),
        ("Fr-Mo 12:00-18:00", .sunday, "12:00", .open),
        ("Fr-Mo 12:00-18:00", .wednesday, "12:00", .closed),
        ("Mo-Su 21:00-04:00", .monday, "02:00", .open),
        ("Fr 21:00-04:00", .saturday, "03:00", .open),
        ("Fr 21:00-04:00", .friday, "03:00", .closed),
        ("Fr 21:00-04:00", .friday, "23:30", .open),
        ("Su 21:00-04:00", .monday, "03:30", .closesEarlier),
        ("Tu-We 17:00-00:00", .tuesday, "23:00", .open),
        ("Mo-Su 10:00-24:00; Mo closed", .monday, "12:00", .closed),
        ("10:00-20:00", .thursday, "10:00", .open),
    ])
    func `A place is open, closes earlier, or is closed`(
        text: String, day: Weekday, time: String, expected: OpeningHours.State
    ) throws {
        #expect(try state(text, day, time) == expected)
    }

    @Test func `A meeting that goes on after midnight needs both days`() throws {
        #expect(try state("Fr 18:00-24:00", .friday, "23:00", minutes: 180) == .closesEarlier)
        #expect(try state("Fr 18:00-03:00", .friday, "23:00", minutes: 180) == .open)
        #expect(try state("24/7", .sunday, "23:00", minutes: 3 * 1440) == .open)
        let lunch = "Mo-Su 11:00-14:00,17:00-22:00"
        #expect(try state(lunch, .monday, "13:00", minutes: 300) == .closesEarlier)
        #expect(try state(lunch, .monday, "11:00", minutes: 180) == .open)
        #expect(try state("Mo-Fr 08:00-12:00,12:00-17:00", .monday, "11:00", minutes: 120) == .open)
    }

    @Test(arguments: [
        "", "closed", "\\", "sunrise-sunset", "Apr-Sep Mo-Fr 10:00-18:00", "Mo-Fr 18:00+",
        "Mo-Fr 10:00-18:00 \"by appointment\"", "Mo[1] 10:00-12:00", "week 1-10 Mo 10:00-12:00",
        "Mo-Fr 10.00-18.00", "Mo-Fr 25:00-26:00", "Mo-Xx 10:00-12:00", "10:00", "Mo-Fr 10:60-12:00",
        "2026 Mo-Fr 10:00-12:00", "PH 10:00-12:00", "Mo-", "-", ";;;", "Mo-Fr",
        "Mo-Fr; Sa 10:00-14:00",
    ])
    func `What is not understood says nothing`(text: String) {
        #expect(OpeningHours(text) == nil)
    }

    @Test func `Most hours of the sample are understood`() throws {
        let file = ShippedData.folder + "/helsinki-sample/places.ndjson"
        let lines = try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n")
        let texts = lines.compactMap { line -> String? in
            let value = try? JSONSerialization.jsonObject(with: Data(line.utf8))
            return (value as? [String: Any])?["opening_hours"] as? String
        }
        #expect(texts.count > 400)
        #expect(texts.count { OpeningHours($0) != nil } > texts.count * 9 / 10)
    }
}
