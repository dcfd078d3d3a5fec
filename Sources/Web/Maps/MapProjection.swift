import Foundation
import Places

/// Turns positions into metres on a flat map: east to the right, north up.
struct MapProjection: Sendable {
    /// A point on the map, in metres from its centre; `down` grows to the south.
    struct Spot: Hashable, Sendable {
        let right: Int
        let down: Int
    }

    let latitude: Double
    let longitude: Double
    private let metersEast: Double

    init(latitude: Double, longitude: Double) {
        self.latitude = latitude
        self.longitude = longitude
        metersEast = StreetScale.metersPerDegree * StreetScale.shrinking(at: latitude)
    }

    func spot(latitude: Double, longitude: Double) -> Spot {
        Spot(
            right: Int(((longitude - self.longitude) * metersEast).rounded()),
            down: Int(((self.latitude - latitude) * StreetScale.metersPerDegree).rounded()))
    }

    /// The position of a point on the map, in degrees north and east.
    func position(of spot: Spot) -> (latitude: Double, longitude: Double) {
        let north = latitude - Double(spot.down) / StreetScale.metersPerDegree
        let east = longitude + Double(spot.right) / max(metersEast, 1)
        return (min(max(north, -90), 90), min(max(east, -180), 180))
    }

    func spot(_ point: StreetWay.Point) -> Spot {
        spot(
            latitude: Double(point.north) / StreetWay.unitsPerDegree,
            longitude: Double(point.east) / StreetWay.unitsPerDegree)
    }
}

extension [MapProjection.Spot] {
    /// The line without points that lie closer than `tolerance` metres to the line between their
    /// neighbours (Douglas and Peucker, 1973).
    func simplified(_ tolerance: Double) -> [MapProjection.Spot] {
        guard count > 2 else { return self }
        var kept = [Bool](repeating: false, count: count)
        (kept[0], kept[count - 1]) = (true, true)
        var spans = [(0, count - 1)]
        while let (first, last) = spans.popLast() {
            guard last - first > 1 else { continue }
            var (farthest, distance) = (first, tolerance)
            for place in (first + 1)..<last {
                let own = self[place].distance(fromLine: self[first], self[last])
                if own > distance { (farthest, distance) = (place, own) }
            }
            guard farthest != first else { continue }
            kept[farthest] = true
            spans += [(first, farthest), (farthest, last)]
        }
        return indices.filter { kept[$0] }.map { self[$0] }
    }

    /// The length of the line, in metres.
    var length: Double {
        zip(self, dropFirst()).reduce(0) { $0 + $1.0.distance(to: $1.1) }
    }
}

extension MapProjection.Spot {
    func distance(to other: Self) -> Double {
        hypot(Double(other.right - right), Double(other.down - down))
    }

    /// The distance from a line between two points; from the first of them if both are the same.
    fileprivate func distance(fromLine first: Self, _ last: Self) -> Double {
        let length = first.distance(to: last)
        guard length > 0 else { return distance(to: first) }
        let area =
            Double(last.right - first.right) * Double(first.down - down)
            - Double(first.right - right) * Double(last.down - first.down)
        return abs(area) / length
    }
}

extension [[MapProjection.Spot]] {
    /// The lines, with those joined that end where another begins.
    var joinedAtEnds: [[MapProjection.Spot]] {
        var whole: [[MapProjection.Spot]] = []
        var rest = self
        while var line = rest.popLast() {
            while let (place, next) = rest.firstContinuation(of: line) {
                line = next
                rest.remove(at: place)
            }
            whole.append(line)
        }
        return whole
    }

    /// The first line that continues another one at either end, and both together.
    private func firstContinuation(
        of line: [MapProjection.Spot]
    ) -> (place: Int, joined: [MapProjection.Spot])? {
        for (place, other) in enumerated() {
            if line.last == other.first { return (place, line + other.dropFirst()) }
            if line.last == other.last { return (place, line + other.reversed().dropFirst()) }
            if line.first == other.last { return (place, other + line.dropFirst()) }
            if line.first == other.first { return (place, other.reversed() + line.dropFirst()) }
        }
        return nil
    }
}
