public import Foundation

/// The picture of a card (RFC 6350, 6.2.4; RFC 2426, 3.1.4).
public enum CardPhoto: Equatable, Sendable {
    /// A picture in the card itself. Its octets come from outside and were not looked at.
    case octets([UInt8])
    /// An address at which the picture stands. It is not fetched.
    case address
    /// A value that is neither base64 nor an address.
    case unreadable

    /// The longest value that is read, in octets of text: base64 of 12 MiB.
    private static let valueOctetsMax = 16 << 20

    /// The picture that a line of a card names; `nil` for another property or an empty one.
    init?(line: String) {
        guard ExtraLine.name(of: line) == "PHOTO", line.utf8.count <= Self.valueOctetsMax,
            let property = ExtraLine.property(of: line), !property.value.isEmpty
        else { return nil }
        let value = String(decoding: property.value, as: UTF8.self)
        guard !property.isBase64 else {
            self = Self.decoded(value)
            return
        }
        // Some programs escape the comma and the semicolon as in text.
        if value.prefix(5).lowercased() == "data:", let comma = value.firstIndex(of: ",") {
            let isBase64 = value[..<comma].filter { $0 != "\\" }.lowercased().hasSuffix(";base64")
            self = isBase64 ? Self.decoded(value[value.index(after: comma)...]) : .unreadable
        } else {
            self = value.contains("://") ? .address : .unreadable
        }
    }

    private static func decoded(_ base64: some StringProtocol) -> CardPhoto {
        let data = Data(base64Encoded: String(base64), options: .ignoreUnknownCharacters)
        guard let data, !data.isEmpty else { return .unreadable }
        return .octets(Array(data))
    }
}

extension ContactCard {
    /// The first picture of the card that stands in it, or else the first one; `nil` for none.
    public var photo: CardPhoto? {
        let photos = extra.lazy.compactMap(CardPhoto.init(line:))
        let inside = photos.first { if case .octets = $0 { true } else { false } }
        return inside ?? photos.first
    }

    /// Replaces the photos of the card.
    ///
    /// - Parameter jpeg: a JPEG file; `nil` for none.
    public mutating func setPhoto(jpeg: Data?) {
        extra.removeAll { ExtraLine.name(of: $0) == "PHOTO" }
        guard let jpeg else { return }
        extra.append("PHOTO:data:image/jpeg;base64,\(jpeg.base64EncodedString())")
    }
}
