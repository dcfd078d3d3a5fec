import Agenda
import Timekeeping

/// A part of an imported series: a stretch of its dates that has a meeting of its own, because the
/// file changes all dates from one on.
struct DividedPart: Sendable {
    /// The UID of the part.
    let uid: String
    /// The original time of its first date; `nil` for the part that begins the series.
    var first: WallTime?
    /// The shift of its dates against the original ones, in seconds of wall-clock time.
    var shift: Int64 = 0
    /// The meeting as the file describes it.
    let stated: Meeting
    /// The meeting as it is here.
    let current: Meeting

    /// The original time of one of its dates.
    func original(of name: String) -> WallTime? {
        guard case .wall(let wall) = CalendarStamp(name) else { return nil }
        return WallTime(secondsSince1970: wall.secondsSince1970 - shift)
    }

    /// The name of the date with an original time; `nil` if the part has no such date.
    func name(of original: WallTime, _ zone: (String) -> Zone?) -> String? {
        let wall = WallTime(secondsSince1970: original.secondsSince1970 + shift)
        let name = CalendarStamp.wall(wall).description
        guard let rules = zone(stated.time.zone), stated.hasDate(named: name, in: rules) else {
            return nil
        }
        return name
    }

    func begins(by original: WallTime) -> Bool { first.map { $0 <= original } ?? true }

    func begins(from original: WallTime) -> Bool {
        first.map { $0 >= original } ?? false
    }
}

extension DividedPart {
    /// Describes a part at its place in the series; `nil` for the part that begins it.
    init(
        uid: String, at place: (first: WallTime, shift: Int64)?, stated: Meeting, current: Meeting
    ) {
        self.init(
            uid: uid, first: place?.first, shift: place?.shift ?? 0, stated: stated,
            current: current)
    }
}

extension [DividedPart] {
    /// The parts in the order of their dates.
    var byDate: [DividedPart] {
        sorted { one, other in
            guard let later = other.first else { return false }
            return one.first.map { $0 < later } ?? true
        }
    }
}
