public import Agenda
import Foundation

/// Links to maps of places.
public enum PlaceLinks {
    /// The URL that shows a place: Foursquare's page for a Foursquare place, a map at the position
    /// if it is known, otherwise a search for the name.
    public static func map(of place: MeetingPlace) -> String {
        if let reference = place.reference, reference.hasPrefix("fsq:") {
            return "https://foursquare.com/v/\(reference.dropFirst(4))"
        }
        guard let latitude = place.latitude, let longitude = place.longitude else {
            return "https://www.openstreetmap.org/search?query=\(escaped(place.text))"
        }
        let (north, east) = ("\(rounded(latitude))", "\(rounded(longitude))")
        return "https://www.openstreetmap.org/?mlat=\(north)&mlon=\(east)#map=18/\(north)/\(east)"
    }

    /// Rounds to five decimal places, about one metre.
    private static func rounded(_ degrees: Double) -> Double {
        (degrees * 100_000).rounded() / 100_000
    }

    private static let plain = CharacterSet(
        charactersIn: "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~")

    private static func escaped(_ text: String) -> String {
        text.addingPercentEncoding(withAllowedCharacters: plain) ?? ""
    }
}
