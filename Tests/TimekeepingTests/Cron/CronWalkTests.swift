import Foundation
import TestKit
import Testing

@testable import Timekeeping

/// Random lines around every clock change of every zone, compared with a minute-by-minute walk that
/// checks the wall-clock time.
@Suite(.enabled(if: SystemZones.areInstalled, "needs the files of tzdata"))
struct CronWalkTests {
    @Test func `Random lines agree with a walk around every change from 1970 to 2037`() throws {
        var chance = SeededChance(seed: .random(in: 0...999_999))
        var changes = 0
        for id in try SystemZones.distinctIdentifiers() {
            let zone = try SystemZones.directory.zone(id)
            // Every fourth change of a zone, chosen at random, so that over several runs all are
            // covered.
            for change in try transitions(of: zone, years: 1970..<2038)
            where Int.random(in: 0..<4, using: &chance) == 0 && change.isAlone(in: zone) {
                let line = CronLine.random(near: change, using: &chance)
                let expression = try CronExpression(line)
                let found = moments(of: expression, around: change, in: zone)
                let walked = CronWalk(expression, around: change, in: zone).moments
                #expect(found == walked, "\(line) in \(id) around \(change.moment.utcText)")
                changes += 1
            }
        }
        print("cron: \(changes) changes walked")
        #expect(changes > 1000)
    }

    private func moments(
        of expression: CronExpression, around change: ZoneTransition, in zone: Zone
    ) -> [Moment] {
        var found: [Moment] = []
        var last = CronWalk.start(change).advanced(bySeconds: -1)
        while let next = expression.next(after: last, in: zone), next < CronWalk.end(change) {
            found.append(next)
            last = next
        }
        return found
    }

    @Test func `Each next moment is later than the start, and a later start gives no earlier one`()
        throws
    {
        var chance = SeededChance(seed: .random(in: 0...999_999))
        let ids = try SystemZones.distinctIdentifiers()
        for _ in 0..<20_000 {
            let zone = try SystemZones.directory.zone(ids.randomElement(using: &chance) ?? "UTC")
            guard let expression = try? CronExpression(CronLine.random(using: &chance)) else {
                continue
            }
            let changes = CronExpression.ClockChanges.allCases.randomElement(using: &chance)
            let first = Moment(seconds: .random(in: 0..<2_145_916_800, using: &chance))
            let second = first.advanced(bySeconds: .random(in: 0..<200_000, using: &chance))
            let nexts = [first, second].map {
                expression.next(after: $0, in: zone, changes: changes ?? .debian)
            }
            let (next, later) = try (#require(nexts[0]), #require(nexts[1]))
            #expect(next > first && later > second && later >= next)
        }
    }
}

/// Random cron lines.
enum CronLine {
    static func random(using chance: inout SeededChance) -> String {
        [
            field(0...59, using: &chance), field(0...23, using: &chance),
            field(1...28, using: &chance, stars: 70), field(1...12, using: &chance, stars: 80),
            field(0...7, using: &chance, stars: 70),
        ].joined(separator: " ")
    }

    /// A line that is likely to run near a clock change.
    static func random(near change: ZoneTransition, using chance: inout SeededChance) -> String {
        let wall = WallTime(
            secondsSince1970: change.moment.seconds + Int64(change.before.offsetSeconds))
        let hours = (-2...3).map { (wall.time.hour + $0 + 24) % 24 }
        let hour =
            Bool.random(using: &chance)
            ? "\(hours.randomElement(using: &chance) ?? 0)" : field(0...23, using: &chance)
        return "\(field(0...59, using: &chance)) \(hour) * * *"
    }

    private static func field(
        _ range: ClosedRange<Int>, using chance: inout SeededChance, stars: Int = 30
    ) -> String {
        if Int.random(in: 0..<100, using: &chance) < stars {
            let step = Int.random(in: 1...range.upperBound, using: &chance)
            return Bool.random(using: &chance) ? "*" : "*/\(step)"
        }
        return (0...Int.random(in: 0...2, using: &chance)).map { _ in
            let (one, other) = (
                Int.random(in: range, using: &chance), Int.random(in: range, using: &chance)
            )
            return Bool.random(using: &chance) ? "\(one)" : "\(min(one, other))-\(max(one, other))"
        }.joined(separator: ",")
    }
}

/// The hours on both sides of a clock change, minute by minute.
private struct CronWalk {
    private(set) var moments: [Moment] = []

    static func start(_ change: ZoneTransition) -> Moment {
        change.moment.advanced(bySeconds: -4 * 3600)
    }

    static func end(_ change: ZoneTransition) -> Moment {
        change.moment.advanced(bySeconds: 5 * 3600)
    }

    init(_ expression: CronExpression, around change: ZoneTransition, in zone: Zone) {
        let skipped = change.after.offsetSeconds - change.before.offsetSeconds
        let isCorrection = skipped >= 180 * 60 || skipped < -180 * 60
        var latest = Int64.min
        // Since 1970 the offset of every zone is a multiple of half a minute.
        let (start, end) = (Self.start(change).seconds, Self.end(change).seconds)
        for seconds in stride(from: start, to: end, by: 30) {
            let moment = Moment(seconds: seconds)
            let wall = seconds + Int64(zone.offsetSeconds(at: moment))
            if moment == change.moment, !expression.followsClock, !isCorrection, skipped > 0,
                (wall - Int64(skipped)..<wall).contains(where: { expression.fits($0) })
            {
                moments.append(moment)
            }
            if moment == change.moment, isCorrection { latest = .min }
            let isNew = wall > latest
            latest = max(latest, wall)
            guard expression.followsClock || isNew, expression.fits(wall) else { continue }
            if moments.last != moment { moments.append(moment) }
        }
    }
}

extension CronExpression {
    /// True if a wall-clock second begins a matching minute, checked field by field.
    fileprivate func fits(_ wall: Int64) -> Bool {
        guard wall % 60 == 0 else { return false }
        let time = WallTime(secondsSince1970: wall)
        let weekday = time.date.weekday.rawValue % 7
        let fitsNumber = days.ofMonth.numbers >> UInt64(time.date.day) & 1 == 1
        let fitsWeek = days.ofWeek.numbers >> UInt64(weekday) & 1 == 1
        let fitsDay = days.needsBoth ? fitsNumber && fitsWeek : fitsNumber || fitsWeek
        return fitsDay && months >> UInt64(time.date.month) & 1 == 1
            && minutes >> UInt64(time.time.minute) & 1 == 1
            && hours >> UInt64(time.time.hour) & 1 == 1
    }
}

extension ZoneTransition {
    /// True if the offset changes, and there is no other change within a day.
    fileprivate func isAlone(in zone: Zone) -> Bool {
        let day: Int64 = 86_400
        let before = zone.previousTransition(before: moment)?.moment.seconds ?? .min / 2
        let after = zone.nextTransition(after: moment)?.moment.seconds ?? .max / 2
        return before < moment.seconds - day && after > moment.seconds + day
            && self.before.offsetSeconds != self.after.offsetSeconds
    }
}
