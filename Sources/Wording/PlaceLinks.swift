public import Agenda

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

    /// Everything but RFC 3986's unreserved characters (2.3) as `%` and two digits.
    private static func escaped(_ text: String) -> String {
        var escaped: [UInt8] = []
        for byte in text.utf8 {
            if isPlain(byte) {
                escaped.append(byte)
            } else {
                escaped += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: escaped, as: UTF8.self)
    }

    private static let digits = Array("0123456789ABCDEF".utf8)

    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."),
            UInt8(ascii: "_"), UInt8(ascii: "~"):
            true
        default: false
        }
    }
}
