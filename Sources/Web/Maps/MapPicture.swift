import Places
import Wording

/// A map as a picture of a fixed size, on which a form without scripts takes a press: browsers send
/// the point as `spot.x` and `spot.y` (HTML, "Image Button").
struct MapPicture: Sendable {
    /// The size on the page, in CSS pixels.
    static let width = 280, height = 196
    /// Half the width of the map in metres, from the first step to the last.
    static let radii = [4000, 1200, 350]

    let latitude: Double
    let longitude: Double
    let radius: Int

    /// A map whose scale is one of the steps.
    init(latitude: Double, longitude: Double, radius: Int) {
        self.latitude = latitude
        self.longitude = longitude
        self.radius = Self.radii.contains(radius) ? radius : Self.radii[0]
    }

    /// The position of a point of the picture, in degrees north and east.
    ///
    /// - Parameters:
    ///   - right: the pixels from the left edge.
    ///   - down: the pixels from the upper edge.
    /// - Returns: the position; `nil` outside the picture, and for its corner, which browsers send
    ///   if the button was pressed with a key.
    func position(right: Int, down: Int) -> (latitude: Double, longitude: Double)? {
        guard (0...Self.width).contains(right), (0...Self.height).contains(down),
            right > 0 || down > 0
        else { return nil }
        let scale = Double(2 * radius) / Double(Self.width)
        let spot = MapProjection.Spot(
            right: Int((Double(right - Self.width / 2) * scale).rounded()),
            down: Int((Double(down - Self.height / 2) * scale).rounded()))
        return MapProjection(latitude: latitude, longitude: longitude).position(of: spot)
    }

    /// The next scale.
    ///
    /// - Parameter isCloser: true for a smaller part of the world.
    /// - Returns: half the width in metres.
    func nextRadius(isCloser: Bool) -> Int {
        let place = Self.radii.firstIndex(of: radius) ?? 0
        return Self.radii[min(max(place + (isCloser ? 1 : -1), 0), Self.radii.count - 1)]
    }

    /// A drawing of a page as a file of its own. A picture has no style sheet of the page, so each
    /// part names its colours.
    static func file(_ svg: String, radius: Int) -> String {
        let wide = max(12, radius / 60)
        let stroke = "fill=\"none\" stroke-linecap=\"round\" stroke-linejoin=\"round\""
        let looks = [
            ("park", "fill=\"#d3e6c9\""), ("water", "fill=\"#c4dcea\""),
            ("house", "fill=\"#e0dacd\""),
            ("main", "\(stroke) stroke=\"#fff\" stroke-width=\"\(wide)\""),
            ("street", "\(stroke) stroke=\"#fff\" stroke-width=\"\(max(7, wide / 2))\""),
            ("path", "\(stroke) stroke=\"#fff\" stroke-width=\"\(max(2, wide / 6))\""),
            ("rail", "\(stroke) stroke=\"#8a857c\" stroke-width=\"\(max(2, wide / 8))\""),
            ("ring", "fill=\"none\" stroke=\"#8a857c\" stroke-width=\"\(max(2, wide / 8))\""),
            ("fine", "display=\"none\""), ("pin", "fill=\"#a3341f\""),
            ("pin plain", "fill=\"#a3341f\""), ("mark", "fill=\"#fff\""),
        ]
        let ground =
            "<rect x=\"-50%\" y=\"-50%\" width=\"100%\" height=\"100%\" fill=\"#efece4\"/>"
        let coloured = looks.reduce(svg) { text, look in
            text.replacing("class=\"\(look.0)\"", with: look.1)
        }
        let head = """
            <svg xmlns="http://www.w3.org/2000/svg" width="\(width)" height="\(height)" \
            font-family="sans-serif" role="img"
            """
        return coloured.replacing("<svg class=\"map\" role=\"img\"", with: head)
            .replacing(" data-map>", with: ">\(ground)")
    }
}
