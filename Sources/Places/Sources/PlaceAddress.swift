/// Addresses in one line, as they are written in most of Europe.
enum PlaceAddress {
    /// Street, postcode and locality: "Francuska 3, 11000 Beograd"; empty without any of them.
    static func line(street: String?, postcode: String?, locality: String?) -> String {
        let town = [postcode, locality].compactMap(\.self).joined(separator: " ")
        return [street, town].compactMap(\.self).filter { !$0.isEmpty }.joined(separator: ", ")
    }
}
