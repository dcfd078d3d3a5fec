import Places
import Wording

/// A map as SVG, whose colours come from the style sheet of the page, so that it follows dark mode,
/// print and forced colours.
struct MapDrawing: Sendable {
    /// A place on the map.
    struct Pin: Hashable, Sendable {
        /// The short text on the pin; empty for none.
        let mark: String
        /// The name for people.
        let name: String
        let latitude: Double
        let longitude: Double
        /// The place on the page to which a press on the pin leads; `nil` for none. Those who use
        /// keys find the same in the list beside the map.
        var link: String?
    }

    /// The height of a map, as a part of its width.
    private static let height = 0.7

    private let projection: MapProjection
    private let radius: Int
    private let pins: [Pin]
    private let ways: [StreetWay]
    private let label: String

    /// - Parameters:
    ///   - latitude: the degrees north of the centre.
    ///   - longitude: the degrees east of the centre.
    ///   - radius: half the width of the map, in metres.
    ///   - pins: the places to mark.
    ///   - ways: the streets and areas around; empty to draw distances instead.
    ///   - label: the description for people who do not see it.
    init(
        latitude: Double, longitude: Double, radius: Int, pins: [Pin], ways: [StreetWay],
        label: String
    ) {
        projection = MapProjection(latitude: latitude, longitude: longitude)
        self.radius = radius
        self.pins = pins
        self.ways = ways
        self.label = label
    }

    private var halfHeight: Int { Int(Double(radius) * Self.height) }

    /// An image has no links in it.
    private var role: String { pins.contains { $0.link != nil } ? "group" : "img" }

    /// The drawing as an SVG element.
    var svg: String {
        let lines = drawn
        return """
            <svg class="map" role="\(role)" aria-label="\(HTMLText.escaped(label))" \
            viewBox="\(-radius) \(-halfHeight) \(2 * radius) \(2 * halfHeight)" data-map>
            \(lines.isEmpty
                ? "<g font-size=\"\(Int(letter))\">\(rings)</g>" : lines.joined(separator: "\n"))
            <g aria-hidden="true" font-size="\(Int(letter))">
            \(names.joined(separator: "\n"))
            \(pins.map(drawing).joined(separator: "\n"))
            </g>
            </svg>
            """
    }

    // MARK: Ways

    /// One path for each kind of way.
    private var drawn: [String] {
        StreetWay.Kind.allCases.compactMap { kind in
            let own = ways.filter { $0.kind == kind }
            let paths = own.flatMap { path($0) }
            guard !paths.isEmpty else { return nil }
            return "<path class=\"\(kind)\" d=\"\(paths.joined())\"/>"
        }
    }

    private func path(_ way: StreetWay) -> [String] {
        let spots = way.points.map(projection.spot).simplified(tolerance)
        if way.kind.isArea {
            return isSeen(spots) ? [Self.data(spots) + "z"] : []
        }
        return seenParts(of: spots).map { Self.data($0) }
    }

    /// The distance by which a drawn line may miss a point, in metres. A person cannot see it.
    private var tolerance: Double { max(1.5, Double(radius) / 270) }

    /// The parts of a line that are on the map, each with the points before and after.
    private func seenParts(of spots: [MapProjection.Spot]) -> [[MapProjection.Spot]] {
        var parts: [[MapProjection.Spot]] = []
        var part: [MapProjection.Spot] = []
        for (first, last) in zip(spots, spots.dropFirst()) {
            if isSeen([first, last]) {
                if part.isEmpty { part = [first] }
                part.append(last)
            } else if !part.isEmpty {
                parts.append(part)
                part = []
            }
        }
        return part.isEmpty ? parts : parts + [part]
    }

    /// True if the rectangle around points meets the map.
    private func isSeen(_ spots: [MapProjection.Spot]) -> Bool {
        let (wide, high) = (spots.map(\.right), spots.map(\.down))
        return wide.max() ?? 0 >= -radius && wide.min() ?? 0 <= radius
            && high.max() ?? 0 >= -halfHeight && high.min() ?? 0 <= halfHeight
    }

