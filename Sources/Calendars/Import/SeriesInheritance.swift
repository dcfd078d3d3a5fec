import Agenda
import Timekeeping

/// The state that the meeting of one part of an imported series takes over from others, and
/// leaves to them.
struct SeriesShare: Sendable {
    /// The meeting, as its file described it and as it is, that a new part follows; `nil` for a
    /// part that has a meeting.
    var followed: (base: Meeting, current: Meeting)?
    /// Changes of single dates that were made in another part, by the name of the date in this one;
    /// `nil` for a change of the file that was taken back.
    var dates: [String: DateChange?] = [:]
    /// The dates of this part, as it was, that others have now.
    var handedOver: Set<String> = []
    /// True if the file changes dates that were changed here in another part.
    var hasReplacedDates = false
}

/// Distributes what was changed here in the parts of a series over the parts of its newer version.
///
/// A change of a date goes to the part that has the date now. A new part follows the part that it
/// replaces, or else the one that had its first date, and takes over its fields. What finds no part
/// is named in remarks.
struct SeriesInheritance {
    /// The state that each part takes over, by its UID.
    private(set) var shares: [String: SeriesShare] = [:]
    /// The number of dates that were changed in parts that ended, and that no part has any more.
    private var lost = 0
    /// Remarks on the fields of parts that ended, as phrases that follow the title.
    private var ended: [String] = []
    private let former: [DividedPart]
    private let new: [DividedPart]
    private let zone: (String) -> Zone?

    /// Distributes the changes.
    ///
    /// - Parameters:
    ///   - former: the parts as they were, in the order of their dates.
    ///   - new: the parts of the newer version, in the order of their dates.
    ///   - zone: returns the rules of a time zone.
    init(from former: [DividedPart], to new: [DividedPart], zone: @escaping (String) -> Zone?) {
        self.former = former
        self.new = new
        self.zone = zone
        for part in former { distributeDates(of: part) }
        distributeFields()
    }

    private mutating func distributeDates(of part: DividedPart) {
        let own = part.current.on(part.stated, zone: zone).series?.changes ?? [:]
        let stated = part.stated.series?.changes ?? [:]
        let isOver = !new.contains { $0.uid == part.uid }
        for name in Set(own.keys).union(stated.keys) where own[name]?.facts != stated[name]?.facts {
            let found = heir(of: name, in: part)
            guard found?.part.uid != part.uid else { continue }
            guard let (heir, renamed) = found else {
                if isOver { lost += 1 }
                continue
            }
            shares[part.uid, default: SeriesShare()].handedOver.insert(name)
            let now = heir.stated.series?.changes[renamed]?.facts
            if now == stated[name]?.facts {
                shares[heir.uid, default: SeriesShare()].dates.updateValue(
                    own[name], forKey: renamed)
            } else if now != own[name]?.facts {
                shares[heir.uid, default: SeriesShare()].hasReplacedDates = true
            }
        }
    }

    /// The part that has a date of a former part now, and the name of the date there.
    private func heir(of name: String, in part: DividedPart) -> (part: DividedPart, name: String)? {
        guard let original = part.original(of: name) else { return nil }
        // All dates of the series may have moved.
        let moved = WallTime(secondsSince1970: original.secondsSince1970 + move)
        for original in [original, moved] {
            guard let heir = new.last(where: { $0.begins(by: original) }),
                let name = heir.name(of: original, zone)
            else { continue }
            return (heir, name)
        }
        return nil
    }

    /// The move of the whole series, in seconds of wall-clock time.
    private var move: Int64 {
        guard let before = former.first, let now = new.first, before.uid == now.uid else {
            return 0
        }
        return now.stated.time.start.secondsSince1970 - before.stated.time.start.secondsSince1970
    }

    /// Remarks on what was changed in parts that ended and is lost, as phrases that follow the
    /// title of the series.
    var remarks: [String] { ended + (lost > 0 ? [ImportMerge.lostDates(lost)] : []) }

    private mutating func distributeFields() {
        let known = Set(former.map(\.uid))
        let stays = Set(new.map(\.uid))
        var followed: Set<String> = []
        for part in new where !known.contains(part.uid) {
            let ended = former.first { !stays.contains($0.uid) && overlap($0, part) }
            let usual = former.last { before in part.first.map { before.begins(by: $0) } ?? true }
            guard let before = ended ?? usual else { continue }
            followed.insert(before.uid)
            shares[part.uid, default: SeriesShare()].followed = (before.stated, before.current)
        }
        for part in former where !stays.contains(part.uid) && !followed.contains(part.uid) {
            let fields = part.current.fields(otherThan: part.stated)
            guard !fields.isEmpty, let first = part.first else { continue }
            ended.append(
                "is no longer a separate series from \(first.date) on. Your changes to it were not "
                    + "kept: \(fields.joined(separator: ", ")).")
        }
    }

    /// True if a former and a new part have original dates in common.
    private func overlap(_ before: DividedPart, _ now: DividedPart) -> Bool {
        func end(of part: DividedPart, in parts: [DividedPart]) -> WallTime? {
            parts.compactMap(\.first).first { first in part.first.map { $0 < first } ?? true }
        }
        let endsLater = end(of: before, in: former).map { !now.begins(from: $0) } ?? true
        let startsBefore = end(of: now, in: new).map { !before.begins(from: $0) } ?? true
        return endsLater && startsBefore
    }
}
