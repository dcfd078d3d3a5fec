import Interchange
import Testing

/// The pictures of cards.
@Suite struct CardPhotoTests {
    private func photo(_ line: String, version: String = "3.0") -> CardPhoto? {
        let text = "BEGIN:VCARD\r\nVERSION:\(version)\r\nFN:Anna\r\n\(line)\r\nEND:VCARD\r\n"
        return VCardReader.read(Array(text.utf8)).cards.first?.photo
    }

    private let octets = CardPhoto.octets([0xFF, 0xD8, 0xFF])

    @Test(arguments: [
        ("PHOTO;ENCODING=b;TYPE=JPEG:/9j/", "3.0"), ("PHOTO;JPEG;BASE64:/9j/", "2.1"),
        ("PHOTO;ENCODING=BASE64;TYPE=JPEG:/9j/\r\n", "2.1"),
        ("PHOTO:data:image/jpeg;base64,/9j/", "4.0"),
        ("PHOTO:data:image/jpeg\\;base64\\,/9j/", "4.0"),
        ("item1.PHOTO;ENCODING=b:/9\r\n j/", "3.0"),
    ])
    func `A picture in a card is decoded in all versions`(line: String, version: String) {
        #expect(photo(line, version: version) == octets)
    }

    @Test func `An address of a picture is recognized`() {
        #expect(photo("PHOTO;VALUE=uri:https://example.org/anna.jpg") == .address)
        #expect(photo("PHOTO:https://example.org/anna.jpg", version: "4.0") == .address)
    }

    @Test func `Other values are unreadable`() {
        #expect(photo("PHOTO;ENCODING=b:A") == .unreadable)
        #expect(photo("PHOTO:data:image/jpeg,plain", version: "4.0") == .unreadable)
        #expect(photo("PHOTO:none", version: "4.0") == .unreadable)
    }

    @Test func `A card without a picture has none`() {
        #expect(photo("NOTE:PHOTO") == nil)
        #expect(photo("LOGO;ENCODING=b:/9j/") == nil)
    }

    @Test func `A picture in the card is preferred to an address`() {
        let lines = "PHOTO;VALUE=uri:https://example.org/a.jpg\r\nPHOTO;ENCODING=b:/9j/"
        #expect(photo(lines) == octets)
    }
}