    /// The data of a path in few characters (SVG 2, 9.3): the letter of a command that is repeated
    /// is left out, and so is a space before a minus.
    private static func data(_ spots: [MapProjection.Spot]) -> String {
        var last = spots[0]
        var text = "M\(last.right) \(last.down)l"
        for (place, spot) in spots.dropFirst().enumerated() {
            let (right, down) = (spot.right - last.right, spot.down - last.down)
            text += place == 0 || right < 0 ? "\(right)" : " \(right)"
            text += down < 0 ? "\(down)" : " \(down)"
            last = spot
        }
        return text
    }

    // MARK: Names

    private static let namesMax = 14

    /// The size of a letter on a narrow screen, in metres: 11 pixels on a map of 320. The style
    /// sheet makes it smaller where the map is wider.
    private var letter: Double { Double(radius) / 14 }
    /// The part of that size on a wide map.
    private static let fineScale = 0.6

    /// The names of streets, each along its longest part on the map.
    private var names: [String] {
        let named = ways.filter { !$0.name.isEmpty && !$0.kind.isArea && $0.kind != .path }
        let main = Set(named.filter { $0.kind == .main }.map(\.name))
        let longest = Dictionary(grouping: named, by: \.name).compactMapValues { ways in
            ways.map { $0.points.map(projection.spot) }.joinedAtEnds
                .flatMap { seenParts(of: $0.simplified(tolerance * 2)) }
                .max { $0.length < $1.length }
        }
        let sorted = longest.sorted { left, right in
            (main.contains(left.key) ? 0 : 1, -left.value.length, left.key)
                < (main.contains(right.key) ? 0 : 1, -right.value.length, right.key)
        }
        var chosen: [StreetName] = []
        for (letter, isFine) in [(letter, false), (letter * Self.fineScale, true)] {
            for (name, part) in sorted where chosen.count < Self.namesMax {
                guard part.length > Double(name.count) * letter * 0.62,
                    !chosen.contains(where: { $0.name == name })
                else { continue }
                let new = StreetName(name: name, part: part, isFine: isFine)
                let isFree = chosen.allSatisfy { $0.middle.distance(to: new.middle) > letter * 4 }
                if isFree { chosen.append(new) }
            }
        }
        return chosen.enumerated().map { place, name in drawing(name, place) }
    }

    /// The name of a street along a part of it.
    private struct StreetName {
        let name: String
        let part: [MapProjection.Spot]
        /// True if it is shown only on a wide map, where there is space for it.
        let isFine: Bool

        var middle: MapProjection.Spot { part[part.count / 2] }
    }

    private func drawing(_ name: StreetName, _ place: Int) -> String {
        let part = name.part
        // From left to right, so that the name is not upside down.
        let spots =
            part[0].right <= part[part.count - 1].right ? part : Array(part.reversed())
        return """
            <path id="street\(place)" fill="none" d="\(Self.data(spots))"/>\
            <text\(name.isFine ? " class=\"fine\"" : "")>\
            <textPath href="#street\(place)" startOffset="50%" text-anchor="middle">\
            \(HTMLText.escaped(name.name))</textPath></text>
            """
    }

    // MARK: Pins and distances

    private func drawing(_ pin: Pin) -> String {
        let spot = projection.spot(latitude: pin.latitude, longitude: pin.longitude)
        let size = Double(radius) / 18
        let mark =
            pin.mark.isEmpty
            ? ""
            : "<text class=\"mark\" x=\"\(spot.right)\" y=\"\(spot.down)\" "
                + "dominant-baseline=\"central\" text-anchor=\"middle\">"
                + "\(HTMLText.escaped(pin.mark))</text>"
        let kind = pin.mark.isEmpty ? "pin plain" : "pin"
        let drawn = """
            <circle class="\(kind)" cx="\(spot.right)" cy="\(spot.down)" \
            r="\(Int(pin.mark.isEmpty ? size * 0.6 : size * 0.8))">\
            <title>\(HTMLText.escaped(pin.name))</title></circle>\(mark)
            """
        return pin.link.map { "<a href=\"#\($0)\" tabindex=\"-1\">\(drawn)</a>" } ?? drawn
    }

    /// Circles at round distances, for a region without streets.
    private var rings: String {
        [radius / 4, radius / 2, radius * 3 / 4].map { distance in
            """
            <circle class="ring" r="\(distance)"/>\
            <text text-anchor="middle" y="\(-distance - 3)">\
            \(distance) m</text>
            """
        }.joined(separator: "\n")
    }
}
