public import Agenda
import Foundation

/// Links to maps of places.
public enum PlaceLinks {
    /// The URL that shows a place: Foursquare's page for a Foursquare place, a map at the position
    /// if it is known, otherwise a search for the name, or for the address of a saved place.
    public static func map(of place: MeetingPlace) -> String {
        if let reference = place.reference, reference.hasPrefix("fsq:") {
            return "https://foursquare.com/v/\(reference.dropFirst(4))"
        }
        guard let latitude = place.latitude, let longitude = place.longitude else {
            return "https://www.openstreetmap.org/search?query=\(escaped(place.searched))"
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

    private static func escaped(_ text: Substring) -> String {
        text.addingPercentEncoding(withAllowedCharacters: plain) ?? ""
    }
}

extension MeetingPlace {
    /// The words by which a map finds the place. Maps do not know the names of saved places, such
    /// as "My kitchen, Pursimiehenkatu 2", but the addresses behind them.
    fileprivate var searched: Substring {
        guard reference?.hasPrefix("own:") == true, let comma = text.firstRange(of: ", ") else {
            return text[...]
        }
        let address = text[comma.upperBound...]
        return address.contains(where: \.isNumber) ? address : text[...]
    }
}
