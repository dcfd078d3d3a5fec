import Foundation

/// Distances on the earth as a sphere, exact to half a percent.
enum GreatCircle {
    /// The mean radius of the earth.
    static let radiusKilometres = 6371.0088

    /// The length of a degree of latitude.
    static let degreeKilometres = radiusKilometres * .pi / 180

    /// The extent of a circle of `degrees` to the east and to the west of its centre, in degrees of
    /// longitude, rounded up; 180 if the circle contains a pole.
    static func widthDegrees(of degrees: Double, aroundLatitude latitude: Double) -> Double {
        let outermost = abs(latitude) + degrees
        guard outermost < 90 else { return 180 }
        return min(180, degrees / cos(outermost * .pi / 180))
    }

    /// The distance between two positions in degrees, by the haversine formula.
    static func kilometres(
        from start: (latitude: Double, longitude: Double),
        to end: (latitude: Double, longitude: Double)
    ) -> Double {
        let radians = Double.pi / 180
        let northward = sin((end.latitude - start.latitude) * radians / 2)
        let eastward = sin((end.longitude - start.longitude) * radians / 2)
        let chord =
            northward * northward
            + cos(start.latitude * radians) * cos(end.latitude * radians) * eastward * eastward
        return 2 * radiusKilometres * asin(min(1, chord.squareRoot()))
    }
}
