import Foundation

/// A street, building or area on a map.
public struct StreetWay: Hashable, Sendable {
    /// The kinds, in the order in which they are drawn.
    public enum Kind: String, CaseIterable, Sendable {
        /// A park, garden or lawn.
        case park
        /// A lake, river or pond.
        case water
        /// A building.
        case house
        /// A railway or tram line.
        case rail
        /// A path, or steps, for people on foot.
        case path
        /// A street.
        case street
        /// A main street.
        case main

        /// True if it is an area, and not a line.
        public var isArea: Bool {
            switch self {
            case .park, .water, .house: true
            case .rail, .path, .street, .main: false
            }
        }
    }

    /// A point, in units of 0.00001 degrees.
    public struct Point: Hashable, Sendable {
        /// Units east.
        public let east: Int
        /// Units north.
        public let north: Int

        /// Makes a point.
        public init(east: Int, north: Int) {
            self.east = east
            self.north = north
        }

        /// The point nearest to a position in degrees.
        init(latitude: Double, longitude: Double) {
            self.init(
                east: Int((longitude * unitsPerDegree).rounded()),
                north: Int((latitude * unitsPerDegree).rounded()))
        }
    }

    /// The units in a degree.
    public static let unitsPerDegree = 100_000.0

    /// The kind.
    public let kind: Kind
    /// The name; empty if it has none.
    public let name: String
    /// The points; the first and the last of an area are the same.
    public let points: [Point]

    /// Makes a way.
    public init(_ kind: Kind, named name: String = "", _ points: [Point]) {
        self.kind = kind
        self.name = name
        self.points = points
    }

    /// Parses a line of a file of ways: kind, name and points, separated by tabs. A point is the
    /// difference to the one before; the first counts from 0. `nil` if the line has another form.
    public init?(_ line: some StringProtocol) {
        let parts = line.split(separator: "\t", omittingEmptySubsequences: false)
        guard parts.count == 3, let kind = Kind(rawValue: String(parts[0])) else { return nil }
        var last = Point(east: 0, north: 0)
        var points: [Point] = []
        for text in parts[2].split(separator: " ") {
            let pair = text.split(separator: ",")
            guard pair.count == 2, let east = Int(pair[0]), let north = Int(pair[1]),
                abs(east) <= Self.unitsMax, abs(north) <= Self.unitsMax
            else { return nil }
            last = Point(east: last.east + east, north: last.north + north)
            points.append(last)
        }
        guard points.count > 1 else { return nil }
        self.init(kind, named: String(parts[1]), points)
    }

    private static let unitsMax = 36_000_000

    /// The line of a file of ways, without a line break.
    public var line: String {
        var last = Point(east: 0, north: 0)
        let texts = points.map { point in
            defer { last = point }
            return "\(point.east - last.east),\(point.north - last.north)"
        }
        let name = name.map { $0.isWhitespace ? " " : $0 }
        return [kind.rawValue, String(name), texts.joined(separator: " ")].joined(separator: "\t")
    }
}

/// A rectangle on a map.
public struct StreetBox: Equatable, Sendable {
    /// The corners.
    public let west: Int, south: Int, east: Int, north: Int

    /// The smallest rectangle around points.
    public init(around points: some Collection<StreetWay.Point>) {
        west = points.lazy.map(\.east).min() ?? 0
        east = points.lazy.map(\.east).max() ?? 0
        south = points.lazy.map(\.north).min() ?? 0
        north = points.lazy.map(\.north).max() ?? 0
    }

    /// The square around a position.
    ///
    /// - Parameters:
    ///   - latitude: the degrees north of its centre, from -85 to 85.
    ///   - longitude: the degrees east of its centre.
    ///   - meters: half the length of a side.
    public init(latitude: Double, longitude: Double, meters: Double) {
        let high = meters / StreetScale.metersPerDegree
        let wide = high / StreetScale.shrinking(at: latitude)
        func units(_ degrees: Double) -> Int {
            Int((degrees * StreetWay.unitsPerDegree).rounded())
        }
        west = units(longitude - wide)
        east = units(longitude + wide)
        south = units(latitude - high)
        north = units(latitude + high)
    }

    private init(west: Int, south: Int, east: Int, north: Int) {
        self.west = west
        self.south = south
        self.east = east
        self.north = north
    }

    /// The rectangle that both have in common; `nil` without one.
    func common(with other: StreetBox) -> StreetBox? {
        guard meets(other) else { return nil }
        return StreetBox(
            west: max(west, other.west), south: max(south, other.south),
            east: min(east, other.east), north: min(north, other.north))
    }

    /// True if both have a point in common.
    public func meets(_ other: StreetBox) -> Bool {
        west <= other.east && other.west <= east && south <= other.north && other.south <= north
    }
}

/// Lengths on the earth, taken for a sphere.
public enum StreetScale {
    /// The metres in a degree of latitude.
    public static let metersPerDegree = 111_195.0

    /// The length of a degree of longitude, as a part of one at the equator.
    public static func shrinking(at latitude: Double) -> Double {
        cos(min(85, max(-85, latitude)) * .pi / 180)
    }
}

/// The ways of a region, found by their place.
public struct StreetAtlas: Sendable {
    /// The text that must be shown with the map.
    public let attribution: String
    private let ways: [(way: StreetWay, box: StreetBox)]

    /// Makes an atlas.
    ///
    /// - Parameters:
    ///   - ways: its streets, buildings and areas.
    ///   - attribution: the text that must be shown with the map.
    public init(_ ways: [StreetWay], attribution: String) {
        self.ways = ways.map { ($0, StreetBox(around: $0.points)) }
        self.attribution = attribution
    }

    /// Reads a file of ways. Lines of another form are skipped.
    ///
    /// - Throws: an error of the system if the file cannot be read.
    public init(file: String, attribution: String) throws {
        let text = try String(contentsOfFile: file, encoding: .utf8)
        self.init(
            text.split(separator: "\n").compactMap { StreetWay($0) }, attribution: attribution)
    }

    /// The ways in or near a rectangle.
    public func ways(in box: StreetBox) -> [StreetWay] {
        ways.filter { $0.box.meets(box) }.map(\.way)
    }
}
