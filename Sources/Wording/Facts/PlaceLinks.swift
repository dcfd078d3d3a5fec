public import Agenda
import Foundation

/// Links to maps.
public enum PlaceLinks {
    /// Where a reader finds the place: Foursquare's page for a place of theirs, a map at the
    /// position where it is known, else a search for the words.
    public static func map(of place: MeetingPlace) -> String {
        if let reference = place.reference, reference.hasPrefix("fsq:") {
            return "https://foursquare.com/v/\(reference.dropFirst(4))"
        }
        guard let latitude = place.latitude, let longitude = place.longitude else {
            return "https://www.openstreetmap.org/search?query=\(escaped(place.text))"
        }
        let position = "\(rounded(latitude))/\(rounded(longitude))"
        return "https://www.openstreetmap.org/?mlat=\(rounded(latitude))"
            + "&mlon=\(rounded(longitude))#map=18/\(position)"
    }

    /// Five places are a metre.
    private static func rounded(_ degrees: Double) -> Double {
        (degrees * 100_000).rounded() / 100_000
    }

    private static let plain = CharacterSet(
        charactersIn: "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~")

    private static func escaped(_ text: String) -> String {
        text.addingPercentEncoding(withAllowedCharacters: plain) ?? ""
    }
}
